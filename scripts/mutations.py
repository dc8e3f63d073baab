#!/usr/bin/env python3
"""Would the quick tests notice a mistake? Changes single operators, drawn from a seed, in a copy of the tree and runs the quick tests until one fails.

usage: mutations.py [COUNT [SEED [ROOM...]]]        20 changes, seed 1, in structure, pencil, consistency and integrate unless told otherwise

All changes that are drawn are compiled in at once, each behind a switch (mutations.h), so that the tree is built once and not once for each. The
tests run once without a change and say which changes they reach; then each change is tried by those that reach it, the quickest first. What cannot
be switched (the other operator has another type, or nothing but the compiler comes there) is written into its source and compiled by itself. A change
that does not compile is drawn again.

Printed is each change with the test that noticed it, or as not noticed; then how many were noticed. A test that takes longer than SLOW without any
change is left out, so what is said to be unnoticed here may be noticed by scripts/test.
"""
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

# What the seed draws from: a comparison gets its bound shifted or its answer turned round.
CHANGES = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"],
    "&&": ["||"], "||": ["&&"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
}
NAMES = {"<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge", "==": "Eq", "!=": "Ne", "+": "Add", "-": "Sub", "*": "Mul", "/": "Div"}
# Operators with a space on either side are those between two values: no templates, pointers, signs or includes.
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|<|>|\+|-|\*|/)(?= )")
# What nothing can observe: how much room is asked for in advance, and the checks of a programmer's own mistakes.
UNSEEN = re.compile(r"\breserve\(|\bassert\(|^\s*template|\boperator\b|^#")
HERE = os.path.join("build", "mutations")
COPY = os.path.join(HERE, "tree")
BUILD = os.path.join(HERE, "build")
SLOW = 15  # [s] of the processor; tests that take longer are left out
MEMORY = 4 << 30  # [bytes] of a test: a change may make it ask for ever more
# Whose tests go through the rooms of core from above.
ABOVE = ["reduction", "formulation", "conformance", "properties", "run", "problems"]


