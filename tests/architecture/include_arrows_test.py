#!/usr/bin/env python3
"""Fails on an #include from one room of another that arrows.txt does not allow, and names file, line and arrow.

Knows no room: the rooms are the lines of arrows.txt. Usage: include_arrows_test.py [root]
"""

import pathlib
import re
import sys

from source_tree import source_files

ARROWS = pathlib.Path(__file__).parent / "arrows.txt"
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def read_arrows(text):
    """{room: the set of rooms that it may include}, from the text of arrows.txt. Raises ValueError on a bad line."""
    lines = [line.strip() for line in text.splitlines()]
    named = [line.partition(":") for line in lines if line and not line.startswith("#")]
    rooms = [room for room, _, _ in named]
    if len(set(rooms)) != len(rooms):
        raise ValueError("a room has two lines")
    arrows = {}
    for room, colon, others in named:
        seen = set(others.split())
        if not colon or not room:
            raise ValueError(f"not of the form `room: rooms`: {room}")
        if seen == {"*"}:
            seen = set(rooms)
        elif not seen <= set(arrows):
            raise ValueError(f"{room} names a room that does not stand above its line: {sorted(seen - set(arrows))}")
        arrows[room] = seen
    return arrows


def room_of(path, arrows):
    """The room that a relative path (with /) lies in: the longest that fits, so nnapi/include wins over nnapi."""
    fitting = [room for room in arrows if path.startswith(room + "/")]
    return max(fitting, key=len, default=None)


def broken_arrows(root, arrows):
    """One message for each include below root that breaks a rule."""
    root = pathlib.Path(root)
    messages = []
    for path in source_files(root):
        room = room_of(path.as_posix(), arrows)
        if room is None:
            messages.append(f"{path}:1: lies in no room that arrows.txt names")
            continue
        for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), start=1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, target = match.groups()
            other = room_of(target, arrows)
            if other is None:
                inside = quote == '"' and ("/" not in target or (root / target).exists())
                if inside or target.startswith("."):
                    messages.append(f'{path}:{number}: "{target}" is not written as a path from the project root')
            elif other != room and other not in arrows[room]:
                messages.append(f"{path}:{number}: {room} -> {other} is no allowed arrow ({target})")
    return messages


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ARROWS.parents[2]
    messages = broken_arrows(root, read_arrows(ARROWS.read_text()))
    print("\n".join(messages) or "every include follows an allowed arrow")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
