"""Bad input: exit code 2, a message that names the place, the value and the rule, and nothing on standard output."""

import os
import subprocess
import unittest

import program
from program import ProgramTest, main

FUZZ = ["fuzz", "--no-files", "--driver", "fast", "--graphs", 1]


class Words(ProgramTest):
    def check(self, cases):
        for words, parts in cases:
            with self.subTest(" ".join(map(str, words))):
                message = self.refused(*words)
                for part in parts:
                    self.assertIn(part, message)

    def test_commands_and_options(self):
        self.check([
            ([], ["subcommand is required", "`assay --help` says more"]),
            (["frobnicate"], ['there is no command "frobnicate"', "`assay --help` lists them"]),
            (["fuz"], ['there is no command "fuz"', "did you mean fuzz"]),
            (["fuzz"], ["--driver is required"]),
            (["replay", "tape"], ["--driver is required", "`assay replay --help`"]),
            (["run"], ["FILES is required", "`assay run --help`"]),
            (["fuzz", "--driver"], ["--driver"]),
            (FUZZ + ["--second", 3], ['"--second" is no option', "did you mean --seconds"]),
            (["drivers", "--jason"], ['"--jason"', "did you mean --json"]),
            (["ops", "ADD", "MUL"], ['"MUL" is no option or argument here']),
            (["run", "x.mod.py", "--driver", "fast", "--mode", "fast"], ["--mode", "--driver"]),
            (["fuzz", "--driver", "fast", "--out", "x", "--no-files"], ["--no-files", "--out"]),
            (["fuzz", "--driver", "fast", "--out", "x", "--resume", "y"], ["--resume", "--out"]),
            (["draw"], ["draw needs --out FOLDER, --statistics, or both"]),
            (["replay", "x.mod.py", "--driver", "fast", "--max-dim", 8], ["--max-dim 8", "for tapes"]),
        ])

    def test_numbers(self):
        largest = 2**64 - 1
        for option, least, most in [("--graphs", 1, largest), ("--stop-after", 1, largest), ("--seed", 0, largest),
                                    ("--seconds", 1, 10**9), ("--jobs", 1, 256), ("--feature-level", 1, 8),
                                    ("--max-dim", 1, 65536), ("--max-operations", 1, 1000)]:
            bad = ["-1", "-3000000000", str(least - 1), str(most + 1), "99999999999999999999999999", "1.5", "1e3", "x",
                   "", " 1", "0x10", "+1", "1 2", "nan"]
            for value in bad:
                with self.subTest(f"{option} {value}"):
                    message = self.refused(*FUZZ, option, value)
                    self.assertIn(f'{option}: "{value}" is not a whole number from {least} to {most}', message)
        self.check([
            (["draw", "--statistics", "--graphs", "-3"], ['--graphs: "-3" is not a whole number from 1']),
            (["draw", "--statistics", "--seed", "zero"], ['--seed: "zero" is not a whole number from 0']),
            (["shrink", "t", "--driver", "fast", "--trials", "0"], ['--trials: "0"']),
            (["shrink", "t", "--driver", "fast", "--seconds", "-5"], ['--seconds: "-5"']),
            (["verify", ".", "--jobs", "0"], ['--jobs: "0" is not a whole number from 1 to 256']),
            (["validate", "m", "--feature-level", "9"], ['--feature-level: "9" is not a whole number from 1 to 8']),
        ])
        for value in ["0", "-1", "16", "1e300", "inf", "nan", "two", ""]:
            for command in [["run", "m"], ["verify", "."]]:
                with self.subTest(f"{command} {value}"):
                    self.assertIn(f'--loop-timeout: "{value}" is not a number of seconds above 0 and up to 15',
                                  self.refused(*command, "--loop-timeout", value))

    def test_names(self):
        self.check([
            (FUZZ + ["--ops", "ADDD"], ['--ops: there is no operation "ADDD"', "did you mean ADD"]),
            (FUZZ + ["--ops", "ADD,CONV2D"], ['--ops: there is no operation "CONV2D"', "did you mean CONV_2D"]),
            (FUZZ + ["--ops", "add"], ['there is no operation "add"']),
            (FUZZ + ["--ops", "OEM_OPERATION"], ["--ops: operation OEM_OPERATION is not implemented"]),
            (FUZZ + ["--ops", ""], ['--ops: "" has an empty name in it', "all are meant"]),
            (FUZZ + ["--ops", ","], ['--ops: "," has an empty name in it']),
            (FUZZ + ["--ops", "ADD,,MUL"], ['--ops: "ADD,,MUL" has an empty name in it']),
            (FUZZ + ["--ops", "ADD,ADD"], ['--ops: "ADD" is there twice']),
            (FUZZ + ["--ops", "ADD, MUL"], ['there is no operation " MUL"', "did you mean MUL"]),
            (FUZZ + ["--types", "TENSOR_FLOAT33"], ['--types: there is no type "TENSOR_FLOAT33"', "TENSOR_FLOAT32"]),
            (FUZZ + ["--types", ""], ['--types: "" has an empty name']),
            (FUZZ + ["--ops", "LSTM", "--types", "TENSOR_BOOL8"], ["no operation that can be drawn", "1 chosen types"]),
            (FUZZ + ["--ops", "IF", "--feature-level", "1"], ["no operation that can be drawn", "feature level 1"]),
            (FUZZ + ["--ranks", ""], ['--ranks: "" is not a rank']),
            (FUZZ + ["--ranks", "x"], ['--ranks: "x" is not a rank']),
            (FUZZ + ["--ranks", "1-2-3"], ['--ranks: "1-2-3" is not a rank']),
            (FUZZ + ["--ranks", "9"], ['--ranks: "9" is 9 to 9, must go upwards and lie in 1 to 8']),
            (FUZZ + ["--ranks", "4-2"], ['--ranks: "4-2" is 4 to 2, must go upwards']),
            (FUZZ + ["--relaxed", "often"], ['--relaxed: "often" is none of never, sometimes, always']),
            (["run", "m", "--mode", "golde"], ['--mode: "golde" is none of golden, fast, bounded, all']),
            (["ops", "ADDD"], ['there is no operation "ADDD"', "did you mean ADD"]),
            (["ops", ""], ['there is no operation ""']),
            (["ops", ","], ['there is no operation ","']),
            (["ops", "OEM_OPERATION"], ["operation OEM_OPERATION is not implemented"]),
        ])

    def test_drivers(self):
        self.write("text.so", "this is no library")
        self.write("folder.so/file", "")
        for command in [["fuzz", "--no-files", "--graphs", 1], ["run", "m.mod.py"], ["verify", "m.mod.py"],
                        ["replay", "m.mod.py"]]:
            self.write("m.mod.py", program.PASSING)
            for driver, parts in [("fats", ['there is no driver "fats"', "did you mean fast"]),
                                  ("faulty:relu-leak", ["did you mean faulty:relu-leaks"]),
                                  ("jitter:", ['there is no driver "jitter:"']),
                                  ("./none.so", ["./none.so: there is no such file"]),
                                  ("text.so", ["text.so: cannot be loaded"]),
                                  ("folder.so", ["folder.so: cannot be loaded"]),
                                  ("/", ["/: cannot be loaded"]),
                                  (program.DRIVERS / "no_driver.so", ["does not export `assay_driver`"])]:
                with self.subTest(f"{command[0]} {driver}"):
                    message = self.refused(*command, "--driver", driver)
                    for part in parts:
                        self.assertIn(part, message)


