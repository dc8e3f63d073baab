"""Pages for a browser, looked at in Chromium: numbers, pixels, gestures, no request, small enough. Skipped where there is none."""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

build, source = sys.argv[1], sys.argv[2]
keep = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
if not any(shutil.which(name) for name in ["chromium", "chromium-browser", "google-chrome"]):
    print("skipped: there is no Chromium")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from chromium import Browser  # noqa: E402

failures = []

# Texts whose colour is nearer to the ground behind them than WCAG's 4.5; what a run is called has the colour of the run, which
# marks and is no text to read (3).
CONTRAST = """(() => {
  const parts = (c) => c.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const [r, g, b] = parts(c).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parts(c);
    if (p.length < 4 || p[3] > 0) return c; } return 'rgb(255, 255, 255)'; };
  const poor = [];
  for (const e of document.querySelectorAll('h1, h2, p, td, th, li, button, select, output, strong, span, code, b')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.offsetParent || e.disabled || e.closest('[disabled]')) continue;
    const a = light(getComputedStyle(e).color), b = light(ground(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < (e.dataset.run || e.closest('.values') ? 3 : 4.5)) poor.push(e.textContent.trim().slice(0, 30) + ' ' + ratio.toFixed(2));
  }
  return poor;
})()"""


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


def same_numbers(browser, run, table, names):
    """Every number of these columns of the page is the one in the table at the same time, bit for bit."""
    rows = {float(row["t"]): row for row in csv.DictReader(table.open())}
    for name in names:
        times = browser.run(f"[...page.runs[{run}].byName.t.values]")
        values = browser.run(f"[...page.runs[{run}].byName[{json.dumps(name)}].values]")
        same = sum(t in rows and float(rows[t][name]) == v for t, v in zip(times, values))
        check(same == len(times) and len(times) > 100, f"{table.stem}, {name}: {same} of {len(times)} values are the recording's")
    return rows


def check_numbers(browser, folder):
    table = folder / "pendulum.csv"
    driftless("run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step", "0.2", "--end", "40", "--csv", table)
    rows = same_numbers(browser, 1, table, ["bob.x", "bob.y'", "residual.position", "energy_error"])
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


def measured(folder):
    """A study with a run and a file of dots that lie off its curve."""
    (folder / "camera.csv").write_text("t [s], bob.x [m]\n0, 0.5\n1, 1.5\n2, 0.5\n")
    study = folder / "data.toml"
    study.write_text('title = "Data"\n[default]\nmodel = "pendulum"\nintegrator = "rk4"\nstep = 0.01\nend = 2\n[[run]]\nname = "made"\n'
                     '[[run]]\nname = "camera"\ndata = "camera.csv"\n')
    return make(folder, "data", study)


def check_dots(browser):
    """Measured values are dots in the colour of the data, and no line joins them."""
    coloured = ("(([t, v]) => {{ const p = page.plots.find((q) => q.panel.name === 'bob.x'), r = devicePixelRatio, c = p.pen.getImageData("
                "Math.round(p.x(t) * r), Math.round(p.y(v) * r), 1, 1).data; return c[0] > 150 && c[2] < 100 && c[3] > 200; }})({})")
    check(browser.run(coloured.format("[1, 1.5]")), "a measured value is a dot")
    check(not browser.run(coloured.format("[0.5, 1]")), "no line joins two measured values")


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


def check_space(browser, path, folder):
    """Of a model in space: numbers, and that a leg joins its ends where the scene draws it."""
    browser.open(path)
    table = folder / "stewart.csv"
    driftless("run", "stewart", "--csv", table)
    same_numbers(browser, 0, table, ["platform.y", "platform.z", "residual.velocity"])
    found = browser.run(
        "(() => { const s = page.scene(), leg = s.scene.parts.find((p) => p.kind === 'rod' || p.kind === 'bar'), r = devicePixelRatio;"
        " page.seek(4.5); page.draw(); const f = s.frames[0], [a, b] = [0, 1].map((k) => f.point(4.5, leg.first + k)),"
        " p = s.project(a.map((v, k) => (v + b[k]) / 2)), c = s.pen.getImageData(Math.round(p.x * r), Math.round(p.y * r), 1, 1).data;"
        " const w = s.pen.getImageData(2, 2, 1, 1).data; return Math.abs(c[0] - w[0]) + Math.abs(c[1] - w[1]) + Math.abs(c[2] - w[2]); })()")
    check(found > 100, f"a leg is drawn between its ends ({found} from the background)")


def check_study_numbers(browser, path, folder):
    """The runs that a study keeps are those that its page plays; its claims and tables are those of its result."""
    driftless("study", "dn-drift", "--no-figures", "--out", folder / "study")
    browser.open(path)
    same_numbers(browser, 0, folder / "study/runs/index-1.csv", ["bob.x", "rod.lambda", "residual.acceleration"])
    result = json.loads((folder / "study/result.json").read_text())
    told = browser.run("data.claims.map((c) => c.text)")
    check(told == [claim["text"] for claim in result["claims"]], f"{len(told)} claims are those of the study")


