// The page: one time for the scene and all plots, and the words around them.

const data = JSON.parse(document.getElementById("data").textContent);
const RESIDUALS = { "residual.position": "Constraints, |g|", "residual.velocity": "Their rate, |ġ|", "residual.acceleration": "Their acceleration, |g̈|", "residual.set_aside": "Rows set aside" };

class Page {
  constructor() {
    this.all = data.runs.map((run) => ({ ...run, byName: {} }));
    for (const run of this.all)
      for (const column of run.columns) run.byName[column.name] = { ...column, values: new Float64Array(bytesOf(column.values)) };
    this.bench = null;
    this.hover = null;
    this.playing = false;
    this.plots = [];
    this.theme();
    this.keys();
    this.orbit($("#scene"));
    new ResizeObserver(() => this.changed()).observe(document.body);
    this.words();
    if (data.kind === "lesson") {
      this.lesson = new Lesson(this, data);
      this.lesson.open(this.lesson.asked());
    } else this.setBench(0, null, 0);
    this.claims();
  }

  /** The runs that are shown together: all of a page, or those of a lesson's step. */
  setBench(bench, plots, speed) {
    this.play(false);
    if (this.bench !== bench) {
      this.bench = bench;
      this.runs = this.all.filter((run) => run.bench === bench);
      this.runs.forEach((run, i) => { if (!(run.colour >= 0)) run.colour = i; });
      this.shown = this.runs.map(() => true);
      const times = this.runs.map((run) => run.byName.t?.values).filter((t) => t?.length);
      this.whole = times.length ? [Math.min(...times.map((t) => t[0])), Math.max(...times.map((t) => t[t.length - 1]))] : [0, 1];
      this.range = [...this.whole];
      this.scenes = data.scenes.map((scene, i) => {
        const runs = this.runs.filter((run) => run.scene === i);
        return scene && runs.length ? new Scene($("#scene"), scene, runs) : null;
      });
      this.front = Math.max(0, this.scenes.findIndex(Boolean));
      $("#view").hidden = !this.scene();
      const apart = this.runs.filter((run) => run.scene === this.front).map((run) => run.frames).find((frames) => frames && frames.lines === false);
      $("#hint").textContent = [
        this.scene() && !this.scene().scene.planar && "drag to turn",
        this.scene() && apart && `pictures ${shown((apart.to - apart.from) / (apart.count - 1), 2)} s apart, between which the motion is too fast for lines`,
      ].filter(Boolean).join(" · ");
      this.setApart();
      this.chips();
      this.transport(speed);
      this.choosePlots(plots);
      this.outcomes();
      this.equations();
      this.events();
      this.paint();
    }
    this.seek(this.whole[0]);
  }

  scene() { return this.scenes[this.front]; }

  words() {
    document.title = `${data.title} – Driftless`;
    $("#title").textContent = data.title;
    $("#kind").textContent = { study: "· study", lesson: "· lesson" }[data.kind] || "";
    $("#source").textContent = plain(data.source);
    const text = $("#text"), words = plain(data.text);
    text.append(markdown(words));
    text.hidden = !words;
    text.classList.toggle("short", words.length < 500);
    $("#made").textContent = `Made with Driftless ${data.version}. It plays what was recorded; nothing is fetched.`
      + (data.runs_left_out ? ` ${data.runs_left_out} more runs of the study are in its tables and claims, and not played here.` : "");
  }

  /** What is not as the text above says it: that speaks of the model as its file has it. */
  setApart() {
    const set = [...new Set(this.runs.flatMap((run) => run.set || []))], shown = data.kind === "runs" && set.length > 0;
    $("#set").hidden = !shown;
    $("#set").textContent = shown ? `Not as the text has it: ${set.join(", ")}.` : "";
  }

