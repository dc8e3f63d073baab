"""Pages for a browser, looked at in Chromium: numbers, pixels, gestures, no request, small enough. Skipped where there is none."""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

build, source = sys.argv[1], sys.argv[2]
keep = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
if not any(shutil.which(name) for name in ["chromium", "chromium-browser", "google-chrome"]):
    print("skipped: there is no Chromium")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from chromium import Browser  # noqa: E402

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what, flush=True)
    if not holds:
        failures.append(what)


def driftless(*arguments):
    done = subprocess.run([pathlib.Path(build, "bin/driftless"), *map(str, arguments)], capture_output=True, text=True, timeout=1200)
    if done.returncode != 0:
        print(done.stderr[-2000:])
    return done


def make(folder, name, *arguments):
    path = folder / f"{name}.html"
    done = driftless("page", *arguments, "--out", path)
    check(done.returncode == 0 and path.is_file(), f"{name}: the page is written")
    check(path.stat().st_size <= 3_000_000, f"{name}: {path.stat().st_size} bytes, at most 3,000,000")
    return path


def check_quiet(browser, name):
    check(not browser.complaints, f"{name}: the console is silent {browser.complaints[:3]}")
    check(len(browser.requests) == 1, f"{name}: nothing is fetched {browser.requests[:3]}")


def check_numbers(browser, folder):
    """Every number of the page is one of the recording, bit for bit."""
    table = folder / "pendulum.csv"
    driftless("run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step", "0.2", "--end", "40", "--csv", table)
    rows = {float(row["t"]): row for row in csv.DictReader(table.open())}
    for name in ["bob.x", "bob.y'", "residual.position", "energy_error"]:
        times = browser.run("[...page.runs[1].byName.t.values]")
        values = browser.run(f"[...page.runs[1].byName[{json.dumps(name)}].values]")
        same = sum(float(rows[t][name]) == v for t, v in zip(times, values))
        check(same == len(times) and len(times) > 100, f"{name}: {same} of {len(times)} values are the recording's")
    browser.run("page.seek(18.1)")
    browser.settle()
    at = max(t for t in rows if t <= 18.1)
    told = browser.run("page.plots.find((p) => p.panel.name === 'bob.x').values.children[1].textContent")
    check(math.isclose(float(told.replace("−", "-")), float(rows[at]["bob.x"]), rel_tol=1e-5), f"the plot tells bob.x(18.1) = {told}")
    shrunk = browser.run("(() => { const f = page.scene().frames[1]; const p = f.point(18, page.scene().scene.parts.find((q) => q.kind === 'point').first);"
                         " return Math.hypot(p[0], p[1]); })()")
    check(abs(shrunk - 0.96) < 0.005, f"the scene's rod of run 2 is {shrunk:.3f} L at t = 18")


def check_pixels(browser):
    """The bob of the first run is where the recording says, in its colour."""
    for t in [0, 3.3, 11]:
        browser.run(f"page.seek({t})")
        browser.settle()
        found = browser.run(
            "(() => { const s = page.scene(), part = s.scene.parts.find((p) => p.kind === 'point'), r = devicePixelRatio,"
            " run = page.runs[0].byName, k = run.t.values.findIndex((t) => t >= page.t),"
            " p = s.project([run['bob.x'].values[k], run['bob.y'].values[k], 0]),"
            " c = s.pen.getImageData(Math.round(p.x * r), Math.round(p.y * r), 1, 1).data;"
            " return [p.x, p.y, ...c]; })()")
        colour = found[2:5]
        check(max(abs(a - b) for a, b in zip(colour, (0x1F, 0x55, 0xD6))) < 12, f"the bob's colour is at its place at t = {t}: {found}")


