"""Packs what is installed from a build tree as an archive for Linux systems that have none of Debian 12's packages: unpack anywhere, and run
bin/driftless. Libraries stand beside the program, but for those that belong to a system (C and C++, X, Wayland, OpenGL with its drivers,
fonts). Used by scripts/package --archive."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What has to be the system's own: the loader and its C library, drivers of the graphics card and what talks to them, the display's
# protocols, the place where fonts are found.
SYSTEM = re.compile(r"^(ld-linux|linux-vdso|libc|libm|libdl|librt|libpthread|libresolv|libutil|libstdc\+\+|libgcc_s|libGL|libEGL|libOpenGL|libGLX|"
                    r"libGLdispatch|libdrm|libgbm|libX11|libX11-xcb|libxcb|libXau|libXdmcp|libwayland-[a-z]+|libfontconfig|libfreetype|libexpat|libz|"
                    r"libdbus-1|libudev|libsystemd)(\.so|-x86-64\.so)")
PLUGINS = ["platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqminimal.so", "platforms/libqwayland-generic.so",
           "platforms/libqwayland-egl.so", "xcbglintegrations/*.so", "wayland-shell-integration/libxdg-shell.so",
           "wayland-graphics-integration-client/libqt-plugin-wayland-egl.so", "imageformats/libqsvg.so", "iconengines/libqsvgicon.so"]

# What the window and its figures are set in, and the package that has it.
FONTS = ["fonts-inter:Inter-Regular.otf", "fonts-inter:Inter-Italic.otf", "fonts-inter:Inter-Medium.otf", "fonts-inter:Inter-SemiBold.otf",
         "fonts-inter:Inter-Bold.otf", "fonts-cmu:cmunrm.ttf", "fonts-cmu:cmunti.ttf", "fonts-cmu:cmunbx.ttf", "fonts-cmu:cmunbi.ttf"]

README = """Driftless {version}, for Linux on {machine}

  bin/driftless            opens the window
  bin/driftless --help     lists what runs without one

The folder may stand anywhere. Headless commands need nothing but the system's C and C++ libraries (glibc 2.36 or newer). The window
needs a desktop with OpenGL or Mesa's software renderer, and fontconfig. Fonts are in share/driftless/fonts. They and the libraries
in lib/driftless keep their own licences: share/doc/driftless/bundled. The program is under the GPL 3 or later: share/doc/driftless-cli/copyright.
"""


def output(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def libraries(program):
    """What a program or library is loaded with: name and place."""
    found = {}
    for line in output("ldd", program).splitlines():
        parts = line.split()
        if "=>" in parts and "not" not in parts[2:3]:
            found[parts[0]] = pathlib.Path(parts[2])
        elif "not found" in line:
            sys.exit(f"error: {program} needs {parts[0]}, which is not here")
    return {name: place for name, place in found.items() if not SYSTEM.match(name)}


def owner(file):
    """The Debian package that a file comes from."""
    for place in [file.resolve(), file]:
        for name in {str(place), str(place).removeprefix("/usr")}:
            done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
            if done.returncode == 0:
                return done.stdout.split(":")[0]
    return None


def add_fonts(prefix):
    """Copies the fonts and answers the packages they are from."""
    target = prefix / "share/driftless/fonts"
    target.mkdir()
    packages = set()
    for entry in FONTS:
        package, name = entry.split(":")
        place = next(line for line in output("dpkg-query", "-L", package).splitlines() if line.endswith("/" + name))
        shutil.copy(place, target / name)
        packages.add(package)
    return packages


def bundle(prefix):
    target = prefix / "lib/driftless"
    target.mkdir(parents=True)
    window = prefix / "libexec/driftless/driftless-window"
    plugins = pathlib.Path(output("qtpaths6", "--query", "QT_INSTALL_PLUGINS").strip())
    wanted = {**libraries(window), **libraries(prefix / "bin/driftless")}
    sources = []
    for pattern in PLUGINS:
        for plugin in sorted(plugins.glob(pattern)):
            place = target / "plugins" / plugin.relative_to(plugins)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(plugin, place)
            output("patchelf", "--set-rpath", "$ORIGIN/../..", place)
            wanted.update(libraries(plugin))
            sources.append(plugin)
    for name, place in sorted(wanted.items()):
        shutil.copy(place.resolve(), target / name)
        os.chmod(target / name, 0o755)
        output("patchelf", "--set-rpath", "$ORIGIN", target / name)
        sources.append(place)
    output("patchelf", "--set-rpath", "$ORIGIN/../../lib/driftless", window)
    output("patchelf", "--set-rpath", "$ORIGIN/../lib/driftless", prefix / "bin/driftless")
    (window.parent / "qt.conf").write_text("[Paths]\nPrefix = ../../lib/driftless\nPlugins = plugins\n")
    packages = {owner(source) for source in sources} - {None} | add_fonts(prefix)
    licences = prefix / "share/doc/driftless/bundled"
    licences.mkdir(parents=True)
    for package in sorted(packages):
        shutil.copy(f"/usr/share/doc/{package}/copyright", licences / package)
    return len(wanted)


def main():
    build, out, version, epoch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    machine = os.uname().machine
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder, f"driftless-{version}-linux-{machine}")
        output("cmake", "--install", build, "--prefix", prefix, "--strip")
        count = bundle(prefix)
        (prefix / "README.txt").write_text(README.format(version=version, machine=machine))
        out.mkdir(parents=True, exist_ok=True)
        archive = out / f"{prefix.name}.tar.xz"
        environment = dict(os.environ, XZ_OPT="-6 -T1")
        subprocess.run(["tar", "--create", "--xz", "--file", archive, "--sort=name", f"--mtime=@{epoch}", "--owner=0", "--group=0", "--numeric-owner",
                        "--mode=go+rX,go-w", "--directory", folder, prefix.name], check=True, env=environment)
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB, {count} libraries beside the program", file=sys.stderr)


main()