  chips() {
    const chips = this.runs.map((run, i) => {
      const chip = make("button", "", "chip");
      chip.type = "button";
      chip.innerHTML = `<svg class="mark" viewBox="0 0 22 10" aria-hidden="true"><path d="M0 5H22" stroke-width="${run.measured ? 4 : 3}" stroke-linecap="${run.measured ? "round" : "butt"}" stroke-dasharray="${run.measured ? [0, 7] : DASHES[run.colour % DASHES.length]}"/></svg>`;
      chip.append(make("span", run.name));
      if (run.detail) chip.append(make("span", run.detail, "detail"));
      chip.title = run.measured ? "measured" : `${run.formulation} · ${run.integrator}`;
      chip.setAttribute("aria-pressed", "true");
      chip.onclick = () => {
        this.shown[i] = !this.shown[i];
        if (this.shown[i] && run.scene >= 0) this.front = run.scene;
        chip.setAttribute("aria-pressed", this.shown[i]);
        this.changed();
      };
      return chip;
    });
    $("#chips").replaceChildren(...chips);
    this.chipMarks = chips.map((chip) => chip.querySelector("path"));
  }

  transport(asked) {
    const scrub = $("#scrub"), speed = $("#speed"), [t0, t1] = this.whole, length = t1 - t0 || 1;
    Object.assign(scrub, { min: t0, max: t1, value: t0 });
    scrub.oninput = () => { this.play(false); this.seek(Number(scrub.value)); };
    $("#play").onclick = () => this.play(!this.playing);
    // Between three seconds and a minute or two, whatever the model's own time is.
    const usual = length < 3 ? 10 ** Math.floor(Math.log10(length / 3)) : length > 120 ? 10 ** Math.ceil(Math.log10(length / 120)) : 1;
    const choices = [0.1, 0.25, 0.5, 1, 2, 4].map((k) => Number((k * usual).toPrecision(3)));
    speed.replaceChildren(...choices.map((k) => Object.assign(make("option", `${k}×`), { value: k })));
    const nearest = choices.reduce((a, b) => (Math.abs(Math.log(b / asked)) < Math.abs(Math.log(a / asked)) ? b : a));
    speed.value = asked > 0 ? nearest : usual;
    const marks = this.runs.flatMap((run) => run.events.filter((e) => e.kind !== "start").slice(0, 60).map((e) => {
      const mark = document.createElement("i");
      mark.style.left = `${100 * (e.t - t0) / length}%`;
      mark.dataset.run = run.colour;
      return mark;
    }));
    $("#marks").replaceChildren(...marks);
    let before = 0;
    const frame = (now) => {
      if (!this.playing) return;
      const t = this.t + Math.min(0.1, (now - before) / 1000) * Number(speed.value);
      before = now;
      if (t >= t1) { this.seek(t1); this.play(false); return; }
      this.seek(t);
      requestAnimationFrame(frame);
    };
    this.start = () => requestAnimationFrame((now) => { before = now; frame(now); });
  }

  play(on) {
    if (on && this.t >= this.whole[1]) this.seek(this.whole[0]);
    const begins = on && !this.playing;
    this.playing = on;
    $("#play").setAttribute("aria-label", on ? "Pause" : "Play");
    $("#play").innerHTML = `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentColor" d="${on ? "M6 5h4v14H6zM14 5h4v14h-4z" : "M8 5v14l11-7z"}"/></svg>`;
    if (begins) this.start();
  }

  seek(t) {
    this.t = clamp(t, ...this.whole);
    $("#scrub").value = this.t;
    $("#time").textContent = `t = ${this.whole[1] - this.whole[0] < 1 ? this.t.toPrecision(3) : this.t.toFixed(2)} s`;
    this.changed();
  }

  setRange(t0, t1) {
    const least = (this.whole[1] - this.whole[0]) * 1e-6;
    this.range = [clamp(t0, ...this.whole), clamp(Math.max(t1, t0 + least), ...this.whole)];
    if (!(this.range[1] > this.range[0])) this.range = [...this.whole];
    this.changed();
  }
  zoom(factor, t) {
    const [t0, t1] = this.range;
    this.setRange(t - (t - t0) / factor, t + (t1 - t) / factor);
  }

