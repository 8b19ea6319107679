#!/usr/bin/env python3
"""Runs a campaign against every planted fault until it is found, and prints how long that took.

usage: faults.py PROGRAM SECONDS [PART OF A NAME]
Exit code 1 if a fault is missed within SECONDS, or anything unexpected happens.
"""
import json
import statistics
import subprocess
import sys
import time


def campaign(program, driver, seconds):
    """Seconds until the first finding was shrunk, and the program's JSON summary; None if it failed."""
    began = time.monotonic()
    run = subprocess.run(
        [program, "fuzz", "--driver", driver, "--seconds", seconds, "--stop-after", "1", "--no-files", "--json"],
        capture_output=True, text=True, check=False)
    took = time.monotonic() - began
    if run.returncode not in (0, 1):
        print(f"{driver}: exit code {run.returncode}: {run.stderr.strip()}")
        return took, None
    return took, json.loads(run.stdout)


def main():
    program, seconds = sys.argv[1], sys.argv[2]
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    listing = json.loads(subprocess.run([program, "drivers", "--json"], capture_output=True, text=True, check=True).stdout)
    drivers = [d["name"] for d in listing if d["name"].startswith("faulty:") and part in d["name"]]
    if not drivers:
        sys.exit(f"no planted fault has '{part}' in its name")
    print(f"{'fault':44} {'seconds':>8} {'graphs':>8} {'trials':>7} {'operations':>11}  finding")
    times, sizes, missed = [], [], []
    for driver in drivers:
        took, summary = campaign(program, driver, seconds)
        if summary is None or not summary["findings"]:
            missed.append(driver)
            print(f"{driver:44} {took:8.1f}  MISSED", flush=True)
            continue
        finding = summary["findings"][0]
        times.append(took)
        sizes.append(finding["operations"])
        print(f"{driver:44} {took:8.1f} {summary['statistics']['graphs']:8} {finding['trials']:7} "
              f"{finding['operations_found']:4} -> {finding['operations']:3}  {finding['group']}", flush=True)
    if times:
        small = sum(size <= 2 for size in sizes) / len(sizes)
        print(f"{len(times)} of {len(drivers)} found; median {statistics.median(times):.1f} s, longest {max(times):.1f} s; "
              f"{100 * small:.0f} % shrunk to at most 2 operations")
    for driver in missed:
        print(f"missed: {driver}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
