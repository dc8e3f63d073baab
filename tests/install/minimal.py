"""What the tests of packages and of the archive share: what holds is counted, and commands run inside a minimal system."""
import subprocess

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what, flush=True)
    if not holds:
        failures.append(what)


def inside(root, *command, code=0):
    """Runs a command in the system under root; its output. Another exit code than expected is a failure."""
    done = subprocess.run(["chroot", root, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "HOME=/root", "LC_ALL=C.UTF-8",
                           "QT_QPA_PLATFORM=offscreen", "DEBIAN_FRONTEND=noninteractive", *command], capture_output=True, text=True, timeout=1200)
    check(done.returncode == code, " ".join(command))
    if done.returncode != code:
        print(done.stdout[-1500:], done.stderr[-1500:])
    return done.stdout
