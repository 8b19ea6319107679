"""A driver that ends its process does not end the campaign, and only the guilty graph becomes a finding."""

import re
import shutil
import signal
import time

import program
from program import DRIVERS, GOOD, STOPPED, VERDICT, WRONG_USE, ProgramTest, main

DRIVER = DRIVERS / "misbehaving_driver.so"
CAMPAIGN = ["fuzz", "--driver", DRIVER, "--ops", "ADD,RELU", "--max-operations", 6, "--max-dim", 6, "--no-control-flow",
            "--graphs", 40, "--out", "found"]

TWO_OPERATIONS = """\
m0_op0 = Input("op0", ["TENSOR_FLOAT32", [2]])
m0_op1 = Internal("op1", ["TENSOR_FLOAT32", [2]])
m0_op2 = Output("op2", ["TENSOR_FLOAT32", [2]])
m0 = Model("two")
m0.IdentifyInputs(m0_op0)
m0.IdentifyOutputs(m0_op2)
m0.Operation("RELU", m0_op0).To(m0_op1)
m0.Operation("RELU", m0_op1).To(m0_op2)
m0.IntroducedIn("V1_0")
Example({m0_op0: [1.0, -2.5], m0_op2: [1.0, 0.0]}, model=m0, name="two").DisableLifeTimeVariation()
"""


class Deaths(ProgramTest):
    def campaign(self, rule, *words, expect=VERDICT):
        return self.run_program(*CAMPAIGN, *words, expect=expect,
                                environment={"ASSAY_MISBEHAVE": rule, "ASSAY_MISBEHAVE_MARK": "mark"})

    def operations_of(self, finding):
        return len(re.findall(r"\.Operation\(", (self.folder / "found" / finding / "finding.mod.py").read_text()))

    def test_the_campaign_goes_on_and_the_guilty_are_found(self):
        all_findings = []
        for jobs, rule, cause in [(1, "dies at 2", "Aborted"), (3, "dies at 2", "Aborted"),
                                  (2, "exits at 2", "exit code 0")]:
            with self.subTest(f"{rule}, {jobs} jobs"):
                ran = self.campaign(rule, "--jobs", jobs)
                self.assertIn(f"assay: the driver's process died: {cause}\n", ran.stderr)
                self.assertRegex(ran.stdout, r"\n40 graphs, .* 0 passed, (\d+) failed")
                findings = self.findings_in("found")
                self.assertGreater(len(findings), 2)
                for finding in findings:
                    self.assertTrue(finding.startswith("death_"), finding)
                    self.assertEqual(self.operations_of(finding), 2)
                report = (self.folder / "found" / findings[0] / "report.txt").read_text()
                self.assertIn(f"the process died ({cause}) while this graph alone was on the driver", report)
                # One header, whatever the number of processes.
                self.assertEqual(ran.stdout.count("\nseed 1\n"), 1)
                self.assertEqual(findings, all_findings or findings)
                all_findings = findings
                shutil.rmtree(self.folder / "found")

    def test_json_tells_the_findings_of_all_processes(self):
        json = self.run_json(*CAMPAIGN, expect=VERDICT, environment={"ASSAY_MISBEHAVE": "dies at 2"})
        folders = [f["folder"] for f in json["earlier_findings"] + json["findings"]]
        self.assertEqual(sorted(folders), [f"found/{finding}" for finding in self.findings_in("found")])
        self.assertEqual(json["statistics"]["failed"], len(folders))

    def test_without_files_too(self):
        json = self.run_json(*CAMPAIGN[:-2], "--no-files", expect=VERDICT, environment={"ASSAY_MISBEHAVE": "dies at 2"})
        self.assertGreater(json["statistics"]["failed"], 2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_enough_findings_are_enough_over_all_processes(self):
        json = self.run_json(*CAMPAIGN, "--stop-after", 2, expect=VERDICT, environment={"ASSAY_MISBEHAVE": "dies at 2"})
        self.assertEqual(len(json["earlier_findings"] + json["findings"]), 2)

    def test_a_death_that_nothing_repeats_is_one_flaky_finding(self):
        ran = self.campaign("dies once", "--jobs", 2)
        self.assertEqual(ran.stderr.count("the driver's process died"), 1)
        deaths = [finding for finding in self.findings_in("found") if finding.startswith("death")]
        self.assertEqual(len(deaths), 1)
        report = (self.folder / "found" / deaths[0] / "report.txt").read_text()
        self.assertRegex(report, r"the process died \(Aborted\) while graphs? [\d, ]+ (was|were) on the driver, but ")
        self.assertIn("reproduced 0 of 1 times: FLAKY", report)

    def test_what_dies_while_it_is_shrunk_is_kept_as_it_was_found(self):
        ran = self.campaign("dies when shrunk", "--stop-after", 2)
        unshrunk = [f for f in self.findings_in("found") if not f.startswith("death")]
        self.assertTrue(unshrunk, ran.stdout)
        for finding in unshrunk:
            report = (self.folder / "found" / finding / "report.txt").read_text()
            self.assertIn("not shrunk, the process died (Aborted) while it was shrunk", report)
            self.assertGreaterEqual(self.operations_of(finding), 3)

    def test_a_driver_that_cannot_even_be_opened(self):
        ran = self.campaign("dies when opened", expect=WRONG_USE)
        self.assertEqual(ran.stdout, "")
        self.assertIn("the driver's process died while no graph was on it: Aborted", ran.stderr)

    def test_a_graph_that_hangs_is_left_out_after_two_hard_ends(self):
        words = CAMPAIGN
        for i in range(2):
            process = self.start(*words, environment={"ASSAY_MISBEHAVE": "hangs at 2"})
            graph = self.folder / "found" / "in_flight"
            code, _, err = self.interrupt(process, lambda: graph.exists() and self.asked_twice(process))
            self.assertEqual(code, STOPPED, err)
            self.assertIn("assay: ended at once; go on with: assay fuzz --resume found\n", err)
            words = ["fuzz", "--resume", "found", "--graphs", 3]
        ran = self.run_program(*words, expect=VERDICT, environment={"ASSAY_MISBEHAVE": "hangs at 2"})
        [finding] = self.findings_in("found")
        self.assertEqual(self.operations_of(finding), 2)
        self.assertIn("the process died while this graph alone was on the driver", ran.stdout)

    def asked_twice(self, process):
        """One signal asks, and has no effect on a driver that does not come back; a second later the next one has."""
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(1.2)
        return True

    def test_a_driver_that_ends_a_single_command_is_no_good_driver(self):
        self.write("two.mod.py", TWO_OPERATIONS)
        for rule, cause in [("exits at 2", "exit code 0"), ("dies at 2", "Aborted")]:
            for command in [["run", "two.mod.py"], ["verify", "."], ["replay", "two.mod.py"]]:
                with self.subTest(f"{rule}, {command[0]}"):
                    ran = self.run_program(*command, "--driver", DRIVER, expect=VERDICT,
                                           environment={"ASSAY_MISBEHAVE": rule})
                    self.assertEqual(ran.stderr, f"assay: the driver's process died: {cause}\n")

    def test_ctrl_c_reaches_the_driver_s_process(self):
        process = self.start("fuzz", "--driver", DRIVERS / "example_driver.so", "--out", "found")
        code, out, err = self.interrupt(process, lambda: (self.folder / "found" / "in_flight").exists())
        self.assertEqual(code, GOOD, err)
        self.assertIn("stopped; go on with: assay fuzz --resume found\n", out)
        self.assertEqual(err, "")


if __name__ == "__main__":
    main()
