#!/usr/bin/env python3
"""The map of the lessons in docs/course.md, from the files of the lessons.

Without an option: whether the table is right, whether the fourteen weeks and the afternoon name every lesson that they should, and
whether what the lecture shows exists. --write writes the map: a table and a drawing.
"""
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDE, LECTURE = ROOT / "docs/course.md", ROOT / "docs/lecture.md"
BEGIN, END = "<!-- written by scripts/course.py --write -->\n", "<!-- end -->"
MINUTES_A_STEP = 4


def lessons():
    read = [tomllib.loads(path.read_text()) for path in sorted((ROOT / "resources/lessons").glob("*.toml"))]
    return sorted(read, key=lambda lesson: lesson["order"])


def table(all_of_them):
    lines = ["| lesson | title | after | level | minutes |", "|---|---|---|---|---|"]
    for lesson in all_of_them:
        after = ", ".join(f"`{name}`" for name in lesson.get("after", [])) or "-"
        minutes = 5 * round(MINUTES_A_STEP * len(lesson["step"]) / 5)
        lines.append(f"| `{lesson['id']}` | {lesson['title']} | {after} | {lesson['level']} | {minutes} |")
    return "\n".join(lines) + "\n"


def graph(all_of_them):
    """The same as a drawing: an arrow leads from what is needed to what needs it; the afternoon has a thick border."""
    lines = ["```mermaid", "flowchart LR"]
    for lesson in all_of_them:
        lines.append(f"  {lesson['id']}" + (":::afternoon" if "afternoon" in lesson else ""))
        lines += [f"  {name} --> {lesson['id']}" for name in lesson.get("after", [])]
    return "\n".join([*lines, "  classDef afternoon stroke-width:3px", "```"]) + "\n"


def written(all_of_them):
    return table(all_of_them) + "\n" + graph(all_of_them)


def section(text, heading):
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.S | re.M).group(1)


def wrong(all_of_them, guide, lecture):
    ids = {lesson["id"]: len(lesson["step"]) for lesson in all_of_them}
    if guide.partition(BEGIN)[2].partition(END)[0] != written(all_of_them):
        yield "docs/course.md: the map of lessons is not that of the files (scripts/course.py --write)"
    taught = re.findall(r"`([\w-]+)`", section(guide, "Fourteen weeks"))
    yield from (f"docs/course.md: the fourteen weeks leave out {name}" for name in ids if name not in taught)
    afternoon = re.findall(r"^\d\. `([\w-]+)`", section(guide, "One afternoon"), re.M)
    marked = [lesson["id"] for lesson in sorted(all_of_them, key=lambda one: one.get("afternoon", 0)) if "afternoon" in lesson]
    if afternoon != marked:
        yield f"docs/course.md: the afternoon is {', '.join(marked)} in the files"
    for page, text in (("course", guide), ("lecture", lecture)):
        for name, steps in re.findall(r"`([a-z0-9-]+)` (\d(?:(?:, |-)\d)*)", text):
            if name in ids and max(map(int, re.findall(r"\d", steps))) > ids[name]:
                yield f"docs/{page}.md: {name} has {ids[name]} steps, not {steps}"


def main():
    all_of_them = lessons()
    if "--write" in sys.argv[1:]:
        before, _, rest = GUIDE.read_text().partition(BEGIN)
        GUIDE.write_text(before + BEGIN + written(all_of_them) + END + rest.partition(END)[2])
    found = list(wrong(all_of_them, GUIDE.read_text(), LECTURE.read_text()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
