"""assay draw: what it writes is readable, valid, and right on every sound device."""

import re

from program import GOOD, SANITIZED, ProgramTest, main

GRAPHS = 10 if SANITIZED else 40


class Draw(ProgramTest):
    def test_drawn_models_pass_everywhere(self):
        text = self.run_program("draw", "--graphs", GRAPHS, "--seed", 3, "--out", "models").stdout
        self.assertEqual(text, f"{GRAPHS} graphs drawn from seed 3 into models\n")
        files = sorted((self.folder / "models").iterdir())
        self.assertEqual([f.name for f in files], [f"graph_{i:06}.mod.py" for i in range(GRAPHS)])
        # The reference in all its modes and the bounds; a driver; the judge of campaigns.
        for words in [["--mode", "all"], ["--driver", "fast"], ["--driver", "jitter:nearest"]]:
            with self.subTest(words):
                counts = self.run_json("verify", "models", *words)["summary"]["all"]
                self.assertEqual(counts, {"passed": GRAPHS, "failed": 0, "not_run": 0})
        for model in self.run_json("validate", *files):
            self.assertTrue(model["valid"], model)
            self.assertEqual(model["at_execution"], [])
        for file in files[:5]:
            with self.subTest(file.name):
                self.assertRegex(self.run_program("replay", file, "--driver", "fast").stdout,
                                 r"(passed|all unknown).*\n")

    def test_models_obey_the_options(self):
        self.run_program("draw", "--graphs", 20, "--ops", "ADD,RESHAPE", "--types", "TENSOR_FLOAT16", "--max-dim", 3,
                         "--max-operations", 2, "--feature-level", 3, "--ranks", "2-3", "--no-control-flow",
                         "--static-shapes", "--relaxed", "never", "--out", "few")
        for path in (self.folder / "few").iterdir():
            text = path.read_text()
            operations = re.findall(r'\.Operation\("(\w+)"', text)
            self.assertLessEqual(len(operations), 2)
            self.assertLessEqual(set(operations), {"ADD", "RESHAPE"})
            types = set(re.findall(r'\["(TENSOR_\w+)"', text))
            self.assertLessEqual(types, {"TENSOR_FLOAT16", "TENSOR_INT32"})
            self.assertNotIn("RelaxedExecution", text)
        for model in self.run_json("validate", *sorted((self.folder / "few").iterdir()), "--feature-level", 3):
            self.assertTrue(model["valid"], model)

    def test_a_seed_means_the_same_models(self):
        for name, seed, graphs in [("a", 8, 6), ("b", 8, 3), ("c", 9, 3)]:
            self.run_program("draw", "--graphs", graphs, "--seed", seed, "--out", name)
        a, b, c = ({path.name: path.read_text() for path in (self.folder / name).iterdir()} for name in "abc")
        self.assertEqual({name: a[name] for name in b}, b)
        for name, text in c.items():
            self.assertNotEqual(text, b[name])
            self.assertIn("# seed 9\n", text)

    def test_statistics(self):
        text = self.run_program("draw", "--graphs", 50, "--statistics").stdout
        self.assertTrue(text.startswith("50 models: "), text)
        self.assertTrue(text.endswith("50 graphs drawn from seed 1\n"), text)
        json = self.run_json("draw", "--graphs", 50, "--statistics", "--max-dim", 7)
        self.assertEqual(set(json), {"version", "isa", "graphs", "seed", "options", "dependent_share", "calls_dropped",
                                     "operations"})
        self.assertEqual((json["graphs"], json["seed"], json["options"]), (50, 1, "--max-dim 7"))
        self.assertGreaterEqual(sum(json["operations"].values()), 50)

    def test_the_greatest_numbers(self):
        self.run_program("draw", "--graphs", 1, "--seed", 2**64 - 1, "--max-operations", 1000, "--max-dim", 65536,
                         "--statistics", expect=GOOD)


if __name__ == "__main__":
    main()
