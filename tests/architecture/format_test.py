#!/usr/bin/env python3
"""Fails when clang-format would change a tracked file; exits with 77 (skipped) when there is no clang-format.

Usage: format_test.py [root]
"""

import pathlib
import re
import shutil
import subprocess
import sys

from source_tree import source_files

SKIPPED = 77


def unformatted_files(root):
    """What clang-format would change: the tracked files below root that are not as it writes them."""
    paths = [str(path) for path in source_files(root, tracked_only=True)]
    if not paths:
        return []
    run = subprocess.run(["clang-format", "--dry-run", *paths], cwd=root, capture_output=True, check=True)
    complaints = re.findall(r"^(.+?):\d+:\d+: .*\[-Wclang-format-violations\]$", run.stderr.decode(), re.MULTILINE)
    return sorted(set(complaints))


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    if not shutil.which("clang-format"):
        print("skipped: clang-format is not installed (Debian package clang-format)")
        return SKIPPED
    unformatted = unformatted_files(root)
    for path in unformatted:
        print(f"{path}: clang-format would change it (`./dev format` does)")
    if not unformatted:
        print("every tracked file is formatted")
    return 1 if unformatted else 0


if __name__ == "__main__":
    sys.exit(main())
