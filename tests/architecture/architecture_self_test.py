#!/usr/bin/env python3
"""Tests the architecture tests themselves: every breach planted in a small tree must be reported, and nothing else."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import file_length_test
import format_test
import include_arrows_test

ARROWS = """
# a comment
model:
nnapi/include:
numeric: model
ops: model numeric
nnapi: model nnapi/include
tests: *
"""


class PlantedTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def plant(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), *arguments], check=True, capture_output=True)


class IncludeArrows(PlantedTree):
    def broken(self):
        return include_arrows_test.broken_arrows(self.root, include_arrows_test.read_arrows(ARROWS))

    def test_allowed_arrows_are_silent(self):
        self.plant("ops/conv.cc", '#include "ops/conv.h"\n#include <vector>\n#include "absl/status/status.h"\n'
                                  '#include "numeric/dot.h"\n  #  include "model/types.h"\n')
        self.plant("nnapi/model.cc", '#include "nnapi/include/NeuralNetworks.h"\n')
        self.plant("tests/ops/conv_test.cc", '#include "ops/conv.h"\n#include "tests/ops/loops.h"\n')
        self.assertEqual(self.broken(), [])

    def test_a_planted_arrow_is_reported_with_file_and_line(self):
        self.plant("numeric/dot.cc", '#include "numeric/dot.h"\n\n#include "ops/conv.h"\n')
        self.assertEqual(self.broken(), ["numeric/dot.cc:3: numeric -> ops is no allowed arrow (ops/conv.h)"])

    def test_angle_brackets_hide_nothing(self):
        self.plant("model/types.h", "#include <numeric/dot.h>\n")
        self.assertEqual(self.broken(), ["model/types.h:1: model -> numeric is no allowed arrow (numeric/dot.h)"])

    def test_a_room_within_a_room_is_a_room_of_its_own(self):
        self.plant("nnapi/include/NeuralNetworks.h", '#include "nnapi/model.h"\n')
        self.plant("ops/conv.cc", '#include "nnapi/include/NeuralNetworks.h"\n')
        self.assertEqual([message.split(":")[2].split(" is ")[0] for message in self.broken()],
                         [" nnapi/include -> nnapi", " ops -> nnapi/include"])

    def test_production_code_does_not_see_tests(self):
        self.plant("ops/conv.cc", '#include "tests/ops/loops.h"\n')
        self.assertEqual(len(self.broken()), 1)

    def test_a_path_not_from_the_root_is_reported(self):
        self.plant("ops/conv.cc", '#include "conv.h"\n#include "../numeric/dot.h"\n')
        self.assertEqual(len(self.broken()), 2)

    def test_a_file_outside_all_rooms_is_reported(self):
        self.plant("helpers/strings.cc", "")
        self.assertEqual(self.broken(), ["helpers/strings.cc:1: lies in no room that arrows.txt names"])

    def test_an_ignored_build_folder_is_not_read(self):
        self.plant("build/release/generated.cc", '#include "ops/conv.h"\n')
        self.assertEqual(self.broken(), [])

    def test_an_arrow_upwards_in_the_list_is_refused(self):
        with self.assertRaises(ValueError):
            include_arrows_test.read_arrows("model: numeric\nnumeric:\n")

    def test_a_room_listed_twice_is_refused(self):
        with self.assertRaises(ValueError):
            include_arrows_test.read_arrows("model:\nmodel:\n")


class FileLength(PlantedTree):
    def test_one_line_too_many_is_reported(self):
        self.plant("ops/a.h", "\n" * 250)
        self.plant("ops/a.cc", "\n" * 400)
        self.assertEqual(file_length_test.long_files(self.root), [])
        self.plant("ops/b.h", "\n" * 251)
        self.plant("ops/b.cc", "\n" * 401)
        self.assertEqual(file_length_test.long_files(self.root),
                         ["ops/b.cc: 401 lines, at most 400", "ops/b.h: 251 lines, at most 250"])


@unittest.skipUnless(shutil.which("clang-format") and shutil.which("git"), "needs clang-format and git")
class Format(PlantedTree):
    def test_only_a_tracked_and_unformatted_file_is_reported(self):
        self.plant(".clang-format", "BasedOnStyle: Google\n")
        self.plant("ops/good.cc", "int answer = 42;\n")
        self.plant("ops/bad.cc", "int   answer=42;\n")
        self.plant("ops/new.cc", "int   answer=42;\n")
        self.git("init", "-q")
        self.git("add", "ops/good.cc", "ops/bad.cc")
        self.assertEqual(format_test.unformatted_files(self.root), ["ops/bad.cc"])


if __name__ == "__main__":
    unittest.main()