class Files(ProgramTest):
    READERS = [["run"], ["validate"], ["verify"], ["dot"], ["replay", "--driver", "fast"]]

    def test_missing(self):
        for reader in self.READERS:
            with self.subTest(reader[0]):
                self.assertRegex(self.refused(*reader, "none.mod.py"), r"none\.mod\.py: .*No such file")
        self.assertIn("none", self.refused("replay", "--driver", "fast", "none"))
        self.assertIn("none", self.refused("shrink", "none", "--driver", "fast"))

    def test_folders_instead_of_files(self):
        (self.folder / "folder.mod.py").mkdir()
        for reader in [["run"], ["validate"], ["dot"], ["replay", "--driver", "fast"], ["shrink", "--driver", "fast"]]:
            with self.subTest(reader[0]):
                self.assertIn("folder.mod.py: ", self.refused(*reader, "folder.mod.py"))
        (self.folder / "empty").mkdir()
        self.assertIn("there are no .mod.py files below empty", self.refused("verify", "empty"))

    def test_garbage(self):
        garbage = bytes((i * 37 + 11) % 256 for i in range(4096))
        for name, text, place in [("garbage.mod.py", garbage, r"garbage\.mod\.py:1:1: "),
                                  ("cut.mod.py", program.PASSING[:200], r"cut\.mod\.py:\d+:\d+: "),
                                  ("zeros.mod.py", bytes(1000), r"zeros\.mod\.py:1:1: "),
                                  ("code.mod.py", "import os\n", r"code\.mod\.py:1:\d+: ")]:
            self.write(name, text)
            for reader in self.READERS:
                with self.subTest(f"{reader[0]} {name}"):
                    message = self.refused(*reader, name)
                    self.assertRegex(message, place)
                    self.assertIn("expected", message)
                    # Only what can be printed.
                    self.assertTrue(message.replace("\n", "").isprintable(), message)

    def test_files_without_models(self):
        self.write("empty.mod.py", "")
        for reader in ["validate", "dot"]:
            self.assertIn("empty.mod.py: there is no model in it", self.refused(reader, "empty.mod.py"))
        ran = self.run_program("run", "empty.mod.py")
        self.assertIn("NOTHING WAS RUN", ran.stdout)

    def test_an_unreadable_file_leaves_no_half_of_a_result(self):
        self.write("good.mod.py", program.PASSING)
        self.write("bad.mod.py", "x")
        for reader in ["run", "validate", "verify"]:
            for words in [[], ["--json"]]:
                with self.subTest(f"{reader} {words}"):
                    self.assertIn("bad.mod.py:1:", self.refused(reader, "good.mod.py", "bad.mod.py", *words))

    def test_tapes(self):
        for name, text, part in [("a", "assay tape 1 registry=0123456789abcdef\nkind graph\nchoices 0\nend\n",
                                  "tape_file.registry: the file was written with registry 0123456789abcdef"),
                                 ("b", "assay tape 7\n", "tape_file.version: the file has version '7'"),
                                 ("c", bytes(range(256)), "tape_file.header"),
                                 ("d", "", "tape_file.header")]:
            self.write(name, text)
            for command in ["replay", "shrink"]:
                with self.subTest(f"{command} {name}"):
                    message = self.refused(command, name, "--driver", "fast")
                    self.assertIn(f"{name}: {part}", message)

    def test_models_that_the_reference_cannot_execute_are_no_fault_of_ours(self):
        self.write("invalid.mod.py", program.INVALID)
        message = self.refused("replay", "invalid.mod.py", "--driver", "fast")
        self.assertRegex(message, r"invalid\.mod\.py: sum: \w+\.\w+: ")


