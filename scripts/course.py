#!/usr/bin/env python3
"""The map of the lessons in docs/course.md and the list of models in docs/gallery.md, from the files of lessons and tries.

Without an option: whether both are right, whether the fourteen weeks and the afternoon name every lesson that they should,
each behind those that it needs, whether what the lecture shows exists, and whether the minutes add up: 90 for the lecture, 180 for each week, and the term's hours.
--write writes the map (a table and a drawing) and the list.
"""
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDE, LECTURE, GALLERY = ROOT / "docs/course.md", ROOT / "docs/lecture.md", ROOT / "docs/gallery.md"
BEGIN, END = "<!-- written by scripts/course.py --write -->\n", "<!-- end -->"
MINUTES_A_STEP = 4
LECTURE_MINUTES, CLASS_MINUTES = 90, 90  # of a week: two lectures of 45 minutes, one exercise class


def lessons():
    read = [tomllib.loads(path.read_text()) for path in sorted((ROOT / "resources/lessons").glob("*.toml"))]
    return sorted(read, key=lambda lesson: lesson["order"])


def minutes_of(lesson):
    return 5 * round(MINUTES_A_STEP * len(lesson["step"]) / 5)


def table(all_of_them):
    lines = ["| lesson | title | after | level | minutes |", "|---|---|---|---|---|"]
    for lesson in all_of_them:
        after = ", ".join(f"`{name}`" for name in lesson.get("after", [])) or "-"
        lines.append(f"| `{lesson['id']}` | {lesson['title']} | {after} | {lesson['level']} | {minutes_of(lesson)} |")
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


def tries():
    """Each model's text for people: what it shows, what to do, what is seen."""
    for path in sorted((ROOT / "resources/tries").glob("*.toml")):
        read = tomllib.loads(path.read_text())
        step = read["step"][0]
        yield path.stem, read["title"], step["title"], read["summary"], step["task"], step["question"]["explanation"]


def gallery():
    rows = "".join(f"### {title}\n\n`{name}`. {shows}\n\n**{headline}.** {task} *{seen.replace('*', '')}*\n\n"
                   for name, title, headline, shows, task, seen in tries())
    return rows.replace("?.**", "?**")


def rows_of(text):
    """Cells of the rows of the first table of a text, without its head."""
    lines = re.search(r"(?:^\|.*\n)+", text, re.M)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def wrong_minutes(all_of_them, guide, lecture):
    """What does not add up."""
    minutes = {lesson["id"]: minutes_of(lesson) for lesson in all_of_them}
    sums = [0, 0, 0]
    *weeks, last = rows_of(section(guide, "Fourteen weeks"))
    for week, _, named, *numbers, _ in weeks:
        talk, lessons_alone, rest = map(int, numbers)
        sums = [one + more for one, more in zip(sums, (talk, lessons_alone, rest))]
        if lessons_alone != sum(minutes[name] for name in re.findall(r"`([\w-]+)`", named)):
            yield f"docs/course.md: the lessons of week {week} do not take {lessons_alone} minutes"
        if talk != LECTURE_MINUTES or lessons_alone + rest != CLASS_MINUTES or rest < 0:
            yield f"docs/course.md: week {week} does not have {LECTURE_MINUTES} and {CLASS_MINUTES} minutes"
    if [int(cell) for cell in last[3:6]] != sums:
        yield f"docs/course.md: the minutes of the weeks add up to {sums}"
    hours = sum(sums) / 60
    if f"{hours:g} hours" not in section(guide, "Fourteen weeks"):
        yield f"docs/course.md: the term has {hours:g} hours"
    at = 0
    *parts, last = rows_of(section(lecture, "Minute by minute"))
    lengths = dict(re.findall(r"^### (\d+): .*\((\d+) minutes\)$", lecture, re.M))
    for start, what, _, talk, work in parts:
        if int(start) != at or lengths.get(start) != str(int(talk) + int(work)):
            yield f"docs/lecture.md: \"{what}\" begins at {at}, and its talk and work are the minutes of its heading"
        at += int(talk) + int(work)
    if at != LECTURE_MINUTES or [int(cell) for cell in last[3:]] != [sum(int(part[place]) for part in parts) for place in (3, 4)]:
        yield f"docs/lecture.md: the parts take {at} minutes, and the last row has their sums"


def section(text, heading):
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.S | re.M).group(1)


def wrong(all_of_them, guide, lecture):
    ids = {lesson["id"]: len(lesson["step"]) for lesson in all_of_them}
    if guide.partition(BEGIN)[2].partition(END)[0] != written(all_of_them):
        yield "docs/course.md: the map of lessons is not that of the files (scripts/course.py --write)"
    if GALLERY.read_text().partition(BEGIN)[2].partition(END)[0] != gallery():
        yield "docs/gallery.md: the list is not that of the files (scripts/course.py --write)"
    yield from wrong_minutes(all_of_them, guide, lecture)
    taught = re.findall(r"`([\w-]+)`", section(guide, "Fourteen weeks"))
    yield from (f"docs/course.md: the fourteen weeks leave out {name}" for name in ids if name not in taught)
    for lesson in all_of_them:
        early = [name for name in lesson.get("after", []) if name in taught[taught.index(lesson["id"]):]]
        yield from (f"docs/course.md: the fourteen weeks teach {lesson['id']} before {name}, which it needs" for name in early)
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
        before, _, rest = GALLERY.read_text().partition(BEGIN)
        GALLERY.write_text(before + BEGIN + gallery() + END + rest.partition(END)[2])
    found = list(wrong(all_of_them, GUIDE.read_text(), LECTURE.read_text()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
