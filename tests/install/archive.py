"""The archive of scripts/package --archive in minimal systems of this Debian and of the next one: unpacked anywhere, moved, used."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from minimal import check, failures, inside

archives = sorted(pathlib.Path(sys.argv[1]).glob("driftless-*-linux-*.tar.xz"))
if not archives or not shutil.which("mmdebstrap"):
    print("skipped: scripts/package --archive has made no archive here, or there is no mmdebstrap")
    sys.exit(77)
# What any desktop has: OpenGL with a software renderer, fonts, the display's protocols.
DESKTOP = ["libegl1", "libopengl0", "libgl1", "libglx0", "libegl-mesa0", "libgl1-mesa-dri", "libfontconfig1", "libfreetype6", "fonts-dejavu-core",
           "libx11-6", "libx11-xcb1", "libxcb1", "libdbus-1-3", "zlib1g"]


def use(root, release):
    top = root / "opt/somewhere else"
    top.mkdir(parents=True)
    subprocess.run(["tar", "-xJf", archives[-1], "-C", top, "--strip-components=1"], check=True)
    program = "/opt/somewhere else/bin/driftless"
    said = inside(root, program, "run", "pendulum", "--end", "1")
    check(said and json.loads(said)["status"] == "completed", f"{release}: a run completes where nothing is installed")
    inside(root, program, "page", "lesson/projection", "--out", "/root/lesson.html")
    inside(root, "apt-get", "install", "-y", "--no-install-recommends", *DESKTOP)
    (root / "opt/somewhere else").rename(root / "opt/moved")
    program = "/opt/moved/bin/driftless"
    inside(root, program, "render", "pendulum", "--time", "1", "--png", "/root/scene.png")
    inside(root, program, "screenshot", "--time", "1", "--png", "/root/window.png")
    for name in ["scene", "window"]:
        picture = root / f"root/{name}.png"
        check(picture.is_file() and picture.stat().st_size > 8000, f"{release}: {name}.png is drawn")
        if len(sys.argv) > 2 and picture.is_file():
            shutil.copy(picture, pathlib.Path(sys.argv[2], f"{release}-{name}.png"))


with tempfile.TemporaryDirectory(prefix="driftless-system-") as folder:
    for release in ["bookworm", "trixie"]:
        root = pathlib.Path(folder, release)
        made = subprocess.run(["mmdebstrap", "--variant=minbase", "--skip=cleanup/apt/lists", release, root], capture_output=True, text=True)
        if made.returncode != 0:
            print(f"no system of {release} can be made here: {made.stderr[-300:]}")
            continue
        # Libraries beside a program are found by its own place, which the loader reads there.
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        try:
            use(root, release)
        finally:
            subprocess.run(["umount", root / "proc"], check=True)
sys.exit(1 if failures else 0)