def check_gestures(browser):
    box = browser.run("(() => { const b = page.scene().canvas.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
    middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
    browser.drag(middle, (middle[0] + 120, middle[1] + 40))
    check(abs(browser.run("page.scene().yaw")) > 0.5, "dragging turns the scene")
    browser.mouse("mouseWheel", *middle, deltaX=0, deltaY=-400)
    browser.settle()
    check(browser.run("page.scene().zoom") > 1.3, "the wheel comes nearer")
    browser.run("document.querySelector('#home').click()")
    check(browser.run("page.scene().yaw === 0 && page.scene().zoom === 1"), "Fit goes back")
    browser.run("(() => { const s = document.querySelector('#scrub'); s.value = 7; s.dispatchEvent(new Event('input')); })()")
    check(browser.run("page.t") == 7, "the time line scrubs")
    browser.run("document.querySelector('.plot canvas').scrollIntoView({block: 'center'})")
    plot = browser.run("(() => { const p = page.plots[0], b = p.canvas.getBoundingClientRect(); return [b.left + p.area.left, b.top, p.area.right - p.area.left, b.height]; })()")
    y = plot[1] + plot[3] / 2
    browser.drag((plot[0] + 0.25 * plot[2], y), (plot[0] + 0.5 * plot[2], y))
    t0, t1 = browser.run("page.range")
    check(abs(t0 - 10) < 0.3 and abs(t1 - 20) < 0.3, f"dragging across a plot zooms to {t0:.2f}..{t1:.2f}")
    browser.mouse("mousePressed", plot[0] + 0.5 * plot[2], y, button="left", clickCount=1)
    browser.mouse("mouseReleased", plot[0] + 0.5 * plot[2], y, button="left", clickCount=1)
    check(abs(browser.run("page.t") - (t0 + t1) / 2) < 0.1, "a click in a plot goes there")
    browser.run("document.querySelector('#whole').click()")
    before = browser.run("page.t")
    browser.run("document.querySelector('#play').click()")
    browser.run("new Promise((done) => setTimeout(done, 400))")
    check(browser.run("page.t") > before, "it plays")
    browser.run("page.play(false)")


def check_words(browser, path):
    """Everything is readable on a telephone and in the dark."""
    browser.open(path, 390, 844, dark=True, touch=True)
    wide = browser.run("document.documentElement.scrollWidth")
    check(wide <= 390, f"{path.stem}: nothing is wider than a telephone ({wide})")
    small = browser.run("[...document.querySelectorAll('p, td, li, button, select, output, strong')].filter((e) => e.offsetParent && e.textContent.trim()"
                        " && parseFloat(getComputedStyle(e).fontSize) < 12).length")
    check(small == 0, f"{path.stem}: {small} texts are smaller than 12 px")


with tempfile.TemporaryDirectory() as temporary:
    folder = keep or pathlib.Path(temporary)
    folder.mkdir(parents=True, exist_ok=True)
    first = make(folder, "first-start", "pendulum", "--end", "40", "--run", "dummy-derivatives:ida:rtol=1e-8", "--run", "index-1:rk4:step=0.2")
    pages = [first, make(folder, "stewart", "stewart")]
    pages += [make(folder, name, name) for name in ["baumgarte-gains", "dn-drift", "ms91-stuck"]]
    browser = Browser()
    try:
        browser.open(first)
        seconds = min(browser.seconds(lambda: browser.open(first)) for _ in range(5))  # other programs may have the processor meanwhile
        check(seconds < 1, f"the first picture is there after {seconds:.2f} s")
        check_numbers(browser, folder)
        check_pixels(browser)
        check_gestures(browser)
        check(browser.run("document.querySelectorAll('#equations li').length") >= 7, "equations are shown")
        check(browser.run("document.querySelectorAll('#events tr').length") > 2, "events are shown")
        for path in pages:
            browser.open(path)
            browser.run("page.seek(page.whole[0] + 0.45 * (page.whole[1] - page.whole[0]))")
            browser.settle()
            check_quiet(browser, path.stem)
            inked = browser.run("(() => { const s = page.scene(); if (!s) return -1; const d = s.pen.getImageData(0, 0, s.canvas.width, s.canvas.height).data;"
                                " let n = 0; for (let i = 0; i < d.length; i += 4) n += Math.abs(d[i] - d[0]) + Math.abs(d[i + 2] - d[2]) > 60; return n; })()")
            check(inked > 500, f"{path.stem}: the scene is drawn ({inked} pixels)")
            if keep:
                browser.picture(folder / f"{path.stem}.png")
            check_words(browser, path)
            if keep:
                browser.picture(folder / f"{path.stem}-telephone.png")
        browser.open(pages[2])
        check(browser.run("document.querySelectorAll('#claims li').length") > 0, "a study's claims are shown")
        check(browser.run("document.querySelectorAll('#tables tr').length") > 2, "a study's tables are shown")
    finally:
        browser.close()
sys.exit(1 if failures else 0)
