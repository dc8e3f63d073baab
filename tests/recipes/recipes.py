#!/usr/bin/env python3
"""Tries the recipes of CONTRIBUTING.md: each sample is put into a copy of the sources, built there and tested.

    tests/recipes/recipes.py BUILD [NAME...]

A sample is a folder here with a recipe.toml:
    heading    that of the recipe in CONTRIBUTING.md
    targets    what is built
    run        commands, each a list: program of the tests' folder and its arguments
    writes     commands as in run, called with DRIFTLESS_WRITE=1 before: they write files of the tree
    written    files that these commands add lines to
    rewritten  files in which they change lines
    [[add]]    file, from: a new file and where its text lies in the sample's folder
    [[edit]]   file, after | before, insert: text beside another one that stands there once
    [[replace]]    file, pattern, with: a regular expression, at least one place
    [[duplicate]]  file, block, containing, replace: paragraphs that begin with `block` and contain a text, once more behind themselves with
                   the pairs (pattern, with) of `replace` applied
Two things hold besides that everything builds and passes: the sample touches exactly the files that the recipe's list names (items
"- `path`: ..."), and every C++ block that is printed in the recipe stands in the sample. The copy is BUILD/scratch/recipes; it is
built as the release preset is, so that a compiler cache knows what a sample does not touch, and one sample after the other, so
that each builds its own targets alone. DRIFTLESS_RECIPES_CMAKE holds further options for CMake.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def fail(message):
    print("FAIL: " + message)
    sys.exit(1)


def source_files():
    rooms = ("app", "cmake", "core", "docs", "packaging", "resources", "scripts", "tests", "ui")
    paths = [*ROOT.glob("*"), *(path for room in rooms for path in (ROOT / room).rglob("*") if "__pycache__" not in path.parts)]
    return [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]


def write(path, content):
    """Only where something changes, so that nothing is built for nothing."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def mirror(tree, overlay):
    """The sources with the changed files over them; what else lies in the copy goes."""
    names = set(source_files()) | set(overlay)
    for name in names:
        write(tree / name, overlay[name] if name in overlay else (ROOT / name).read_bytes())
    for path in tree.rglob("*"):
        name = path.relative_to(tree).as_posix()
        if not name.startswith("build/") and path.is_file() and name not in names:
            path.unlink()


def inserted(text, step):
    anchor = step.get("after") or step["before"]
    if text.count(anchor) != 1:
        fail(f"{step['file']}: {anchor!r} stands there {text.count(anchor)} times")
    both = (anchor, step["insert"]) if "after" in step else (step["insert"], anchor)
    return text.replace(anchor, "".join(both))


def duplicated(text, step):
    out, count = [], 0
    for paragraph in re.split(r"\n\n+", text):
        out.append(paragraph)
        if paragraph.startswith(step["block"]) and step["containing"] in paragraph:
            for pattern, by in step["replace"]:
                paragraph = re.sub(pattern, by, paragraph)
            out.append(paragraph)
            count += 1
    if not count:
        fail(f"{step['file']}: no paragraph {step['block']} with {step['containing']}")
    return "\n\n".join(out)


def applied(name, recipe, overlay):
    """What the sample makes of the files, over those that were changed before; the names of what it touches."""
    touched = {}
    for step in recipe.get("add", []):
        if (ROOT / step["file"]).exists():
            fail(f"{name}: {step['file']} is there already")
        touched[step["file"]] = (HERE / name / step["from"]).read_text()
    for kind, change in (("edit", inserted), ("duplicate", duplicated), ("replace", None)):
        for step in recipe.get(kind, []):
            file = step["file"]
            text = touched.get(file) or (overlay[file].decode() if file in overlay else (ROOT / file).read_text())
            if change:
                touched[file] = change(text, step)
            else:
                touched[file], count = re.subn(step["pattern"], step["with"], text)
                if not count:
                    fail(f"{name}: {file} has no place for {step['pattern']!r}")
    overlay.update({file: text.encode() for file, text in touched.items()})
    return set(touched)


