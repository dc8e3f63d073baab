#!/usr/bin/env python3
"""Would the quick tests notice a mistake? Changes one operator at a time in a copy of the tree, builds the quick tests of the rooms, and runs them.

usage: mutations.py [COUNT [SEED [ROOM...]]]        20 changes, seed 1, in structure, pencil, consistency and integrate unless told otherwise

Printed are the changes that no test notices, then how many were noticed. A change that does not compile is drawn again.
"""
import os
import random
import re
import shutil
import subprocess
import sys

CHANGES = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*",
    "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=",
}
# Operators with a space on either side are those between two values: no templates, pointers, signs or includes.
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|<|>|\+|-|\*|/)(?= )")
COPY = os.path.join("build", "mutations", "tree")
BUILD = os.path.join("build", "mutations", "build")
TIME_LIMIT = 300  # [s] of one test: a change may make a loop endless, which is noticed, too


def code_only(line):
    """The line with the text of comments and strings blanked, at the same places."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: " " * len(m.group()), line)
    return re.sub(r"//.*", lambda m: " " * len(m.group()), line)


def candidates(room):
    out = []
    folder = os.path.join("core", room)
    for name in sorted(os.listdir(folder)):
        if not name.endswith((".cpp", ".h")):
            continue
        raw = False
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for number, line in enumerate(file):
                if raw or 'R"' in line:
                    raw = not re.search(r'\)\w*"', line)
                    continue
                if line.startswith("#") or "operator" in line or "template" in line:
                    continue
                out += [(os.path.join(folder, name), number, m.start(), m.group()) for m in OPERATOR.finditer(code_only(line))]
    return out


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def copy_tree():
    """What git knows and what is changed, so that the tree itself stays as it is."""
    files = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"]).stdout.split("\n")
    for name in filter(os.path.isfile, files):
        target = os.path.join(COPY, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(name, "rb").read() != open(target, "rb").read():
            shutil.copyfile(name, target)
            shutil.copymode(name, target)


def targets(rooms):
    out = []
    for room in rooms:
        folder = os.path.join("tests", room)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if name.startswith("test_") and name.endswith(".cpp"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    if "label: long" not in file.readline():
                        out.append(room + "_" + name[:-4])
    return out


def build(names):
    return run(["cmake", "--build", BUILD, "--target", *names])


def test(rooms):
    """The first test that fails, or None."""
    pattern = "^(" + "|".join(rooms) + r")\."
    done = run(["ctest", "--test-dir", BUILD, "-L", "quick", "-R", pattern, "-j", str(os.cpu_count()), "--stop-on-failure", "--timeout", str(TIME_LIMIT)])
    if done.returncode == 0:
        return None
    failed = re.search(r"(\S+) (?:\.\.+)?\s*\**(?:Failed|Timeout|Exception|Subprocess aborted)", done.stdout)
    return failed.group(1) if failed else "a test"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rooms = sys.argv[3:] or ["structure", "pencil", "consistency", "integrate"]
    tests = list(dict.fromkeys(rooms + ["conformance"]))
    copy_tree()
    configured = run(["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -D_GLIBCXX_ASSERTIONS", "-DDRIFTLESS_UI=OFF",
                      "-DDRIFTLESS_APP=OFF", "-DDRIFTLESS_TESTS=ON", "-DDRIFTLESS_LONG_TESTS=OFF", "-DDRIFTLESS_BENCHMARKS=OFF"])
    names = targets(tests)
    if configured.returncode or build(names).returncode:
        sys.exit("the tree does not build")
    if failed := test(tests):
        sys.exit(f"{failed} fails without any change")
    pool = [place for room in rooms for place in candidates(room)]
    draw = random.Random(seed)
    draw.shuffle(pool)
    print(f"seed {seed}: {count} of {len(pool)} places in {', '.join(rooms)}", flush=True)
    noticed = tried = 0
    for path, number, column, operator in pool:
        if tried == count:
            break
        target = os.path.join(COPY, path)
        with open(target, encoding="utf-8") as file:
            lines = file.readlines()
        good = list(lines)
        line = lines[number]
        lines[number] = line[:column] + CHANGES[operator] + line[column + len(operator):]
        with open(target, "w", encoding="utf-8") as file:
            file.writelines(lines)
        compiled = build(names).returncode == 0
        failed = test(tests) if compiled else None
        with open(target, "w", encoding="utf-8") as file:
            file.writelines(good)
        if not compiled:
            continue
        tried += 1
        noticed += failed is not None
        verdict = f"noticed by {failed}" if failed else "NOT NOTICED"
        print(f"{path}:{number + 1}: '{operator}' to '{CHANGES[operator]}': {verdict}\n    {line.strip()}", flush=True)
    print(f"{noticed} of {tried} changes noticed")


main()
