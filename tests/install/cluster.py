#!/usr/bin/env python3
"""A study that scripts/cluster/parallel computes in parts has the bytes of the one that is computed at once; what was interrupted goes on; mistakes are refused.

usage: cluster.py BUILD SOURCE      77 where there is no GNU parallel
"""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile

STUDY = """format = 1
title = "Lengths"
source = "a test"
summary = "A pendulum of several lengths."
record = 20
[default]
model = "pendulum"
formulation = "index-1"
integrator = "rk4"
step = 0.05
end = 2
[[run]]
name = "swing"
vary = { "set.L" = [0.5, 0.75, 1, 1.25, 1.5, 2], step = [0.05, 0.1] }
[[table]]
name = "energy"
title = "Energy error"
column = [ { title = "energy error [J]", measure = "energy_error", digits = 17 } ]
"""


def main():
    if not shutil.which("parallel"):
        print("there is no GNU parallel")
        return 77
    build, source = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    driftless = os.path.join(build, "bin", "driftless")
    environment = dict(os.environ, DRIFTLESS=driftless, DRIFTLESS_RESOURCES=os.path.join(source, "resources"))

    def script(name, *arguments):
        return subprocess.run([os.path.join(source, "scripts", "cluster", name), *arguments], env=environment, capture_output=True, text=True)

    with tempfile.TemporaryDirectory() as folder:
        study, at_once, parts = (os.path.join(folder, name) for name in ("sweep.toml", "at once", "in parts"))
        with open(study, "w") as file:
            file.write(STUDY)
        subprocess.run([driftless, "study", study, "--out", at_once, "--no-figures"], env=environment, capture_output=True, check=True)
        # One part is there already, as after an interruption, and one of its runs is missing.
        subprocess.run([driftless, "study", study, "--shard", "2/3", "--out", os.path.join(parts, "parts", "2")], env=environment,
                       capture_output=True, check=True)
        runs = os.path.join(parts, "parts", "2", "runs")
        os.remove(os.path.join(runs, sorted(name for name in os.listdir(runs) if name.endswith(".json"))[0]))
        made = script("parallel", study, parts, "3", "2")
        assert made.returncode == 0, made.stderr
        for name in ("tables/energy.csv", "tables/energy.md"):
            one, other = os.path.join(at_once, name), os.path.join(parts, name)
            assert filecmp.cmp(one, other, shallow=False), name
        told = script("progress", parts, "12", "1")
        assert told.returncode == 0 and told.stdout.startswith("12 of 12 runs, 100.0 %"), told.stdout
        for bad in ([study], [study, parts, "0"], [study, parts, "two"], [study, parts, "2", "-1"]):
            refused = script("parallel", *bad)
            assert refused.returncode == 2 and refused.stderr.startswith("error: "), (bad, refused.stderr)
    print("in parts as at once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
