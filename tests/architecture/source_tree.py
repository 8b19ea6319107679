"""The files of a source tree, as the architecture tests see them. Knows no rule that a file has to keep."""

import pathlib
import subprocess

SUFFIXES = (".h", ".cc")


def _git(root, *arguments):
    """Paths that `git ls-files` names below root; None when root is not a git work tree or git refuses."""
    try:
        run = subprocess.run(["git", "-C", str(root), "ls-files", "-z", *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        return None
    if run.returncode != 0:
        return None
    return [path for path in run.stdout.decode().split("\0") if path]


def source_files(root, tracked_only=False):
    """C++ files below root, as sorted relative pathlib paths: what git tracks and, unless tracked_only, new files that
    it does not ignore. Without git (an unpacked archive), every file outside hidden folders and the top build/."""
    root = pathlib.Path(root)
    paths = _git(root) if tracked_only else _git(root, "--cached", "--others", "--exclude-standard")
    if paths is None:
        found = [path.relative_to(root) for path in root.rglob("*")]
        paths = [p for p in found if p.parts[0] != "build" and not any(part.startswith(".") for part in p.parts)]
    wanted = sorted({pathlib.Path(path) for path in paths if str(path).endswith(SUFFIXES)})
    return [path for path in wanted if (root / path).is_file()]
