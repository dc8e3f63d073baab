"""What a screen reader reads: the window under Xvfb with a session bus of its own, its tree taken from AT-SPI's bus. Every control has a name
and a role, and Tab comes by each. Skipped where there is no Xvfb, no D-Bus or no AT-SPI."""
import contextlib
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SYSTEM = "/usr/bin/python3"  # Debian's modules are made for this one
try:
    import dbus
except ImportError:
    if os.path.exists(SYSTEM) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    print("skipped: there is no python3-dbus")
    sys.exit(77)

LAUNCHERS = ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"]
launcher = next((path for path in LAUNCHERS if os.path.exists(path)), None)
for needed in ["Xvfb", "dbus-daemon"]:
    if not shutil.which(needed):
        print(f"skipped: there is no {needed}")
        sys.exit(77)
if not launcher:
    print("skipped: there is no at-spi-bus-launcher")
    sys.exit(77)

build, source = map(pathlib.Path, sys.argv[1:3])
PREFIX = "org.a11y.atspi."
REGISTRY = "org.a11y.atspi.Registry"
# Bits of AtspiStateType.
ENABLED, FOCUSABLE, FOCUSED, SHOWING = 8, 11, 12, 25
NO_ROLES = {"invalid", "unknown", "filler", "redundant object", ""}
# Arrows lead to these, from the control that they are parts of.
PARTS = {"list item", "table cell", "tree item", "page tab", "menu item", "check menu item", "radio menu item", "menu", "menu bar", "radio button",
         "table column header", "table row header", "label", "scroll bar"}
PATIENCE = 30  # [s] for a program to answer on a busy machine
failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what, flush=True)
    if not holds:
        failures.append(what)


