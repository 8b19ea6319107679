"""Exit codes and JSON of the commands that look at files: they say the same as the text, and mean what --help says."""

import resource
import struct
import xml.etree.ElementTree

import program
from program import GOOD, OUR_FAULT, VERDICT, ProgramTest, main

DRIVER = ["--driver", "fast"]
COUNTS = {"passed", "failed", "not_run"}


class Run(ProgramTest):
    def setUp(self):
        super().setUp()
        for name, text in [("good", program.PASSING), ("bad", program.FAILING), ("invalid", program.INVALID),
                           ("must_fail", (program.SPECS / "must_fail.mod.py").read_text()),
                           ("does_not_fail", program.MUST_FAIL_AND_DOES_NOT), ("unknown", program.NOT_IMPLEMENTED)]:
            self.write(f"{name}.mod.py", text)

    # What becomes of each file, and so the exit code; on the reference and on a driver.
    VERDICTS = [("good", "passed", GOOD), ("bad", "failed", VERDICT), ("must_fail", "passed", GOOD),
                ("does_not_fail", "failed", VERDICT), ("unknown", "not run", GOOD)]

    def test_exit_codes_and_json(self):
        for more in [[], ["--mode", "fast"], ["--mode", "bounded"], ["--mode", "all"], DRIVER]:
            for name, verdict, code in self.VERDICTS:
                with self.subTest(f"{name} {more}"):
                    text = self.run_program("run", f"{name}.mod.py", *more, expect=code).stdout
                    json = self.run_json("run", f"{name}.mod.py", *more, expect=code)
                    self.assertEqual(set(json), {"examples", "summary"})
                    self.assertEqual(set(json["summary"]), {"all", "operations"})
                    counts = json["summary"]["all"]
                    self.assertEqual(set(counts), COUNTS)
                    self.assertEqual([e["verdict"] for e in json["examples"]], [verdict])
                    self.assertEqual(set(json["examples"][0]),
                                     {"file", "example", "verdict", "reason", "seconds", "outputs"})
                    self.assertEqual(counts[verdict.replace(" ", "_")], 1)
                    self.assertEqual(sum(counts.values()), 1)
                    self.assertIn(f"\n1 examples: {counts['passed']} passed, {counts['failed']} failed, "
                                  f"{counts['not_run']} not run\n", text)
                    self.assertIn({"passed": "\npass ", "failed": "\nFAIL ", "not run": "\nnot run "}[verdict], text)
                    self.assertEqual("NOTHING WAS RUN" in text, verdict == "not run")

    def test_a_failure_is_told_with_element_and_both_values(self):
        for more in [[], DRIVER]:
            text = self.run_program("run", "bad.mod.py", *more, expect=VERDICT).stdout
            self.assertRegex(text, r"FAIL +sum: .*output 0 \(m0_op3\) 1 elements differ; \[1\] is 2\.25, expected 2\.5")
            reason = self.run_json("run", "bad.mod.py", *more, expect=VERDICT)["examples"][0]["reason"]
            self.assertIn(reason, text)

    def test_one_failure_among_many_decides(self):
        files = ["good.mod.py", "bad.mod.py", "must_fail.mod.py"]
        text = self.run_program("run", *files, expect=VERDICT).stdout
        self.assertIn("3 examples: 2 passed, 1 failed, 0 not run", text)
        self.assertLess(text.index("pass "), text.index("FAIL "))

    def test_a_broken_model_names_its_rules_in_one_line(self):
        text = self.run_program("run", "invalid.mod.py", expect=VERDICT).stdout
        self.assertRegex(text, r"\nFAIL +sum: golden: [a-z]\w*\.\w+: .+\n1 examples")
        self.assertIn("not valid at the driver's feature level",
                      self.run_program("run", "invalid.mod.py", *DRIVER).stdout)

    def test_operations_are_told_one_by_one(self):
        text = self.run_program("run", "good.mod.py", "--per-operation").stdout
        self.assertRegex(text, r"\n0\.0 +ADD +TENSOR_FLOAT32 +\[2\] +2\.25 +4 ")
        rows = self.run_json("run", "good.mod.py", "--per-operation")["examples"][0]["per_operation"]
        self.assertEqual([(r["code"], r["type"], r["dims"], r["least"], r["most"], r["error"]) for r in rows],
                         [("ADD", "TENSOR_FLOAT32", [2], 2.25, 4.0, 0.0)])

    def test_operands_are_dumped(self):
        self.run_program("run", "good.mod.py", "--dump", "tensors")
        dumped = {path.name: path.read_bytes() for path in (self.folder / "tensors" / "sum").iterdir()}
        self.assertEqual(set(dumped), {"0_0.npy", "0_1.npy", "0_2.npy", "0_3.npy"})
        self.assertTrue(all(npy.startswith(b"\x93NUMPY") for npy in dumped.values()))
        self.assertEqual(struct.unpack("<2f", dumped["0_3.npy"][-8:]), (4.0, 2.25))

    def test_the_driver_is_named(self):
        self.assertRegex(self.run_program("run", "good.mod.py", *DRIVER).stdout, r"\Aassay .*\ndriver fast .*\n")

    def test_a_loop_ends_at_its_timeout(self):
        text = self.run_program("run", program.SPECS / "while_nested.mod.py", "--loop-timeout", "1e-9",
                                expect=VERDICT).stdout
        self.assertIn("the loop timeout of 0 ms has passed", text)

    def test_names_that_are_no_text(self):
        name = b"caf\xe9.mod.py".decode(errors="surrogateescape")
        self.write(name, program.PASSING)
        self.assertEqual(self.run_json("run", name)["examples"][0]["file"], "caf\N{REPLACEMENT CHARACTER}.mod.py")

    def test_an_unexpected_end_is_a_fault_of_ours(self):
        if program.SANITIZED:
            self.skipTest("sanitizers need more memory than is allowed here")
        # 256 threads find no room for their stacks.
        limit = 600 << 20
        ran = self.run_program("fuzz", "--driver", "fast", "--graphs", 1000, "--jobs", 256, "--no-files",
                               expect=OUR_FAULT,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertIn("assay: this is a fault of ours", ran.stderr)


class Verify(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("specs/a/good.mod.py", program.PASSING)
        self.write("specs/bad.mod.py", program.FAILING)
        self.write("specs/unknown.mod.py", program.NOT_IMPLEMENTED)
        self.write("specs/readme.txt", "no spec")

    def test_exit_codes_and_json(self):
        for more in [[], ["--mode", "all"], ["--jobs", 3], DRIVER]:
            with self.subTest(more):
                text = self.run_program("verify", "specs", *more, expect=VERDICT).stdout
                json = self.run_json("verify", "specs", *more, expect=VERDICT)
                self.assertEqual(set(json), {"summary", "not_passed", "stopped"})
                self.assertFalse(json["stopped"])
                self.assertEqual(json["summary"]["all"], {"passed": 1, "failed": 1, "not_run": 1})
                self.assertEqual(json["summary"]["operations"],
                                 {"ADD": {"passed": 1, "failed": 1, "not_run": 0},
                                  "MAXIMUM": {"passed": 0, "failed": 0, "not_run": 1}})
                self.assertEqual([(e["file"], e["verdict"]) for e in json["not_passed"]],
                                 [("specs/bad.mod.py", "failed"), ("specs/unknown.mod.py", "not run")])
                self.assertRegex(text, r"\nADD +1 +1 +0\nMAXIMUM +0 +0 +1\n")
                self.assertTrue(text.endswith("3 examples: 1 passed, 1 failed, 1 not run\n"))
        self.assertIn("1 passed, 0 failed", self.run_program("verify", "specs/a").stdout)
        self.assertIn("1 passed, 0 failed", self.run_program("verify", "specs/a/good.mod.py").stdout)
        self.assertIn("NOTHING WAS RUN", self.run_program("verify", "specs/unknown.mod.py").stdout)

    def test_the_report_for_other_programs(self):
        self.run_program("verify", "specs", "--junit", "report.xml", expect=VERDICT)
        suites = xml.etree.ElementTree.parse(self.folder / "report.xml").getroot()
        cases = {case.get("classname"): [child.tag for child in case] for case in suites.iter("testcase")}
        self.assertEqual(cases, {"specs/a/good.mod.py": [], "specs/bad.mod.py": ["failure"],
                                 "specs/unknown.mod.py": ["skipped"]})


class Models(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("good.mod.py", program.PASSING)
        self.write("invalid.mod.py", program.INVALID)

    def test_validity(self):
        text = self.run_program("validate", "good.mod.py").stdout
        self.assertEqual(text, "good.mod.py: sum: valid at feature level 8\n")
        text = self.run_program("validate", "good.mod.py", "invalid.mod.py", expect=VERDICT).stdout
        self.assertIn("invalid.mod.py: sum: INVALID at feature level 8\n", text)
        valid, invalid = self.run_json("validate", "good.mod.py", "invalid.mod.py", expect=VERDICT)
        for model in [valid, invalid]:
            self.assertEqual(set(model), {"file", "model", "feature_level", "valid", "violations", "at_execution",
                                          "lowest_level", "raised_by", "runtime_only"})
        self.assertEqual((valid["valid"], valid["violations"], valid["lowest_level"]), (True, [], 1))
        self.assertEqual((invalid["valid"], invalid["lowest_level"]), (False, None))
        for violation in invalid["violations"]:
            self.assertEqual(set(violation), {"rule", "stage", "message"})
            self.assertIn(f"  {violation['rule']}: ", text)

    def test_levels(self):
        spec = program.SPECS / "while_nested.mod.py"
        self.assertIn("valid at feature level 4", self.run_program("validate", spec, "--feature-level", 4).stdout)
        self.assertIn("INVALID at feature level 3",
                      self.run_program("validate", spec, "--feature-level", 3, expect=VERDICT).stdout)
        self.assertRegex(self.run_program("validate", spec, "--lowest").stdout, r"lowest level 4, raised by a model with 4 subgraphs")
        self.assertIn("will fail when executed: add.broadcast",
                      self.run_program("validate", program.SPECS / "must_fail.mod.py").stdout)

    def test_graphs_for_graphviz(self):
        self.assertRegex(self.run_program("dot", "good.mod.py").stdout, r'\Adigraph (?s:.*)ADD(?s:.*)}\n\Z')
        several = program.SPECS / "conv_quantized.mod.py"
        ran = self.run_program("dot", several)
        self.assertEqual(ran.stdout.count("digraph"), 1)
        self.assertIn("2 models, this is the first", ran.stderr)
        self.run_program("dot", several, "--out", "graphs")
        self.assertEqual({path.name for path in (self.folder / "graphs").iterdir()},
                         {"conv_quantized.dot", "dequantize_per_channel.dot"})

    def test_graphs_of_one_name_are_all_written(self):
        self.write("twins.mod.py", program.PASSING + "\n" + program.PASSING.replace("m0", "m1"))
        self.run_program("dot", "twins.mod.py", "--out", "graphs")
        self.assertEqual(len(list((self.folder / "graphs").iterdir())), 2)


class Lists(ProgramTest):
    def test_operations(self):
        text = self.run_program("ops").stdout
        json = self.run_json("ops")
        self.assertIn(f"{len(json)} of the 106 operations of NNAPI", text)
        for operation in json:
            self.assertEqual(set(operation), {"name", "code", "since", "evaluation", "rows", "rules"})
            self.assertRegex(text, rf"(?m)^{operation['code']} +{operation['name']} +{operation['since']} ")
            self.assertEqual({r["stage"] for r in operation["rules"]} - {"model", "request", "execution"}, set())
        self.assertEqual(len({operation["name"] for operation in json}), len(json))

    def test_one_operation(self):
        text = self.run_program("ops", "CONV_2D").stdout
        [json] = self.run_json("ops", "CONV_2D")
        self.assertEqual((json["name"], json["code"], json["since"]), ("CONV_2D", 3, 1))
        self.assertTrue(text.startswith("CONV_2D (code 3, since feature level 1)\n"))
        for rule in json["rules"]:
            self.assertIn(f"\n  {rule['id']} ", text)

    def test_drivers(self):
        text = self.run_program("drivers").stdout
        json = self.run_json("drivers")
        for driver in json:
            self.assertEqual(set(driver), {"name", "sentence"})
            self.assertRegex(text, rf"(?m)^{driver['name']} +\S")
            self.assertIn(driver["sentence"], text)
        kinds = [driver["name"].split(":")[0] for driver in json]
        self.assertEqual(kinds[:2], ["reference", "fast"])
        self.assertGreaterEqual(kinds.count("faulty"), 25)
        self.assertGreaterEqual(kinds.count("jitter"), 5)
        self.assertIn("./mine.so ", text)


class Replay(ProgramTest):
    def test_specs(self):
        self.write("good.mod.py", program.PASSING)
        self.write("unknown.mod.py", program.NOT_IMPLEMENTED)
        text = self.run_program("replay", "good.mod.py", *DRIVER).stdout
        self.assertIn("sum: passed\n  2 elements inside, 0 outside, 0 unknown\n", text)
        # Expected values are not looked at: the bounds decide.
        self.write("bad.mod.py", program.FAILING)
        self.run_program("replay", "bad.mod.py", *DRIVER)
        relu = program.PASSING.replace('["INT32", []], [0]', '["INT32", []], [1]').replace("[1.0, 2.5]", "[-9.0, 2.5]")
        self.write("relu.mod.py", relu)
        text = self.run_program("replay", "relu.mod.py", "--driver", "faulty:relu-dropped", expect=VERDICT).stdout
        self.assertRegex(text, r"sum: failed: ADD \(operation 0\): output 0 has 1 of 2 elements outside; \[0\] is -6, "
                               r"expected 0")
        text = self.run_program("replay", "unknown.mod.py", *DRIVER).stdout
        self.assertIn("sum: not run: operation MAXIMUM is not implemented", text)
        self.assertIn("NOTHING WAS RUN", text)


if __name__ == "__main__":
    main()