  /** What can be plotted: every column of the runs. */
  panelsOf() {
    const titles = { ...RESIDUALS, energy_error: "Energy error", energy: "Energy", work: "Work done", h: "Step", order: "Order", kappa: "Condition of the pivot, κ", difference: "Distance from run 1, |Δq|" };
    const log = (name) => name in RESIDUALS || ["energy_error", "h", "kappa", "difference"].includes(name);
    const all = new Map();
    for (const run of this.runs)
      for (const column of run.columns)
        if (column.kind !== "time" && column.kind !== "other" && !all.has(column.name))
          all.set(column.name, { name: column.name, title: titles[column.name] || column.name, unit: column.unit, log: log(column.name), kind: column.kind });
    return all;
  }

  /** A plot that a lesson asks for; none where its runs have nothing of the kind. */
  panelOf(plot, all) {
    const named = { "energy-error": "energy_error", difference: "difference", step: "h", order: "order", pivots: "kappa", curve: plot.of }[plot.kind];
    if (named) return all.get(named) || null;
    const several = (names, title) => {
      const found = names.map((name) => all.get(name)).filter(Boolean);
      return found.length ? { ...found[0], title, lines: found.map((p) => p.name) } : null;
    };
    if (plot.kind === "residuals") return several(Object.keys(RESIDUALS).slice(0, 3), "Constraints, |g|, |ġ|, |g̈|");
    if (plot.kind === "multipliers") return several([...all.values()].filter((p) => p.kind === "multiplier").slice(0, 3).map((p) => p.name), "Multipliers");
    const of = all.get(plot.of), against = all.get(plot.against);
    return plot.kind === "phase" && of && against ? { ...of, title: `${of.title} against ${against.title}`, log: false, against: against.name } : null;
  }

