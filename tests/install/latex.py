#!/usr/bin/env python3
"""Every shipped model as a LaTeX document that pdflatex sets.

usage: latex.py BUILD      77 where there is no pdflatex: what cannot be looked at is skipped
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

# Models that are refused by themselves, with what the refusal says.
REFUSED = {"modified-pendulum": "singular"}
SECONDS = 120  # of one document: a hang, and no measure of speed


def main():
    if not shutil.which("pdflatex"):
        print("there is no pdflatex")
        return 77
    driftless = os.path.join(sys.argv[1], "bin", "driftless")
    listed = subprocess.run([driftless, "list", "models", "--json"], capture_output=True, text=True, check=True).stdout
    names = [entry["id"] for entry in json.loads(listed)]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            made = subprocess.run([driftless, "export", name, "--out", os.path.join(folder, name + ".tex")], capture_output=True, text=True)
            if made.returncode != 0:
                if REFUSED.get(name, "\0") not in made.stderr:
                    failures.append(f"{name}: {made.stderr.strip()}")
                continue
            set_ = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name + ".tex"], cwd=folder,
                                  capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS)
            if set_.returncode != 0 or not os.path.exists(os.path.join(folder, name + ".pdf")):
                errors = [line for line in set_.stdout.decode("latin-1").splitlines() if line.startswith("!")]
                failures.append(f"{name}: pdflatex says {errors[:1]}")
    print(f"{len(names)} models, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures or len(names) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
