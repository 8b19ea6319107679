#!/usr/bin/env python3
"""Fails on a header or source with more lines than the house allows. Usage: file_length_test.py [root]"""

import pathlib
import sys

from source_tree import source_files

LIMITS = {".h": 250, ".cc": 400}


def long_files(root):
    """One message for each file below root that is too long."""
    messages = []
    for path in source_files(root):
        lines = len((pathlib.Path(root) / path).read_bytes().splitlines())
        if lines > LIMITS[path.suffix]:
            messages.append(f"{path}: {lines} lines, at most {LIMITS[path.suffix]}")
    return messages


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    messages = long_files(root)
    print("\n".join(messages) or "no file is too long")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