class Outputs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("good.mod.py", program.PASSING)
        self.write("file", "not a folder")

    def places(self):
        """Where nothing can be written, and why."""
        yield "file", "Not a directory"
        yield "file/below", "Not a directory"
        yield "/proc/nowhere", "No such file"
        if os.geteuid() != 0:
            (self.folder / "locked").mkdir(mode=0o555)
            yield "locked/below", "Permission denied"

    def test_folders(self):
        for place, why in self.places():
            for words in [["fuzz", "--driver", "fast", "--graphs", 1, "--out", place],
                          ["draw", "--graphs", 1, "--out", place],
                          ["dot", "good.mod.py", "--out", place],
                          ["run", "good.mod.py", "--dump", place]]:
                with self.subTest(" ".join(map(str, words))):
                    message = self.refused(*words)
                    self.assertIn(f"{place}: cannot be written to: {why}", message)

    def test_of_shrinking(self):
        self.run_program("fuzz", "--driver", program.FAULTY, *program.SMALL, "--graphs", 100, "--stop-after", 1, "--out",
                         "found", expect=program.VERDICT)
        tape = f"found/{self.findings_in('found')[0]}/tape"
        self.assertIn("file: cannot be written to", self.refused("shrink", tape, "--driver", program.FAULTY, "--out",
                                                                 "file"))

    def test_report(self):
        for place in ["file/report.xml", "/proc/report.xml", "."]:
            with self.subTest(place):
                self.assertIn(f"{place}", self.refused("verify", "good.mod.py", "--junit", place))

    def test_empty_names(self):
        for words in [["fuzz", "--driver", "fast", "--graphs", 1, "--out", ""], ["draw", "--out", ""],
                      ["fuzz", "--resume", ""], ["dot", "good.mod.py", "--out", ""],
                      ["run", "good.mod.py", "--dump", ""], ["verify", "good.mod.py", "--junit", ""]]:
            with self.subTest(" ".join(map(str, words))):
                self.assertIn("the name is empty", self.refused(*words))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_standard_output(self):
        with open("/dev/full", "w") as full:
            ran = subprocess.run([program.PROGRAM, "ops"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(ran.returncode, program.WRONG_USE)
        self.assertIn("standard output: not all could be written", ran.stderr)


if __name__ == "__main__":
    main()