def section(heading):
    found = re.search(rf"^### {re.escape(heading)}\n(.*?)(?=^###? |\Z)", (ROOT / "CONTRIBUTING.md").read_text(), re.S | re.M)
    if not found:
        fail(f"CONTRIBUTING.md has no recipe \"{heading}\"")
    return found.group(1)


def compare(name, recipe, touched):
    text = section(recipe["heading"])
    named = {name for item in re.findall(r"^- ((?:`[^`]+`(?:, )?)+):", text, re.M) for name in re.findall(r"`([^`]+)`", item)}
    if named != touched:
        fail(f"{name}: the recipe names {sorted(named - touched)}, which the sample does not touch, "
             f"and leaves out {sorted(touched - named)}")
    parts = [p.read_text() for p in (HERE / name).iterdir() if p.is_file()]
    parts += [step.get("insert", "") for step in recipe.get("edit", [])]
    flat = re.sub(r"\s+", " ", " ".join(parts))
    for block in re.findall(r"^```cpp\n(.*?)^```", text, re.S | re.M):
        if re.sub(r"\s+", " ", block).strip() not in flat:
            fail(f"{name}: what the recipe prints does not stand in the sample:\n{block}")


def call(command, **arguments):
    print("+ " + shlex.join(str(c) for c in command), flush=True)
    if subprocess.run(command, **arguments).returncode != 0:
        fail(shlex.join(str(c) for c in command))


def program(build, words, recipe_name):
    """A test's program; of joined tests there is none of its own, so they are not joined here."""
    path = build / "tests" / words[0]
    if not path.exists():
        fail(f"{recipe_name}: there is no {path}")
    return [path, *words[1:]]


def written(name, recipe, tree, build, environment):
    """Calls the commands that write files of the tree; the files."""
    files = recipe.get("written", []) + recipe.get("rewritten", [])
    before = {file: (tree / file).read_bytes() for file in files}
    for words in recipe.get("writes", []):
        call(program(build, words, name), env=dict(environment, DRIFTLESS_WRITE="1"), cwd=build, stdout=subprocess.DEVNULL)
    for file, text in before.items():
        now = (tree / file).read_bytes()
        # A line is known by its words before a colon: numbers behind one end in digits that differ between processors.
        gone = {line.split(b":")[0] for line in text.splitlines()} - {line.split(b":")[0] for line in now.splitlines()}
        if now == text or (gone and file in recipe.get("written", [])):
            fail(f"{name}: {file} should have got lines and lost none; lost are {sorted(gone)[:3]}")
    return set(files)


def tried(name, tree, build):
    recipe = tomllib.loads((HERE / name / "recipe.toml").read_text())
    overlay = {}
    touched = applied(name, recipe, overlay)
    mirror(tree, overlay)
    call(["cmake", "--preset", "release", "-DDRIFTLESS_PCH=ON", "-DDRIFTLESS_UI=OFF", "-DDRIFTLESS_APP=ON", "-DDRIFTLESS_TESTS=ON",
          "-DDRIFTLESS_LONG_TESTS=OFF", "-DDRIFTLESS_CORE_TESTS=ON", "-DDRIFTLESS_BENCHMARKS=OFF",
          *shlex.split(os.environ.get("DRIFTLESS_RECIPES_CMAKE", ""))], cwd=tree, stdout=subprocess.DEVNULL)
    call(["cmake", "--build", build, "--target", *recipe["targets"]])
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", DRIFTLESS_RESOURCES=str(tree / "resources"))
    environment.pop("DRIFTLESS_WRITE", None)
    touched |= written(name, recipe, tree, build, environment)
    compare(name, recipe, touched)
    for words in recipe["run"]:
        call(program(build, words, name), env=environment, cwd=build)


def main():
    tree = pathlib.Path(sys.argv[1]).resolve() / "scratch" / "recipes"
    names = sys.argv[2:] or sorted(p.parent.name for p in HERE.glob("*/recipe.toml"))
    tree.mkdir(parents=True, exist_ok=True)
    for name in names:
        begin = time.monotonic()
        tried(name, tree, tree / "build" / "release")
        print(f"recipe {name}: {time.monotonic() - begin:.0f} s", flush=True)
    print(f"{len(names)} recipes: {', '.join(names)}")


if __name__ == "__main__":
    main()
