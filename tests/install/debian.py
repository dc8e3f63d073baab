"""The Debian packages of scripts/package in a minimal system: installed, used, removed, and what stayed."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from minimal import check, failures, inside

packages = sorted(pathlib.Path(sys.argv[1]).glob("*.deb"))
cli = [p for p in packages if p.name.startswith("driftless-cli_")]
window = [p for p in packages if p.name.startswith("driftless_")]
if not cli or not shutil.which("mmdebstrap"):
    print("skipped: scripts/package has made no packages here, or there is no mmdebstrap")
    sys.exit(77)


def files(root):
    """Everything that packages may leave behind, caches and logs of dpkg itself aside."""
    return {str(p.relative_to(root)) for p in root.rglob("*driftless*") if not str(p.relative_to(root)).startswith(("var/lib/dpkg", "var/cache", "var/log"))}


def install(root, debs, seconds):
    for deb in debs:
        shutil.copy(deb, root / "tmp")
    begin = time.monotonic()
    inside(root, "apt-get", "install", "-y", "--no-install-recommends", *(f"/tmp/{deb.name}" for deb in debs))
    taken = time.monotonic() - begin
    check(taken < seconds, f"installing took {taken:.0f} s, at most {seconds}")


with tempfile.TemporaryDirectory(prefix="driftless-system-") as folder:
    root = pathlib.Path(folder, "root")
    subprocess.run(["mmdebstrap", "--variant=minbase", "--skip=cleanup/apt/lists", "bookworm", root], check=True, stderr=subprocess.DEVNULL)
    try:
        size = int(inside(root, "du", "-sk", "--one-file-system", "/usr").split()[0])
        install(root, cli, 20)
        grown = int(inside(root, "du", "-sk", "--one-file-system", "/usr").split()[0]) - size
        check(grown < 30_000, f"driftless-cli and what it needs take {grown / 1000:.0f} MB")
        installed = inside(root, "dpkg-query", "-W", "-f", "${Package}\\n").split()
        check(not [name for name in installed if name.startswith(("libqt", "libvtk", "qt6"))], "driftless-cli brings neither Qt nor VTK")
        for library in ["libsundials-dev", "libsuitesparse-dev"]:
            check((root / "usr/share/doc/driftless-cli/linked" / library).is_file(), f"the licence of {library}, which is linked in, is there")
        check(json.loads(inside(root, "driftless", "run", "pendulum", "--end", "1"))["status"] == "completed", "a run completes")
        inside(root, "driftless", "page", "pendulum", "--out", "/root/pendulum.html")
        inside(root, "driftless", "render", "pendulum", "--png", "/root/none.png", code=2)
        if window:
            install(root, window, 120)
            inside(root, "driftless", "render", "pendulum", "--time", "1", "--png", "/root/scene.png")
            inside(root, "driftless", "screenshot", "--time", "1", "--png", "/root/window.png")
            inside(root, "driftless", "study", "baumgarte-gains", "--out", "/root/study")
            check(len(list((root / "root/study/figures").glob("*.pdf"))) > 0, "a study's figures are drawn")
        users = {name for name in files(root) if name.startswith("root/")}
        packed = inside(root, "dpkg", "-L", "driftless-cli", *(["driftless"] if window else [])).split("\n")
        packed = [name for name in packed if name and (root / name[1:]).is_file()]
        check(len(packed) > 100, f"the packages have {len(packed)} files")
        inside(root, "apt-get", "purge", "-y", "driftless-cli", *(["driftless"] if window else []))
        left = [name for name in packed if (root / name[1:]).exists()]
        check(not left, f"after purge no file of the packages is left: {left[:5]}")
        left = {name for name in files(root) if not name.startswith(("root/", "tmp/"))}
        check(not left, f"after purge nothing is called by the program's name: {sorted(left)[:5]}")
        check(users <= files(root), "users' files stay")
    finally:
        subprocess.run(["umount", "-q", "-R", root / "proc", root / "sys", root / "dev"], stderr=subprocess.DEVNULL)
sys.exit(1 if failures else 0)
