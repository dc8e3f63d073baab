#!/usr/bin/env python3
"""Links of the documentation, lengths of its sentences, words to avoid, and lengths of lines.

Every relative link in a .md file leads to a file of the tree, and where it names a heading, to a heading. No line of a source is
longer than 128 characters; raw strings, and what stands between `clang-format off` and `on`, are free. In no page of the documentation more
than one sentence in twenty has more than thirty words, and no text has a phrase of the list. --report prints the lengths by file.
"""
import pathlib
import re
import sys

LONGEST = 128
MANY_WORDS, LONG_SHARE = 30, 0.05  # of one sentence; of a page
COPIES = (("docs/glossary.md", "resources/glossary.md"), ("docs/notation.md", "resources/notation.md"))  # the window shows the second
PAGES = ("README.md", "docs/*.md", "resources/*.md")
TEXTS = (*PAGES, "CONTRIBUTING.md", "CHANGELOG.md", "resources/lessons/*.toml", "resources/tries/*.toml",
         "resources/studies/*.toml", "resources/models/*")
# For readers whose second language is English: what not to write, and what instead.
PHRASES = {
    "albeit": "although", "ere": "before", "hence": "so", "heretofore": "until now", "in lieu of": "in place of", "lest": "so that not",
    "notwithstanding": "in spite of", "thereby": "so", "therein": "in it", "thereof": "of it", "whence": "so", "wherein": "in which",
    "if need be": "where needed", "by and by": "slowly", "comes to grief": "fails", "has no say": "does not matter", "of its own accord": "by itself",
    "goes its own way": "differs", "makes short work of": "solves", "quarrel about": "contradict", "in two dresses": "written in two ways",
    "what is to go": "what you want to delete", "need not be told again": "already holds", "at the pivot's door": "attributed to the pivot",
    "of now or of": "at the current state or at", "utilize": "use", "leverage": "use", "it goes without saying": "(nothing)", "needless to say": "(nothing)",
    "as is well known": "(a source)", "it should be noted that": "(nothing)", "obviously": "(a reason)",
}
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


def sentences(text):
    """The sentences of a Markdown page outside code, tables, headings and formulas, with code as one word."""
    text = re.sub(r"^```.*?^```|<!--.*?-->", "", text, flags=re.S | re.M)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=[#>])", text):
        if re.match(r"\s*[#>]", block):
            continue
        block = "\n".join(line for line in block.split("\n") if not line.startswith("|"))
        block = re.sub(r"`[^`]*`", "Code", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block)).strip()
        for sentence in re.split(r"(?<=[.?!:;])[\"*)]*\s+(?=[*(\"\[]*[A-Z0-9λκ])", block):
            count = len(re.findall(r"[A-Za-z][\w'-]*", sentence))
            if count:
                yield count, " ".join(sentence.split())


def files(patterns):
    return sorted({path for pattern in patterns for path in ROOT.glob(pattern)})


def long_sentences(report):
    for path in files(PAGES):
        lengths = sorted((count, sentence) for count, sentence in sentences(path.read_text()))
        name = path.relative_to(ROOT).as_posix()
        long = [one for one in lengths if one[0] > MANY_WORDS]
        if report and lengths:
            middle, high = lengths[len(lengths) // 2][0], lengths[int(0.95 * len(lengths))][0]
            print(f"{name}: {len(lengths)} sentences, median {middle} words, 95 % below {high}, {len(long)} above {MANY_WORDS}")
        if len(long) > LONG_SHARE * len(lengths):
            yield f"{name}: {len(long)} of {len(lengths)} sentences have more than {MANY_WORDS} words, such as \"{long[-1][1][:90]}...\""


def phrases():
    pattern = re.compile(r"\b(" + "|".join(re.escape(phrase) for phrase in PHRASES) + r")\b", re.I)
    for path in files(TEXTS):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            for phrase in pattern.findall(line):
                yield f"{path.relative_to(ROOT).as_posix()}:{number}: \"{phrase}\"; better: {PHRASES[phrase.lower()]}"


def main():
    found = [*long_sentences("--report" in sys.argv[1:]), *phrases()]
    found += [f"{page} is not {shown}" for page, shown in COPIES if (ROOT / page).read_text() != (ROOT / shown).read_text()]
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
