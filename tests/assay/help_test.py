"""The help: complete, and its examples are what they say."""

import re
import shutil
import subprocess
import time

import program
from program import DRIVERS, PROGRAM, ProgramTest, main

COMMANDS = ["run", "verify", "fuzz", "draw", "replay", "shrink", "validate", "dot", "ops", "drivers"]


class Help(ProgramTest):
    def test_the_program_lists_its_commands_and_exit_codes(self):
        text = self.run_program("--help").stdout
        listed = re.search(r"\nSubcommands:\n(.*?)\n\n", text, re.DOTALL).group(1)
        self.assertEqual(re.findall(r"^  (\w+)  ", listed, re.MULTILINE), COMMANDS)
        self.assertIn("exit codes: 0 good, 1 a verdict", text)

    def test_every_command_explains_itself(self):
        for command in COMMANDS:
            with self.subTest(command):
                ran = self.run_program(command, "--help")
                self.assertEqual(ran.stderr, "")
                self.assertIn(f"Usage: assay {command}", ran.stdout)
                self.assertIn("exit codes: 0 good, 1 a verdict", ran.stdout)
                examples = examples_of(ran.stdout)
                self.assertTrue(examples)
                for example in examples:
                    self.assertTrue(example.startswith(f"assay {command}"), example)

    def test_the_version_is_told(self):
        self.assertRegex(self.run_program("--version").stdout, r"^assay \d+\.\d+\.\d+ \(\w[\w.]*\)\n$")


def examples_of(help_text):
    """The command lines below "examples:"."""
    block = re.search(r"^examples:\n((?:  .*\n)+)", help_text, re.MULTILINE)
    return [line.strip() for line in block.group(1).splitlines()] if block else []


class Examples(ProgramTest):
    """Every example is typed into a shell, in a folder where the files that it names are."""

    def setUp(self):
        super().setUp()
        for name in ["conv.mod.py", "net.mod.py", "model.mod.py", "spec.mod.py", "finding.mod.py",
                     "folder/with/specs/some.mod.py", "conformance/some.mod.py"]:
            self.write(name, program.PASSING)
        self.copy_spec("conv_quantized.mod.py", "models.mod.py")
        shutil.copy(DRIVERS / "example_driver.so", self.folder / "mine.so")
        # The programs that a shell finds: this one, and one that stands for Graphviz.
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "assay").symlink_to(PROGRAM)
        self.write("programs/dot", "#!/bin/sh\ncat >/dev/null\necho '<svg/>'\n").chmod(0o755)

    def a_finding(self):
        """A folder that is really called "...", as the examples write it."""
        self.run_program("fuzz", "--driver", program.FAULTY, *program.SMALL, "--graphs", 100, "--stop-after", 1,
                         "--out", "found", expect=program.VERDICT)
        finding = self.folder / "found" / self.findings_in("found")[0]
        shutil.copytree(finding, self.folder / "findings" / "...")

    def a_campaign(self):
        self.run_program("fuzz", "--driver", "./mine.so", "--graphs", 1)

    def in_shell(self, line):
        process = subprocess.Popen(["sh", "-c", f"exec {line}" if "|" not in line else line], cwd=self.folder,
                                   env={"PATH": f"{self.folder}/programs:/usr/bin:/bin"}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not line.startswith("assay fuzz"):
            out, err = process.communicate(timeout=60)
            return process.returncode, out, err
        # Ended by Ctrl-C soon after it has begun, if it has not ended before.
        begun = []

        def is_time():
            if not begun and (self.folder / "findings" / "in_flight").exists():
                begun.append(time.monotonic())
            return begun and time.monotonic() - begun[0] > 0.3

        return self.interrupt(process, is_time)

    def check(self, *words):
        """All examples of a help text."""
        for line in examples_of(self.run_program(*words, "--help").stdout):
            with self.subTest(line):
                code, out, err = self.in_shell(line)
                self.assertEqual(code, program.GOOD, f"{line}\n{out}\n{err}")
                self.assertTrue(out or "> model.svg" in line, f"{line} printed nothing")
                # The next campaign begins anew.
                shutil.rmtree(self.folder / "findings", ignore_errors=True)

    def test_of_the_program(self):
        self.check()

    def test_of_examples_and_models(self):
        for command in ["run", "verify", "validate", "ops", "drivers"]:
            self.check(command)
        self.assertTrue(list((self.folder / "tensors").rglob("*.npy")))
        self.assertIn("<testsuites", (self.folder / "report.xml").read_text())

    def test_of_graphs(self):
        for line in examples_of(self.run_program("dot", "--help").stdout):
            code, _, err = self.in_shell(line)
            self.assertEqual(code, program.GOOD, f"{line}\n{err}")
        self.assertEqual((self.folder / "model.svg").read_text(), "<svg/>\n")
        self.assertEqual(len(list((self.folder / "graphs").glob("*.dot"))), 2)

    def test_of_drawing(self):
        self.check("draw")
        self.assertEqual(len(list((self.folder / "models").glob("*.mod.py"))), 100)

    def test_of_campaigns(self):
        resumes = 0
        for line in examples_of(self.run_program("fuzz", "--help").stdout):
            with self.subTest(line):
                if "--resume" in line:
                    self.a_campaign()
                    resumes += 1
                code, out, err = self.in_shell(line)
                self.assertEqual(code, program.GOOD, f"{line}\n{out}\n{err}")
                self.assertIn("elements judged", out)
                shutil.rmtree(self.folder / "findings", ignore_errors=True)
        self.assertEqual(resumes, 1)

    def test_of_findings(self):
        for command in ["replay", "shrink"]:
            for line in examples_of(self.run_program(command, "--help").stdout):
                with self.subTest(line):
                    self.a_finding()
                    code, out, err = self.in_shell(line)
                    # ./mine.so has not the fault that was found.
                    self.assertEqual(code, program.GOOD, f"{line}\n{out}\n{err}")
                    shutil.rmtree(self.folder / "findings")
                    shutil.rmtree(self.folder / "found")


if __name__ == "__main__":
    main()