def check_lesson(browser, path, folder):
    """Texts, an answer that is right and one that is wrong, a number that is measured, and the address of a step."""
    browser.open(path)
    text = tomllib.loads(pathlib.Path(source, "resources/lessons/projection.toml").read_text())
    steps = text["step"]
    check(browser.run("document.querySelectorAll('#steps option').length") == len(steps), "a lesson has all its steps")
    title = "document.querySelector('#told h2').textContent"
    check(browser.run(title) == steps[0]["title"], "the first step is shown")
    check("Positions come first" in browser.run("document.querySelector('#told').textContent"), "its text is there")
    right = next(o["text"] for o in steps[0]["question"]["options"] if o.get("right"))
    click = ("[...document.querySelectorAll('.option')].find((b) => (b.textContent === {0}) === {1}).click();"
             " document.querySelector('.verdict').className")
    check("wrong" in browser.run(click.format(json.dumps(right), "false")), "a wrong answer is told so")
    check("right" in browser.run(click.format(json.dumps(right), "true")), "the right answer is told so")
    check("round-off at all times" in browser.run("document.querySelector('.verdict').textContent"), "and explained")
    browser.run("document.querySelector('#next').click()")
    browser.settle()
    check(browser.run(title) == steps[1]["title"] and browser.run("location.hash") == "#2", "the next step has an address")
    check("driftless lesson/projection#2" in browser.run("document.querySelector('#told').textContent"), "and its name in the program")
    ends = []
    for step in ["0.2", "0.1"]:
        done = driftless("run", "pendulum", "--formulation", "projection", "--integrator", "rk4", "--step", step, "--end", "40")
        ends.append(json.loads(done.stdout)["energy_error"])
    asked = browser.run("data.steps[1].question.value")
    check(math.isclose(asked, ends[0] / ends[1], rel_tol=1e-9), f"its question asks for {asked}, and runs give {ends[0] / ends[1]}")
    answer = "(() => {{ document.querySelector('.answer input').value = '{0}'; document.querySelector('.answer button').click(); return document.querySelector('.verdict').className; }})()"
    check("right" in browser.run(answer.format(f"{asked:.3g}")), "that number is right")
    check("wrong" in browser.run(answer.format(f"{2 * asked:.3g}")), "twice that number is not")
    browser.run("location.hash = '#4'; new Promise((done) => setTimeout(done, 50))")
    check(browser.run(title) == steps[3]["title"], "an address leads to its step")
    check(browser.run("page.runs.length") == 2 and browser.run("page.whole[1]") == 4, "with the bench of that step")


def check_words(browser, path):
    """Everything is readable on a telephone and in the dark: size, width and contrast."""
    browser.open(path, 390, 844, dark=True, touch=True)
    wide = browser.run("document.documentElement.scrollWidth")
    check(wide <= 390, f"{path.stem}: nothing is wider than a telephone ({wide})")
    small = browser.run("[...document.querySelectorAll('p, td, li, button, select, output, strong')].filter((e) => e.offsetParent && e.textContent.trim()"
                        " && parseFloat(getComputedStyle(e).fontSize) < 12).length")
    check(small == 0, f"{path.stem}: {small} texts are smaller than 12 px")
    for dark in [True, False]:
        browser.open(path, 390, 844, dark=dark, touch=True)
        poor = browser.run(CONTRAST)
        check(not poor, f"{path.stem}, {'dark' if dark else 'light'}: every text has a contrast of 4.5 {poor[:3]}")


with tempfile.TemporaryDirectory() as temporary:
    folder = keep or pathlib.Path(temporary)
    folder.mkdir(parents=True, exist_ok=True)
    first = make(folder, "first-start", "pendulum", "--end", "40", "--run", "dummy-derivatives:ida:rtol=1e-8", "--run", "index-1:rk4:step=0.2")
    pages = [first, make(folder, "stewart", "stewart")]
    pages += [make(folder, name, name) for name in ["baumgarte-gains", "dn-drift", "ms91-stuck"]]
    pages += [make(folder, "lesson", "lesson/projection")]
    pages += [measured(folder)]
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
        browser.open(pages[6])
        check_dots(browser)
        check_space(browser, pages[1], folder)
        check_study_numbers(browser, pages[3], folder)
        check_lesson(browser, pages[5], folder)
        check_quiet(browser, "lesson")
        refused = driftless("page", "lesson/there-is-none", "--out", folder / "none.html")
        check(refused.returncode == 2 and not (folder / "none.html").exists(), "a lesson that there is not is refused, and nothing is written")
    finally:
        browser.close()
sys.exit(1 if failures else 0)