def code_only(line):
    """The line with the text of comments and strings blanked, at the same places."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: " " * len(m.group()), line)
    return re.sub(r"//.*|/\*.*?\*/", lambda m: " " * len(m.group()), line)


class Place:
    def __init__(self, path, number, column, operator):
        self.path, self.number, self.column, self.operator = path, number, column, operator

    def replaced(self, line, text):
        return line[:self.column] + text + line[self.column + len(self.operator):]

    def switched(self, line):
        old, new, n = self.operator, self.change, self.id
        if old == "&&":
            return self.replaced(line, f"&& mutation::firstOfAnd<{n}>() || mutation::secondOfAnd<{n}>() &&")
        if old == "||":
            return self.replaced(line, f"&& mutation::firstOfOr<{n}>() || mutation::secondOfOr<{n}>() &&")
        names = [NAMES[sign if sign in NAMES else sign[0]] for sign in (old, new)]
        return self.replaced(line, f"{old} mutation::Tag<{n}, mutation::Op::{names[0]}, mutation::Op::{names[1]}>() {old}")


def places(room):
    out = []
    folder = os.path.join("core", room)
    for name in sorted(os.listdir(folder)):
        if not name.endswith((".cpp", ".h")):
            continue
        raw = False
        for number, line in enumerate(lines_of(os.path.join(folder, name))):
            if raw or 'R"' in line:
                raw = not re.search(r'\)\w*"', line)
                continue
            if not UNSEEN.search(line):
                out += [Place(os.path.join(folder, name), number, m.start(), m.group()) for m in OPERATOR.finditer(code_only(line))]
    return out


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.readlines()


def write(path, lines):
    """Leaves a file alone that has these lines already, so that it is not compiled again."""
    if not os.path.exists(path) or lines_of(path) != lines:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def copy_tree(changed):
    """What git knows and what is new, so that the tree itself stays as it is; sources that are changed are written elsewhere."""
    files = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"]).stdout.split("\n")
    files = set(filter(os.path.isfile, files))
    for folder, _, names in os.walk(COPY):
        for name in names:
            if os.path.relpath(os.path.join(folder, name), COPY) not in files:
                os.remove(os.path.join(folder, name))
    for name in files - changed:
        target = os.path.join(COPY, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(name, "rb").read() != open(target, "rb").read():
            shutil.copyfile(name, target)
            shutil.copymode(name, target)


def with_switches(path, drawn):
    """The lines of the source with all of its changes behind switches."""
    lines = lines_of(path)
    mine = [p for p in drawn if p.path == path and p.switch]
    for place in sorted(mine, key=lambda p: (p.number, -p.column)):
        lines[place.number] = place.switched(lines[place.number])
    return ['#include "scripts/mutations.h"\n', "#line 1\n"] + lines if mine else lines


def configure(rooms):
    single = ";".join("driftless_" + room for room in rooms)  # a change that is compiled by itself compiles one source, not twelve
    return run(["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -w -D_GLIBCXX_ASSERTIONS",
                "-DDRIFTLESS_UI=OFF", "-DDRIFTLESS_APP=ON", "-DDRIFTLESS_TESTS=ON", "-DDRIFTLESS_LONG_TESTS=OFF", "-DDRIFTLESS_BENCHMARKS=OFF",
                "-DDRIFTLESS_PCH=ON", "-DDRIFTLESS_SINGLE=" + single])


def build(*targets):
    return run(["cmake", "--build", BUILD, "--target", *targets, "--", "-k", "0"])


def build_switched(rooms, drawn, tests):
    """Builds the tests with all changes behind switches; those that do not compile so lose their switch."""
    copy_tree({p.path for p in drawn})
    while True:
        for path in {p.path for p in drawn}:
            write(os.path.join(COPY, path), with_switches(path, drawn))
        configured = configure(rooms)
        if configured.returncode:
            sys.exit("cannot configure:\n" + configured.stdout[-2000:])
        first = build(*("driftless_" + room for room in rooms))
        if first.returncode == 0:
            break
        said = {(m.group(1), int(m.group(2)) - 1) for m in re.finditer(r"(core/\w+/\w+\.(?:cpp|h)):(\d+):\d+:", first.stdout)}
        wrong = [p for p in drawn if p.switch and (p.path, p.number) in said]
        if not wrong:
            sys.exit("the tree does not build:\n" + first.stdout[-4000:])
        for place in wrong:
            place.switch = False
    built = build(*tests)
    if built.returncode:
        sys.exit("the tests do not build:\n" + built.stdout[-4000:])


def quick_tests(rooms):
    out = []
    for room in rooms:
        folder = os.path.join("tests", room)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if name.startswith("test_") and name.endswith(".cpp") and "label: long" not in lines_of(os.path.join(folder, name))[0]:
                out.append(room + "_" + name[:-4])
    return out


def test(name, limit, change=0, reached=None):
    """What went wrong in the test, or None. limit: of the processor's time [s]; a busy machine is no failure."""
    variables = dict(os.environ, QT_QPA_PLATFORM="offscreen", QTEST_FATAL_FAIL="1", DRIFTLESS_RESOURCES=os.path.abspath(os.path.join(COPY, "resources")),
                     DRIFTLESS_MUTATION=str(change))
    if reached:
        variables["DRIFTLESS_MUTATIONS_REACHED"] = os.path.abspath(reached)

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = run([os.path.abspath(os.path.join(BUILD, "tests", name))], cwd=BUILD, env=variables, timeout=60 + 30 * limit, preexec_fn=bound)
    except subprocess.TimeoutExpired:
        return f"{name} (does not end)"
    if done.returncode == 0:
        return None
    if done.returncode == -signal.SIGXCPU:
        return f"{name} (does not end)"
    failed = re.search(r"FAIL!\s*: \w+::(\w+)\(", done.stdout)
    return f"{name} {failed.group(1) if failed else '(ends early)'}"


