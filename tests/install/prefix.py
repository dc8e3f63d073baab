"""Installs into a temporary prefix, moves that, and uses what stands there: resources, commands, a study, the window without a display."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

build, source = sys.argv[1], sys.argv[2]
paths_are_mapped = "DRIFTLESS_MAP_PATHS:BOOL=ON" in pathlib.Path(build, "CMakeCache.txt").read_text()
failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


def run(prefix, *arguments, code=0):
    """The installed program in an empty folder, with nothing in its environment that leads to the source tree."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(prefix / "home"), "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8",
                   "XDG_RUNTIME_DIR": str(prefix / "home")}
    done = subprocess.run([prefix / "bin/driftless", *arguments], cwd=prefix / "home", env=environment, capture_output=True, timeout=600)
    check(done.returncode == code, f"driftless {' '.join(arguments)}: exit code {done.returncode}, expected {code}")
    if done.returncode != code:
        print(done.stderr.decode(errors="replace")[-2000:])
    return done.stdout.decode()


def libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line.strip()]


def check_files(prefix):
    for file in ["bin/driftless", "libexec/driftless/driftless-window", "share/driftless/models/pendulum.toml", "share/man/man1/driftless.1.gz",
                 "share/bash-completion/completions/driftless", "share/applications/org.driftless.Driftless.desktop",
                 "share/icons/hicolor/scalable/apps/driftless.svg", "share/mime/packages/driftless.xml",
                 "share/metainfo/org.driftless.Driftless.metainfo.xml", "share/doc/driftless-cli/copyright", "share/doc/driftless/changelog.gz"]:
        check((prefix / file).is_file(), f"{file} is installed")
    check(not (prefix / "share/driftless/expected").exists(), "what only tests need is not installed")
    check(not any((prefix / "share/driftless").is_symlink() or p.is_symlink() for p in prefix.rglob("*")), "no link leads out of the prefix")
    drawing = [name for name in libraries(prefix / "bin/driftless") if name.startswith(("libQt", "libvtk", "libGL", "libEGL", "libX11"))]
    check(not drawing, f"the headless executable loads nothing that draws: {drawing}")
    for program in ["bin/driftless", "libexec/driftless/driftless-window"]:
        dynamic = subprocess.run(["readelf", "-d", prefix / program], capture_output=True, text=True).stdout
        check("RPATH" not in dynamic and "RUNPATH" not in dynamic, f"{program} has no RPATH")
        if paths_are_mapped:
            data = (prefix / program).read_bytes()
            check(source.encode() not in data and build.encode() not in data, f"{program} holds no path of this machine")


def check_manual(prefix):
    page = subprocess.run(["gzip", "-dc", prefix / "share/man/man1/driftless.1.gz"], capture_output=True, text=True).stdout
    for option in ["\\-\\-formulation", "\\-\\-strobe", "\\-\\-contact\\-sheet"]:
        check(option in page, f"the manual page has {option}")
    script = ("source share/bash-completion/completions/driftless; PATH=$PWD/bin:$PATH; complete_words() { COMP_WORDS=(\"$@\"); "
              "COMP_CWORD=$(($# - 1)); _driftless 2>/dev/null; echo \"${COMPREPLY[@]}\"; }; complete_words driftless ana; "
              "complete_words driftless run --formulation index; complete_words driftless render --stro; complete_words driftless list mo")
    offered = subprocess.run(["bash", "-c", script], cwd=prefix, capture_output=True, text=True).stdout.splitlines()
    check(offered == ["analyze", "index-3 index-2 index-1", "--strobe", "models"], f"bash completes: {offered}")


def check_use(prefix):
    # A shipped file that was changed here is the one that is read.
    model = prefix / "share/driftless/models/pendulum.toml"
    text = model.read_text()
    title = next(line for line in text.splitlines() if line.startswith("title"))
    model.write_text(text.replace(title, 'title = "Installed elsewhere"'))
    titles = {entry["id"]: entry["title"] for entry in json.loads(run(prefix, "list", "models", "--json"))}
    check(titles.get("pendulum") == "Installed elsewhere", "models are read from the prefix")
    model.write_text(text)
    for what in ["formulations", "integrators", "studies", "lessons"]:
        check(json.loads(run(prefix, "list", what, "--json")), f"{what} are listed")
    report = json.loads(run(prefix, "run", "pendulum", "--end", "1"))
    check(report["status"] == "completed" and report["t"] == 1, "a run of the pendulum completes")
    study = json.loads(run(prefix, "study", "baumgarte-gains", "--out", "study"))
    figures = list((prefix / "home/study/figures").glob("*.pdf"))
    check(study["claims"] > 0 and not study["failed_claims"], "the study's claims hold")
    check(len(figures) > 0, "the study's figures are drawn")
    for name, arguments in {"scene.png": ["render", "pendulum"], "window.png": ["screenshot"]}.items():
        run(prefix, *arguments, "--time", "1", "--png", name)
        picture = prefix / "home" / name
        check(picture.is_file() and picture.read_bytes()[:4] == b"\x89PNG" and picture.stat().st_size > 8000, f"{name} is drawn")


def check_without_window(prefix):
    shutil.rmtree(prefix / "libexec")
    run(prefix, "render", "pendulum", "--png", "none.png", code=2)
    run(prefix, code=2)
    check("render" in run(prefix, "--help"), "help names the commands that draw")
    run(prefix, "study", "baumgarte-gains", "--out", "tables")
    check(list((prefix / "home/tables/tables").glob("*.csv")), "a study without the window's executable has its tables")
    check(json.loads(run(prefix, "analyze", "pendulum"))["structural_index"] == 3, "headless commands need nothing else")


with tempfile.TemporaryDirectory() as folder:
    first, prefix = pathlib.Path(folder, "first"), pathlib.Path(folder, "moved to")
    subprocess.run(["cmake", "--install", build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
    first.rename(prefix)
    (prefix / "home").mkdir(mode=0o700)
    check_files(prefix)
    check_manual(prefix)
    check_use(prefix)
    check_without_window(prefix)
sys.exit(1 if failures else 0)
