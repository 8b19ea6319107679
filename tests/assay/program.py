"""The built program, started as a user starts it, in a folder of the test's own.

ASSAY_PROGRAM names the program, ASSAY_DRIVERS the folder with the drivers that are built for tests.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["ASSAY_PROGRAM"]
DRIVERS = pathlib.Path(os.environ["ASSAY_DRIVERS"])
SANITIZED = bool(os.environ.get("ASSAY_SANITIZE"))
SPECS = pathlib.Path(__file__).parents[1] / "data" / "specs"

GOOD, VERDICT, WRONG_USE, OUR_FAULT, STOPPED = 0, 1, 2, 3, 130

# Small graphs on which a campaign is quick.
SMALL = ["--ops", "ADD,MUL,RELU", "--max-operations", "4", "--max-dim", "6", "--no-control-flow"]
# Is seen within a few of them.
FAULTY = "faulty:relu-leaks"


class ProgramTest(unittest.TestCase):
    """A test in an empty folder, which is the program's working folder too."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay_test_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, *words, environment=None, **more):
        """The program as a process; its output is text."""
        return subprocess.Popen([PROGRAM, *map(str, words)], cwd=self.folder, env={**os.environ, **(environment or {})},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="surrogateescape", **more)

    def run_program(self, *words, expect=GOOD, timeout=120, **more):
        """Runs it to its end, which must be with the exit code `expect`."""
        with self.start(*words, **more) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail(f"assay {' '.join(map(str, words))}: still running after {timeout} s")
        self.assertEqual(process.returncode, expect,
                         f"assay {' '.join(map(str, words))}\n--- stdout\n{out}\n--- stderr\n{err}")
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def run_json(self, *words, expect=GOOD, **more):
        """What it prints with --json."""
        return json.loads(self.run_program(*words, "--json", expect=expect, **more).stdout)

    def refused(self, *words, **more):
        """The message of a use that must be refused: nothing on standard output, one or two lines on standard error."""
        ran = self.run_program(*words, expect=WRONG_USE, **more)
        self.assertEqual(ran.stdout, "", f"assay {' '.join(map(str, words))}")
        self.assertRegex(ran.stderr, r"\Aassay: [^\n]+\n([^\n]+\n)?\Z")
        return ran.stderr

    def interrupt(self, process, after):
        """SIGINT once `after(process)` is true; the exit code and both outputs."""
        deadline = time.monotonic() + 60
        while not after() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return path

    def copy_spec(self, spec, name):
        return self.write(name, (SPECS / spec).read_bytes())

    def findings_in(self, folder):
        """The folders of findings below a campaign's folder, relative to it."""
        root = self.folder / folder
        return sorted(str(report.parent.relative_to(root)) for report in root.rglob("report.txt"))

    def tapes_in(self, folder):
        """The tape of each finding, by its folder: what was found, without the command that found it."""
        return {finding: (self.folder / folder / finding / "tape").read_text() for finding in self.findings_in(folder)}


def sum_spec(expected="[4.0, 2.25]", name="sum", operation="ADD", end="", dims="[2]"):
    """[1, 2.5] + [3, -0.25] as the text of a spec file."""
    return (f'm0_op0 = Input("op0", ["TENSOR_FLOAT32", [2]])\n'
            f'm0_op1 = Input("op1", ["TENSOR_FLOAT32", {dims}])\n'
            f'm0_op2 = Parameter("op2", ["INT32", []], [0])\n'
            f'm0_op3 = Output("op3", ["TENSOR_FLOAT32", [2]])\n'
            f'm0 = Model("{name}")\n'
            f'm0.IdentifyInputs(m0_op0, m0_op1)\n'
            f'm0.IdentifyOutputs(m0_op3)\n'
            f'm0.Operation("{operation}", m0_op0, m0_op1, m0_op2).To(m0_op3)\n'
            f'Example({{m0_op0: [1.0, 2.5], m0_op1: [3.0, -0.25], m0_op3: {expected}}}, model=m0, name="{name}")'
            f'.DisableLifeTimeVariation(){end}\n')


PASSING = sum_spec()
FAILING = sum_spec("[4.0, 2.5]")  # the second element is 2.25
MUST_FAIL_AND_DOES_NOT = sum_spec(end=".ExpectFailure()")
NOT_IMPLEMENTED = sum_spec(operation="MAXIMUM").replace(", m0_op2).To", ").To").replace(
    'm0_op2 = Parameter("op2", ["INT32", []], [0])\n', "").replace("m0_op3", "m0_op2").replace('"op3"', '"op2"')
# 2 and 2 unlike elements: never valid.
INVALID = sum_spec().replace('m0_op3 = Output("op3", ["TENSOR_FLOAT32", [2]])',
                             'm0_op3 = Output("op3", ["TENSOR_FLOAT16", [2]])')


def main():
    unittest.main(verbosity=2)