  /** The plots that most people ask for first, or those of a lesson's step, and a list of all others. */
  choosePlots(asked) {
    for (const plot of [...this.plots]) this.remove(plot);
    const all = this.panelsOf();
    this.panels = [...all.values()];
    const usual = () => {
      // Of the coordinates the first one that moves: not one that is held, and trembles at round-off.
      const reach = (p) => Math.max(0, ...this.runs.map((run) => {
        const values = (run.byName[p.name]?.values || []).filter(Number.isFinite);
        return values.length ? values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b)) : 0;
      }));
      const places = this.panels.filter((p) => p.kind === "position"), most = Math.max(0, ...places.map(reach));
      const first = places.find((p) => reach(p) > 1e-6 * most) || this.panels[0];
      const compared = this.panels.find((p) => this.runs.some((run) => run.measured && run.byName[p.name]));
      const wanted = [compared, all.get("residual.position"), all.get("energy_error"), first].filter((p) => p && this.moves(p));
      return wanted.length ? [...new Set(wanted)] : this.panels.slice(0, 2);
    };
    const wanted = asked?.map((plot) => this.panelOf(plot, all)).filter(Boolean) || [];
    for (const panel of wanted.length ? wanted : usual()) this.addPlot(panel);
    const add = $("#add");
    add.replaceChildren(make("option", "choose…"), ...this.panels.map((p) => Object.assign(make("option", p.title + (p.unit ? ` [${p.unit}]` : "")), { value: p.name })));
    add.firstChild.value = "";
    add.onchange = () => {
      const panel = all.get(add.value);
      if (panel) this.addPlot(panel);
      add.value = "";
    };
    $("#whole").onclick = () => this.setRange(...this.whole);
    $("#charts").hidden = !this.panels.length;
  }
  moves(panel) {
    return this.runs.some((run) => run.byName[panel.name]?.values.some((v) => Number.isFinite(v) && v !== 0));
  }
  addPlot(panel) {
    const plot = new (panel.against ? Phase : Plot)(panel, this.runs, this);
    this.plots.push(plot);
    $("#plots").append(plot.root);
    this.changed();
  }
  remove(plot) {
    this.plots = this.plots.filter((p) => p !== plot);
    plot.root.remove();
  }

  /** Cells are texts or elements. A column of numbers stands at the right, and one that is empty is left out. */
  fill(table, head, rows) {
    const number = /^[−-]?[\d.]+(·10.*)?$/, said = (cell) => (cell instanceof Node ? cell.textContent : cell);
    const kept = head.map((_, c) => !rows.length || rows.some((row) => said(row[c]) !== ""));
    const right = head.map((_, c) => rows.some((row) => number.test(said(row[c]))) && rows.every((row) => number.test(said(row[c])) || ["", "–"].includes(said(row[c]))));
    const line = (cells, tag) => {
      const tr = make("tr");
      cells.forEach((cell, c) => {
        if (!kept[c]) return;
        const box = make(tag, "", right[c] ? "number" : "");
        box.append(cell);
        tr.append(box);
      });
      return tr;
    };
    table.replaceChildren(line(head, "th"), ...rows.map((row) => line(row, "td")));
    return [...table.rows].slice(1);
  }

  outcomes() {
    const outcome = this.runs.filter((run) => !run.measured).map((run) => {
      const o = run.outcome, name = make("b", run.name);
      name.dataset.run = run.colour;
      const status = make("span", o.status === "failed" ? `failed at t = ${shown(o.t)}${o.why ? `: ${o.why}` : ""}` : o.status, o.status === "failed" ? "error" : "");
      return [name, [run.detail, ...(run.set || [])].join(", "), status, String(o.steps), shown(o.residual, 3), shown(o.energy_error, 3), o.drift || "–"];
    });
    const runs = outcome.map((row) => row[2]);
    this.fill($("#outcomes table"), ["run", "asked", "status", "steps", "largest |g|", "energy error at the end", "drift of |g|"], outcome);
    for (const status of runs) status.parentElement.className = "wide";
  }

  /** Of a study: what it says, and its tables. */
  claims() {
    if (data.claims?.length) {
      $("#claims").hidden = false;
      $("#claims ul").replaceChildren(...data.claims.map((claim) => {
        const item = make("li", "", claim.holds ? "" : "fails");
        item.append(inline(plain(claim.text)));
        const why = claim.why || [claim.measured && `measured ${claim.measured}`, claim.relation, claim.run && `(${claim.run})`].filter(Boolean).join(" ");
        if (why) item.append(make("div", why, "quiet"));
        return item;
      }));
    }
    if (data.tables?.length) {
      $("#tables").hidden = false;
      for (const given of data.tables) {
        const scroll = make("div", "", "scroll"), table = make("table");
        const words = (text) => (/^-?\d(\.\d+)?e[+-]\d+$/.test(text) ? shown(Number(text)) : inline(plain(text)));
        this.fill(table, ["run", ...given.columns].map(words), given.rows.map((label, r) => [plain(label), ...given.shown[r].map(words)]));
        scroll.append(table);
        const title = make("h2");
        title.append(inline(plain(given.title)));
        $("#tables").append(title, scroll);
      }
    }
  }

  equations() {
    const told = this.runs.filter((run) => run.equations.length), root = $("#equations");
    root.hidden = !told.length;
    if (!told.length) return;
    const choice = root.querySelector("select");
    choice.replaceChildren(...told.map((run, i) => Object.assign(make("option", run.name), { value: i })));
    choice.onchange = () => {
      const run = told[choice.value], list = root.querySelector("ol");
      list.replaceChildren(...run.equations.map((row) => {
        const item = make("li"), formula = make("div", "", "formula");
        formula.append(rich(row.html));
        item.append(formula, make("div", row.note, "quiet"));
        return item;
      }));
      if (run.equations_left_out) list.append(make("li", `and ${run.equations_left_out} more rows`, "quiet"));
    };
    choice.onchange();
  }

  events() {
    const all = this.runs.flatMap((run) => run.events.map((event) => ({ ...event, run }))).sort((a, b) => a.t - b.t).slice(0, 200);
    $("#events").hidden = !all.length;
    const several = this.runs.length > 1, row = (t, run, what, text) => (several ? [t, run, what, text] : [t, what, text]);
    const rows = this.fill($("#events table"), row("t [s]", "run", "what", ""), all.map((e) => {
      const name = make("b", e.run.name);
      name.dataset.run = e.run.colour;
      return row(shown(e.t), name, e.kind, e.text);
    }));
    rows.forEach((row, i) => {
      row.className = "go";
      row.lastChild.className = "wide";
      row.onclick = () => this.seek(all[i].t);
    });
  }

  theme() {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const apply = (name) => {
      document.documentElement.dataset.theme = name;
      const style = getComputedStyle(document.documentElement), colour = (key) => style.getPropertyValue(`--${key}`).trim();
      this.look = Object.fromEntries(["window", "surface", "text", "secondary", "line"].map((key) => [key, colour(key)]));
      this.look.runs = Array.from({ length: 8 }, (_, i) => colour(`run${i}`));
      this.paint();
    };
    apply(dark.matches ? "dark" : "light");
    dark.onchange = () => apply(dark.matches ? "dark" : "light");
    $("#theme").onclick = () => apply(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  }

  /** Everything that has the colour of a run. */
  paint() {
    document.querySelectorAll("[data-run]").forEach((e) => { e.style[e.tagName === "I" ? "background" : "color"] = this.look.runs[e.dataset.run % 8]; });
    this.chipMarks?.forEach((mark, i) => mark.setAttribute("stroke", this.look.runs[this.runs[i].colour % 8]));
    this.changed();
  }

  keys() {
    const step = () => (this.range[1] - this.range[0]) / 200;
    document.addEventListener("keydown", (event) => {
      if (event.target.closest?.("button, select, input[type=text]")) return;
      if (event.target.closest?.("input") && event.key !== " ") return;
      const act = {
        " ": () => this.play(!this.playing), ArrowRight: () => this.seek(this.t + step()), ArrowLeft: () => this.seek(this.t - step()),
        Home: () => this.seek(this.whole[0]), End: () => this.seek(this.whole[1]),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  orbit(canvas) {
    const fingers = new Map();
    let spread = 0;
    const place = (x, y) => { const box = canvas.getBoundingClientRect(); return [x - box.left, y - box.top]; };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      spread = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY], dx = now[0] - before[0], dy = now[1] - before[1], scene = this.scene();
      fingers.set(event.pointerId, now);
      if (fingers.size >= 2) {
        const [a, b] = [...fingers.values()], wide = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (spread) scene.nearer(wide / spread, ...place((a[0] + b[0]) / 2, (a[1] + b[1]) / 2));
        scene.pan(dx / 2, dy / 2);
        spread = wide;
      } else if (event.shiftKey || event.buttons & 6) scene.pan(dx, dy);
      else scene.orbit(dx, dy);
      this.changed();
    });
    const end = (event) => { fingers.delete(event.pointerId); spread = 0; };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => { this.scene().home(); this.changed(); });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scene().nearer(Math.exp(-event.deltaY * 0.0014), ...place(event.clientX, event.clientY));
      this.changed();
    }, { passive: false });
    $("#home").onclick = () => { this.scene().home(); this.changed(); };
  }

  /** Draws once before the next picture, however often something changed. */
  changed() {
    if (this.due || !this.runs) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.draw(); });
  }
  draw() {
    const scene = this.scene();
    if (scene) scene.draw(this.t, this.runs.map((run, i) => [run, i]).filter(([run]) => run.scene === this.front).map(([, i]) => this.shown[i]), this.look);
    for (const plot of this.plots) plot.draw(this.look);
  }
}

const page = new Page();
page.play(false);
