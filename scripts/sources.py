#!/usr/bin/env python3
"""Whether what docs/sources.md points to exists, and whether it lists what it has to list.

Each entry of a last column is one of: lesson with steps, study, model, try, form, method, page, test (with a function), source, "cited". Links
are looked at by scripts/prose.py, too; here steps, ids and functions are counted. Every numbered item of the five sources has a row, and so has
every equation that a comment or a text of the program names.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/sources.md"
# Definitions and so on are numbered; how far, for each source.
NUMBERED = {
    "PP92": {"Lemma": ["3.1", "3.2", "3.3"], "Definition": ["4.1", "4.2"], "Proposition": ["4.3"]},
    "MS91": {"Example": range(1, 6), "Table": range(1, 3)},
    "St02": {"Definition": [1, 3, 4, 15, 17], "Proposition": [2, 5, 7, 9, 11], "Remark": [6, 8, 10, 12, 14],
             "Algorithm": [13, 27], "Lemma": [16, *range(18, 26)], "Theorem": [26], "Table": [1], "Figure": range(1, 6)},
    "DN": {"Definition": range(1, 18), "Theorem": range(1, 10), "Lemma": ["0.1", "2.2", "7.3"], "Example": range(1, 15),
           "Figure": ["3.1", "3.2", "3.3", "4.1", "4.2", "4.3"]},
}
EQUATION = r"\((\d{1,2}(?:\.\d{1,2})?)[a-z]?'*\)"
SHOWN = ("core", "ui", "app", "resources")


def text(path):
    return (ROOT / path).read_text()


def sections():
    """The rows of each source: key to list of (line number, item, places)."""
    found, key = {}, None
    for number, line in enumerate(text(PAGE).split("\n"), 1):
        if line.startswith("## "):
            head = re.match(r"## \[(\w+)\]", line)
            key = head and head.group(1)
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if key and line.startswith("| ") and len(cells) == 3 and cells[0] != "item":
            found.setdefault(key, []).append((number, cells[0], cells[2]))
    return found


def known(room):
    return "\n".join(path.read_text() for path in (ROOT / room).rglob("*") if path.suffix in (".h", ".cpp"))


def steps_of(words):
    for part in re.split(r",\s*", words):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def wrong_lesson(match):
    path = f"resources/lessons/{match.group(1)}.toml"
    if not (ROOT / path).exists():
        return f"no lesson {match.group(1)}"
    count = len(re.findall(r"^\[\[step\]\]", text(path), re.M))
    beyond = [step for step in steps_of(match.group(2)) if not 1 <= step <= count]
    return f"{match.group(1)} has {count} steps, not {beyond[0]}" if beyond else None


def wrong_file(match):
    return None if (ROOT / "docs" / match.group(2).partition("#")[0]).exists() else f"no file {match.group(2)}"


def wrong_test(match):
    problem = wrong_file(match)
    if problem or not match.group(3):
        return problem
    return None if match.group(3) + "(" in (ROOT / "docs" / match.group(2)).read_text() else f"no function {match.group(3)}"


def wrong_id(room):
    names = known(room)
    return lambda match: None if f'"{match.group(1)}"' in names else f"no {match.group(1)} in {room}"


def places():
    return [
        (re.compile(r"lesson \[([\w-]+)\]\([^)]+\) steps? ([\d, -]+)"), wrong_lesson),
        (re.compile(r"(study|model|try|page|source) \[[^\]]+\]\(([^)]+)\)"), wrong_file),
        (re.compile(r"(test) \[[^\]]+\]\(([^)]+)\)(?: `(\w+)`)?"), wrong_test),
        (re.compile(r"form `([\w.-]+)`"), wrong_id("core/formulation")),
        (re.compile(r"method `([\w-]+)`"), wrong_id("core/integrate")),
        (re.compile(r"cited"), lambda match: None),
    ]


def check_places(rows, kinds):
    for number, _, where in rows:
        for place in where.split("; "):
            match = next(((pattern.fullmatch(place), judge) for pattern, judge in kinds if pattern.fullmatch(place)), None)
            problem = match[1](match[0]) if match else f'"{place}" is no place'
            if problem:
                yield f"{PAGE}:{number}: {problem}"


def numbers_of(items):
    """The equations that the items list: (2.4), (2.2), (2.3), and all of (2.15)-(2.22)."""
    listed = set()
    for item in items:
        for first, last in re.findall(EQUATION + r"(?:-" + EQUATION + ")?", item):
            listed.add(first)
            chapter, _, begin = first.rpartition(".")
            if last:
                end = last.rpartition(".")[2]
                listed.update(f"{chapter}.{n}" if chapter else str(n) for n in range(int(begin), int(end) + 1))
    return listed


def used(key):
    """The equations that the program names behind the key of a source."""
    pattern = re.compile(r"\[" + key + r"\](?: (?:sections? )?[\d., ]*)?((?:(?:,? ?(?:and |to )?|-)" + r"\(\d{1,2}(?:\.\d{1,2})?[a-z]?'*\))+)")
    found = {}
    for room in SHOWN:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in (".h", ".cpp", ".toml", ".mo"):
                for match in pattern.finditer(path.read_text()):
                    for number in re.findall(EQUATION, match.group(1)):
                        found.setdefault(number, path.relative_to(ROOT).as_posix())
    return found


def missing(key, rows):
    items = [item for _, item, _ in rows]
    for kind, numbers in NUMBERED.get(key, {}).items():
        for number in numbers:
            if not any(re.search(rf"\b{kind} {re.escape(str(number))}(?![\d.])", item) for item in items):
                yield f"{PAGE}: [{key}] {kind} {number} is missing"
    listed = numbers_of(items)
    for number, path in sorted(used(key).items()):
        if number not in listed:
            yield f"{PAGE}: [{key}] ({number}) is missing; {path} names it"


def main():
    kinds, found = places(), []
    rows = sections()
    for key in ("PP92", "MS91", "St02", "Fa", "DN"):
        if key not in rows:
            found.append(f"{PAGE}: no table of [{key}]")
            continue
        found += check_places(rows[key], kinds)
        found += missing(key, rows[key])
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
