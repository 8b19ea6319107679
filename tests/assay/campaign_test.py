"""assay fuzz and what becomes of its findings: the same whatever the number of jobs and however often it was stopped."""

import os
import re
import resource
import time

import program
from program import FAULTY, GOOD, SMALL, VERDICT, ProgramTest, main

CAMPAIGN = ["fuzz", "--driver", FAULTY, *SMALL]


class Fuzz(ProgramTest):
    def test_a_sound_driver_has_no_findings(self):
        text = self.run_program("fuzz", "--driver", "fast", "--graphs", 60, "--seed", 5).stdout
        self.assertRegex(text, r"\Aassay \S+ \(\w+\)\ndriver fast \S+ \(CPU, feature level 8\)\nseed 5\n"
                               r"command assay fuzz --driver fast --graphs 60 --seed 5\n60 graphs, ")
        self.assertTrue(text.endswith("\nno findings\n"), text)
        self.assertEqual([path.name for path in (self.folder / "findings").iterdir()], ["campaign.json"])

    def test_no_files_are_written_if_none_are_wanted(self):
        self.run_program(*CAMPAIGN, "--graphs", 100, "--stop-after", 1, "--no-files", expect=VERDICT)
        self.run_program("fuzz", "--driver", program.DRIVERS / "example_driver.so", "--graphs", 20, "--no-files")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_json_says_the_same_as_the_text(self):
        text = self.run_program(*CAMPAIGN, "--graphs", 60, "--out", "text", expect=VERDICT).stdout
        json = self.run_json(*CAMPAIGN, "--graphs", 60, "--out", "json", expect=VERDICT)
        self.assertEqual(set(json), {"version", "isa", "driver", "seed", "options", "strict", "seconds", "next_graph",
                                     "findings", "earlier_findings", "statistics"})
        self.assertEqual((json["driver"], json["seed"], json["options"], json["strict"], json["next_graph"]),
                         (FAULTY, 1, "--ops ADD,MUL,RELU --max-operations 4 --max-dim 6 --no-control-flow", False, 60))
        self.assertEqual(set(json["statistics"]),
                         {"graphs", "operations", "attempts", "passed", "failed", "not_run", "all_unknown", "our_faults",
                          "inside", "outside", "unknown", "coverage", "not_run_reasons"})
        s = json["statistics"]
        self.assertIn(f"60 graphs, {s['operations']} operations, {s['attempts']} attempts: {s['passed']} passed, "
                      f"{s['failed']} failed, 0 not run, ", text)
        self.assertGreater(len(json["findings"]), 1)
        for finding in json["findings"]:
            self.assertEqual(set(finding), {"graph", "group", "reason", "folder", "reproduced", "tries", "operations",
                                            "operations_found", "trials"})
            self.assertIn(f"finding: {finding['group']}\n  {finding['reason']}\n", text)
            self.assertIn(finding["folder"].replace("json/", "text/"), text)
        self.assertEqual(sorted(f["folder"] for f in json["findings"]),
                         [f"json/{folder}" for folder in self.findings_in("json")])
        self.assertEqual(self.tapes_in("json"), self.tapes_in("text"))

    def test_findings_do_not_depend_on_the_jobs(self):
        for jobs in [1, 4]:
            self.run_program(*CAMPAIGN, "--graphs", 60, "--jobs", jobs, "--out", f"jobs{jobs}", expect=VERDICT)
        self.assertTrue(self.findings_in("jobs1"))
        self.assertEqual(self.tapes_in("jobs1"), self.tapes_in("jobs4"))

    def test_the_folder_of_another_campaign_is_refused(self):
        self.run_program("fuzz", "--driver", "fast", "--graphs", 1)
        self.assertIn("findings holds a campaign already: go on with it (--resume) or choose another folder",
                      self.refused("fuzz", "--driver", "fast", "--graphs", 1))

    def test_reasons_for_not_running_are_few(self):
        driver = program.DRIVERS / "example_driver.so"
        json = self.run_json("fuzz", "--driver", driver, "--graphs", 100, "--no-files")
        reasons = json["statistics"]["not_run_reasons"]
        self.assertEqual(sum(reasons.values()), json["statistics"]["not_run"])
        # One for an operation, whatever its place in the graphs.
        for reason in reasons:
            self.assertRegex(reason, r"\A[A-Z]\w+ is not supported\Z")
        text = self.run_program("fuzz", "--driver", driver, "--graphs", 100, "--no-files").stdout
        self.assertLess(len(text.splitlines()), 30)
        self.assertRegex(text, r"\n  not run \d+ times: \w+ is not supported\n")
        self.assertRegex(text, r"\n  not run \d+ times: \d+ other reasons\n")

    def test_the_search_for_a_fault_is_made_once(self):
        def cpu_seconds(jobs):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.run_program("fuzz", "--driver", "faulty:transpose-inverse", "--graphs", 1, "--jobs", jobs, "--no-files")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        # Nine devices: five times what two cost, and more, if each of them searched.
        self.assertLess(cpu_seconds(8), 3 * cpu_seconds(1))