def until(get, what):
    """What get() answers once it is something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(dbus.DBusException):
            got = get()
            if got:
                return got
        time.sleep(0.1)
    raise SystemExit(f"FAILED {what}: nothing after {PATIENCE} s")


class Node:
    """One object of the tree. A call costs about a third of a millisecond."""

    def __init__(self, bus, name, path):
        self.bus, self.at = bus, (str(name), str(path))

    def call(self, interface, method, *arguments):
        return self.bus.call_blocking(*self.at, PREFIX + interface, method, None if arguments else "", arguments) if not arguments else \
            dbus.Interface(self.bus.get_object(*self.at, introspect=False), PREFIX + interface).get_dbus_method(method)(*arguments)

    @property
    def name(self):
        return str(self.bus.call_blocking(*self.at, "org.freedesktop.DBus.Properties", "Get", "ss", (PREFIX + "Accessible", "Name")))

    @property
    def role(self):
        return str(self.call("Accessible", "GetRoleName"))

    def has(self, *states):
        low, high = self.call("Accessible", "GetState")
        bits = int(low) | int(high) << 32
        return all(bits >> state & 1 for state in states)

    def children(self):
        return [Node(self.bus, *each) for each in self.call("Accessible", "GetChildren")]

    def press(self):
        self.call("Action", "DoAction", dbus.Int32(0))

    def __repr__(self):
        return f'{self.role} "{self.name}"'


def below(node, deepest=40):
    """All objects that are showing, the node first. Lists and tables of many rows are looked at in their first hundred."""
    found, due = [], [(node, 0)]
    while due:
        one, depth = due.pop()
        with contextlib.suppress(dbus.DBusException):  # it went away meanwhile
            if depth and not one.has(SHOWING):
                continue
            found.append(one)
            if depth < deepest:
                due += [(child, depth + 1) for child in reversed(one.children()[:100])]
    return found


def controls(node):
    return [one for one in below(node) if one.has(SHOWING, ENABLED, FOCUSABLE)]


class Attributes(ctypes.Structure):
    """XWindowAttributes."""
    _fields_ = [(name, ctypes.c_int) for name in ["x", "y", "width", "height", "border", "depth"]] + [
        ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong)] + [(name, ctypes.c_int) for name in ["kind", "bits", "gravity", "backing"]] + [
        ("planes", ctypes.c_ulong), ("pixel", ctypes.c_ulong), ("saves", ctypes.c_int), ("colormap", ctypes.c_ulong), ("installed", ctypes.c_int),
        ("map_state", ctypes.c_int), ("all_events", ctypes.c_long), ("own_events", ctypes.c_long), ("propagates", ctypes.c_long),
        ("redirected", ctypes.c_int), ("screen", ctypes.c_void_p)]


class Display:
    """Gives the keys to the window on top, as a window manager does; there is none here."""

    def __init__(self, name):
        self.x = ctypes.CDLL("libX11.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.at = ctypes.c_void_p(self.x.XOpenDisplay(name.encode()))

    def top(self):
        root, parent, count, children = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint(), ctypes.POINTER(ctypes.c_ulong)()
        self.x.XQueryTree(self.at, ctypes.c_ulong(self.x.XDefaultRootWindow(self.at)), ctypes.byref(root), ctypes.byref(parent),
                          ctypes.byref(children), ctypes.byref(count))
        for window in reversed(children[:count.value]):
            about = Attributes()
            VIEWABLE, LEAST = 2, 300  # what is smaller is a tool tip
            if self.x.XGetWindowAttributes(self.at, ctypes.c_ulong(window), ctypes.byref(about)) and about.map_state == VIEWABLE and about.width > LEAST:
                return window
        return None

    def focus(self):
        REVERT_TO_PARENT = 2
        self.x.XSetInputFocus(self.at, ctypes.c_ulong(self.top()), REVERT_TO_PARENT, ctypes.c_ulong(0))
        self.x.XSync(self.at, 0)
        time.sleep(0.2)


def press_tab(bus):
    TAB, KEY_SYM = 0xFF09, 3
    keys = dbus.Interface(bus.get_object(REGISTRY, "/org/a11y/atspi/registry/deviceeventcontroller", introspect=False), PREFIX + "DeviceEventController")
    keys.GenerateKeyboardEvent(dbus.Int32(TAB), "", dbus.UInt32(KEY_SYM))


def focused(candidates):
    for one in candidates:
        with contextlib.suppress(dbus.DBusException):
            if one.has(FOCUSED):
                return one
    return None


def check_order(bus, window, where):
    """Tab comes by every control, going around once. A page with links stops at each of them; that is bounded."""
    wanted = [one for one in controls(window) if one.role not in PARTS]
    passed, before, same = set(), None, 0
    for _ in range(3 * len(wanted) + 50):
        press_tab(bus)
        time.sleep(0.02)
        now = focused(([before] if before else []) + wanted)
        if now is not None and before is not None and now.at == before.at:
            time.sleep(0.1)  # was it slow?
            now = focused(wanted)
        if now is None:
            continue
        same = same + 1 if before and before.at == now.at else 0
        if same > 40:
            break
        passed.add(now.at)
        before = now
        if len(passed) == len(wanted):
            break
    missed = [repr(one) for one in wanted if one.at not in passed]
    check(len(wanted) >= 3 and not missed, f"{where}: Tab comes by each of {len(wanted)} controls {missed[:6]}")


def check_names(window, where):
    found = below(window)
    named = [one for one in found if one.has(ENABLED, FOCUSABLE)]
    check(len(found) > 30 and len(named) > 3, f"{where}: {len(found)} objects, {len(named)} of them controls")
    check(not (lacking := [one.role + " " + one.at[1] for one in named if not one.name.strip()]), f"{where}: every control has a name {lacking[:6]}")
    check(not (lacking := [repr(one) for one in named if one.role in NO_ROLES]), f"{where}: every control has a role {lacking[:6]}")


def look(bus, display, window, where):
    check_names(window, where)
    display.focus()
    check_order(bus, window, where)


def button(window, name):
    return until(lambda: next((one for one in controls(window) if one.name.rstrip("…") == name), None), f"a control named {name}")


def walk(bus, display, application):
    window = until(lambda: next((one for one in application.children() if one.has(SHOWING)), None), "the window")
    until(lambda: len(controls(window)) > 20, "the window's controls")
    workspaces = [one.name for one in controls(window) if one.name.startswith("Workspace: ")]
    check(len(workspaces) == 6, f"six workspaces: {workspaces}")
    for workspace in workspaces:
        button(window, workspace).press()
        time.sleep(0.5)
        look(bus, display, window, workspace)
    button(window, workspaces[0]).press()
    button(window, "Lessons").press()
    time.sleep(0.5)
    look(bus, display, window, "Lessons")
    button(window, "Start").press()
    time.sleep(0.7)
    look(bus, display, window, "a lesson's step")
    button(window, "Home").press()
    home = until(lambda: next((one for one in application.children() if one.at != window.at and one.has(SHOWING)), None), "Home")
    time.sleep(0.5)
    look(bus, display, home, "Home")


def main():
    with contextlib.ExitStack() as ends, tempfile.TemporaryDirectory() as folder:
        def start(*command, **more):
            process = subprocess.Popen([str(part) for part in command], stderr=subprocess.DEVNULL, **more)
            ends.callback(lambda: (process.terminate(), process.wait()))
            return process

        folder = pathlib.Path(folder)
        environment = dict(os.environ, HOME=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_CONFIG_HOME=str(folder / "config"),
                           XDG_CACHE_HOME=str(folder / "cache"), XDG_DATA_HOME=str(folder / "data"), QT_QPA_PLATFORM="xcb",
                           QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", LC_ALL="C.UTF-8", DRIFTLESS_RESOURCES=str(source / "resources"))
        folder.chmod(0o700)
        read, write = os.pipe()
        start("Xvfb", "-displayfd", write, "-screen", "0", "1400x900x24", "-nolisten", "tcp", pass_fds=[write])
        os.close(write)
        environment["DISPLAY"] = ":" + os.fdopen(read).readline().strip()
        daemon = start("dbus-daemon", "--session", "--nofork", "--print-address", stdout=subprocess.PIPE, text=True, env=environment)
        address = daemon.stdout.readline().strip()
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        start(launcher, "--launch-immediately", env=environment)
        session = dbus.bus.BusConnection(address)
        place = until(lambda: str(session.call_blocking("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", "", ())), "the bus of AT-SPI")
        bus = dbus.bus.BusConnection(place)
        root = Node(bus, REGISTRY, "/org/a11y/atspi/accessible/root")
        until(lambda: root.role, "the registry")
        start(build / "bin/driftless", "pendulum", env=environment, stdout=subprocess.DEVNULL)
        application = until(lambda: next(iter(root.children()), None), "the program on the bus")
        check(application.name.lower().startswith("driftless"), f"the program is called {application.name!r}")
        walk(bus, Display(environment["DISPLAY"]), application)
        ends.callback(bus.close)
        ends.callback(session.close)


main()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
