#!/usr/bin/env python3
"""clang-tidy on sources of core, ui and app, remembering what was clean.

    scripts/tidy.py [--analyzer] BUILD [FILE...]

BUILD holds compile_commands.json; without files all sources are looked at. A source that was clean is not looked at again until it,
a header that it includes, .clang-tidy or clang-tidy itself changes: what the preprocessor makes of it is the key. A header is
looked at through one source that includes it. --analyzer adds clang's static analyzer, which takes most of the time of a whole pass.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANALYZER = "clang-analyzer-core.*,clang-analyzer-cplusplus.*,clang-analyzer-deadcode.*"


def commands(build):
    """Compiler and arguments by source, without launcher, output and what only g++ knows."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        while words and re.search(r"ccache$", words[0]):
            words = words[1:]
        source = pathlib.Path(entry["directory"], entry["file"]).resolve()
        kept, skip = [], False
        for word in words[1:]:
            if skip:
                skip = False
            elif word in ("-o", "-c"):
                skip = word == "-o"
            elif word != entry["file"] and not word.startswith(("-fuse-ld", "-Wno-subobject-linkage")):
                kept.append(word)
        if source.is_relative_to(ROOT) and source.relative_to(ROOT).parts[0] in ("core", "ui", "app"):
            found[source.relative_to(ROOT).as_posix()] = (words[0], kept, entry["directory"])
    return found


def sources_of(files, known):
    """The sources to look at for changed files: themselves, and for a header the source of its name or the first that includes it."""
    wanted = []
    for file in files:
        if file in known:
            wanted.append(file)
        elif file.endswith(".h") and (ROOT / file).exists():
            own = file[:-2] + ".cpp"
            including = (s for s in known if f'#include "{file}"' in (ROOT / s).read_text())
            source = own if own in known else next(including, None)
            if source:
                wanted.append(source)
    return sorted(set(wanted))


def look(source, command, checks, version, store):
    """Findings in one source, or nothing."""
    compiler, arguments, folder = command
    # With comments: one that says NOLINT belongs to the key.
    seen = subprocess.run([compiler, *arguments, "-E", "-C", ROOT / source], cwd=folder, capture_output=True)
    if seen.returncode != 0:
        return source, seen.stderr.decode()
    key = hashlib.sha256(b"\0".join([seen.stdout, version, checks.encode(), (ROOT / ".clang-tidy").read_bytes()])).hexdigest()
    mark = store / key
    if mark.exists():
        mark.touch()
        return source, ""
    options = [f"--checks={checks}"] if checks else []
    said = subprocess.run(["clang-tidy", "--quiet", *options, ROOT / source, "--", *arguments, "-Wno-unknown-warning-option"], cwd=folder,
                          capture_output=True, text=True)
    if said.returncode == 0 and not said.stdout.strip():
        mark.write_text(source)
        return source, ""
    return source, said.stdout or said.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--analyzer", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    known = commands(options.build)
    wanted = sources_of(options.files, known) if options.files else sorted(known)
    store = options.build / "tidy"
    store.mkdir(exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    checks = ANALYZER if options.analyzer else ""  # added to those of .clang-tidy
    status = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for source, findings in pool.map(lambda s: look(s, known[s], checks, version, store), wanted):
            if findings:
                status = 1
                print(f"{source}:\n{findings}", flush=True)
    print(f"clang-tidy looked at {len(wanted)} sources" + (", the analyzer as well" if options.analyzer else ""), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