class Findings(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program(*CAMPAIGN, "--graphs", 100, "--stop-after", 1, "--out", "found", expect=VERDICT)
        [finding] = self.findings_in("found")
        self.finding = f"found/{finding}"

    def test_all_files_are_there_and_tell_enough(self):
        files = {path.name: path.read_text() for path in (self.folder / self.finding).iterdir()}
        self.assertEqual(set(files), {"finding.mod.py", "graph.dot", "tape", "report.txt"})
        self.assertTrue(files["tape"].startswith("assay tape 1 registry="))
        self.assertTrue(files["graph.dot"].startswith("digraph"))
        for name in ["finding.mod.py", "report.txt"]:
            for fact in [f"driver {FAULTY} ", "seed 1", "command assay fuzz", "options --ops ADD,MUL,RELU", "expected",
                         "allowed", "reproduced 5 of 5 times", f"--driver {FAULTY}"]:
                self.assertIn(fact, files[name], name)

    def test_the_commands_in_the_report_show_it_again(self):
        report = (self.folder / self.finding / "report.txt").read_text()
        commands = re.findall(r"again: assay (.*)", report)
        self.assertEqual([command.split()[0] for command in commands], ["run", "replay"])
        for command in commands:
            with self.subTest(command):
                text = self.run_program(*command.split(), expect=VERDICT).stdout
                self.assertRegex(text, r"FAIL|failed: ")

    def test_other_drivers_pass_what_was_found(self):
        for file in ["finding.mod.py", "tape"]:
            self.assertIn("passed", self.run_program("replay", f"{self.finding}/{file}", "--driver", "fast").stdout)
        self.run_program("run", f"{self.finding}/finding.mod.py", "--driver", "fast")
        self.run_program("run", f"{self.finding}/finding.mod.py", "--mode", "all")

    def test_a_tape_knows_how_it_was_drawn(self):
        tape = f"{self.finding}/tape"
        self.assertIn("\noptions --ops ADD,MUL,RELU --max-operations 4 --max-dim 6 --no-control-flow\n",
                      (self.folder / tape).read_text())
        plain = self.run_program("replay", tape, "--driver", FAULTY, expect=VERDICT).stdout
        self.assertEqual(self.run_program("replay", tape, "--driver", FAULTY, *SMALL, expect=VERDICT).stdout, plain)
        self.assertIn("it was drawn --max-dim 6, which cannot become --max-dim 7 now",
                      self.refused("replay", tape, "--driver", FAULTY, "--max-dim", 7))
        self.assertIn("without --static-shapes, which cannot become with --static-shapes",
                      self.refused("shrink", tape, "--driver", FAULTY, "--static-shapes"))

    def test_shrinking_again(self):
        tape = f"{self.finding}/tape"
        text = self.run_program("shrink", tape, "--driver", FAULTY, "--out", "smaller", expect=VERDICT).stdout
        [smaller] = self.findings_in("smaller")
        report = (self.folder / "smaller" / smaller / "report.txt").read_text()
        self.assertTrue(text.endswith(report), text)
        self.assertIn("reproduced 5 of 5 times", report)
        self.run_program("replay", f"smaller/{smaller}/tape", "--driver", FAULTY, expect=VERDICT)
        self.run_program("run", f"smaller/{smaller}/finding.mod.py", "--driver", FAULTY, expect=VERDICT)
        self.assertIn("there is nothing to shrink", self.run_program("shrink", tape, "--driver", "fast").stdout)


class Resume(ProgramTest):
    GRAPHS = 120

    def test_ctrl_c_leaves_a_campaign_that_goes_on_to_the_same_findings(self):
        whole = [*CAMPAIGN, "--seed", 7, "--graphs", self.GRAPHS]
        self.run_program(*whole, "--out", "whole", expect=VERDICT)
        tapes = self.tapes_in("whole")
        self.assertGreater(len(tapes), 2)
        # At once, while the first finding is shrunk, and later.
        for i, is_time in enumerate([lambda out: (out / "campaign.json").exists(), lambda out: any(out.glob("value*")),
                                     lambda out: len(list(out.rglob("report.txt"))) >= 3]):
            with self.subTest(i):
                out = f"parts{i}"
                process = self.start(*whole, "--jobs", 2, "--out", out)
                code, text, err = self.interrupt(process, lambda: is_time(self.folder / out))
                self.assertIn(code, [GOOD, VERDICT], err)
                self.assertFalse((self.folder / out / "in_flight").exists())
                self.assertTrue(text.endswith(f"\nstopped; go on with: assay fuzz --resume {out}\n"), text)
                self.run_program("fuzz", "--resume", out, "--graphs", self.GRAPHS, "--jobs", 2, expect=VERDICT)
                self.assertEqual(self.tapes_in(out), tapes)

    def test_it_goes_on_as_it_began(self):
        self.run_program(*CAMPAIGN, "--seed", 7, "--graphs", 10, "--strict", "--out", "part", expect=VERDICT)
        json = self.run_json("fuzz", "--resume", "part", "--graphs", 60, expect=VERDICT)
        self.assertEqual((json["driver"], json["seed"], json["strict"], json["next_graph"]), (FAULTY, 7, True, 60))
        self.assertEqual(json["options"], "--ops ADD,MUL,RELU --max-operations 4 --max-dim 6 --no-control-flow")

    def test_what_contradicts_it_is_refused(self):
        self.run_program("fuzz", "--driver", "fast", *SMALL, "--seed", 7, "--graphs", 1, "--out", "part")
        for words, parts in [(["--driver", "reference"], ['driver was "fast", now it is "reference"']),
                             (["--seed", 8], ['seed was "7", now it is "8"']),
                             (["--strict"], ['judgement was "usual", now it is "strict"']),
                             (["--max-dim", 7], ["--resume: it was drawn --max-dim 6", "cannot become --max-dim 7"]),
                             (["--ops", "ADD"], ["--ops ADD,MUL,RELU", "cannot become --ops ADD now"]),
                             (["--ranks", "2"], ["without --ranks, which cannot become --ranks 2"]),
                             (["--static-shapes"], ["cannot become with --static-shapes"])]:
            with self.subTest(words):
                message = self.refused("fuzz", "--resume", "part", "--graphs", 2, *words)
                for part in parts:
                    self.assertIn(part, message)
        self.run_program("fuzz", "--resume", "part", "--graphs", 2, "--driver", "fast", *SMALL, "--seed", 7)
        self.assertIn("none/campaign.json: there is no campaign to resume", self.refused("fuzz", "--resume", "none"))
        self.write("part/campaign.json", "{")
        self.assertIn("part/campaign.json: ", self.refused("fuzz", "--resume", "part"))

    def test_earlier_findings_are_told_again(self):
        first = self.run_json(*CAMPAIGN, "--graphs", 40, "--out", "part", expect=VERDICT)
        second = self.run_json("fuzz", "--resume", "part", "--graphs", 41, expect=VERDICT)
        self.assertEqual([f["folder"] for f in second["earlier_findings"]], [f["folder"] for f in first["findings"]])
        text = self.run_program("fuzz", "--resume", "part", "--graphs", 41, expect=VERDICT).stdout
        for finding in first["findings"]:
            self.assertIn(finding["folder"], text)

    def test_a_killed_campaign_goes_on_and_accuses_nobody(self):
        process = self.start("fuzz", "--driver", "fast", "--jobs", 2, "--out", "part")
        deadline = time.monotonic() + 60
        while not (self.folder / "part" / "in_flight").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.2)
        process.kill()
        process.communicate()
        self.assertTrue((self.folder / "part" / "in_flight").exists())
        json = self.run_json("fuzz", "--resume", "part", "--graphs", 20)
        self.assertEqual(json["findings"], [])

    def test_a_second_signal_is_another_one_only_after_a_while(self):
        process = self.start("fuzz", "--driver", "fast", "--out", "part")
        code, out, _ = self.interrupt(process, lambda: (self.folder / "part" / "in_flight").exists()
                                      and os.kill(process.pid, 2) is None)
        self.assertEqual(code, GOOD)
        self.assertIn("stopped; go on with", out)


if __name__ == "__main__":
    main()
