#!/usr/bin/env python3
"""Links of the documentation and lengths of lines.

Every relative link in a .md file leads to a file of the tree, and where it names a heading, to a heading. No line of a source is
longer than 128 characters; raw strings, and what stands between `clang-format off` and `on`, are free.
"""
import pathlib
import re
import sys

LONGEST = 128
ROOMS = ("app", "core", "docs", "resources", "scripts", "tests", "ui")
ROOT = pathlib.Path(__file__).resolve().parent.parent


def anchor(heading):
    """The fragment that a heading gets where Markdown is shown: lower case, words joined by hyphens."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower())
    return kept.replace(" ", "-")


def broken_links(name):
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m.group().count("\n"), (ROOT / name).read_text(), flags=re.S | re.M)
    for number, line in enumerate(text.split("\n"), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, fragment = target.partition("#")
            there = (ROOT / name).parent / path if path else ROOT / name
            if not there.exists():
                yield f"{name}:{number}: no file {target}"
            elif fragment and there.suffix == ".md":
                headings = re.findall(r"^#+ (.*)$", there.read_text(), re.M)
                if fragment not in [anchor(h) for h in headings]:
                    yield f"{name}:{number}: no heading {target}"


def long_lines(name):
    raw, free = None, False  # the end of an open raw string; between clang-format off and on
    for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
        free = (free or "clang-format off" in line) and "clang-format on" not in line
        within = raw is not None
        rest = line
        while True:
            if raw is None:
                start = re.search(r'R"([^()\\ ]{0,16})\(', rest)
                if not start:
                    break
                within, raw, rest = True, ")" + start.group(1) + '"', rest[start.end():]
            end = rest.find(raw)
            if end < 0:
                break
            raw, rest = None, rest[end + 1:]
        if len(line) > LONGEST and not within and not free:
            yield f"{name}:{number}: {len(line)} characters, at most {LONGEST}"


def main():
    found = []
    for path in sorted([*ROOT.glob("*.md"), *(p for room in ROOMS for p in (ROOT / room).rglob("*"))]):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".md":
            found += broken_links(name)
        elif path.suffix in (".cpp", ".h"):
            found += long_lines(name)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