def look(tests):
    """Runs every test without a change: the time of the processor that it takes [s], which changes it reaches, and which have no switch."""
    times, reached, unsupported = {}, {}, set()
    for name in tests:
        listed = os.path.join(HERE, "reached.txt")
        if os.path.exists(listed):
            os.remove(listed)
        before = os.times()
        if failed := test(name, 1800, 0, listed):
            sys.exit(f"{failed} fails without any change")
        after = os.times()
        times[name] = after.children_user + after.children_system - before.children_user - before.children_system
        seen = [line.split() for line in lines_of(listed)] if os.path.exists(listed) else []
        reached[name] = {int(number) for kind, number in seen if kind == "r"}
        unsupported |= {int(number) for kind, number in seen if kind == "u"}
        print(f"{name}: {times[name]:.1f} s, reaches {len(reached[name])} changes", file=sys.stderr, flush=True)
    return times, reached, unsupported


NOTICED = {}  # how many changes each test has noticed so far


def first_failure(tests, times, change):
    """The first test that fails, two at a time, or None: the quickest first, and those that have noticed most so far."""
    order = sorted((name for name in tests if times[name] <= SLOW), key=lambda name: times[name] / (1 + NOTICED.get(name, 0)))
    with ThreadPoolExecutor(max_workers=2) as pool:
        for first in range(0, len(order), 2):
            for failed in pool.map(lambda name: test(name, 10 + int(8 * times[name]), change), order[first:first + 2]):
                if failed:
                    name = failed.split()[0]
                    NOTICED[name] = NOTICED.get(name, 0) + 1
                    return failed
    return None


def tried(place, drawn, tests, times, reached):
    """(whether the change compiles, the test that noticed it or None)."""
    if place.switch:
        return True, first_failure([name for name in tests if place.id in reached[name]], times, place.id)
    target = os.path.join(COPY, place.path)
    room = place.path.split(os.sep)[1]
    lines = lines_of(place.path)
    lines[place.number] = place.replaced(lines[place.number], place.change)
    try:
        write(target, lines)
        if build("driftless_" + room).returncode:
            return False, None
        if build(*tests).returncode:
            return True, "the compiler of the tests"
        mine = [name for name in tests if name.startswith(room + "_")]
        return True, first_failure(mine, times, 0) or first_failure([name for name in tests if name not in mine], times, 0)
    finally:
        write(target, with_switches(place.path, drawn))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rooms = sys.argv[3:] or ["structure", "pencil", "consistency", "integrate"]
    for room in rooms:
        if not os.path.isdir(os.path.join("core", room)):
            sys.exit(f"no room {room} in core")
    pool = [place for room in rooms for place in places(room)]
    draw = random.Random(seed)
    draw.shuffle(pool)
    print(f"seed {seed}: {count} of {len(pool)} places in {', '.join(rooms)}", flush=True)
    drawn = pool[:count + count // 3 + 5]  # some do not compile
    for number, place in enumerate(drawn):
        place.id, place.change, place.switch = number + 1, draw.choice(CHANGES[place.operator]), True
    tests = quick_tests(list(dict.fromkeys(rooms + ABOVE)))
    print("building the tests with all changes behind switches", file=sys.stderr, flush=True)
    build_switched(rooms, drawn, tests)
    times, reached, unsupported = look(tests)
    # Where no test comes by, the compiler may: the size of an array, an entry of a constant table.
    seen = set().union(*reached.values())
    for place in drawn:
        place.switch = place.switch and place.id not in unsupported and place.id in seen
    noticed, missed = 0, []
    started = time.monotonic()
    # Those that are compiled by themselves come last: each costs a compilation before and after.
    ready = drawn[:count]
    spare = drawn[count:]
    while ready:
        ready.sort(key=lambda p: not p.switch)
        place = ready.pop(0)
        start = time.monotonic()
        compiled, failed = tried(place, drawn, tests, times, reached)
        if not compiled:
            ready += spare[:1]
            spare = spare[1:]
            continue
        change = f"{place.path}:{place.number + 1}: '{place.operator}' to '{place.change}'"
        noticed += failed is not None
        if failed is None:
            missed.append(change)
        verdict = f"noticed by {failed}" if failed else "NOT NOTICED"
        print(f"{change}: {verdict} [{time.monotonic() - start:.0f} s]\n    {lines_of(place.path)[place.number].strip()}", flush=True)
    print(f"{noticed} of {noticed + len(missed)} changes noticed in {time.monotonic() - started:.0f} s; not noticed:")
    print("\n".join("  " + change for change in missed) or "  none")


if __name__ == "__main__":
    main()
