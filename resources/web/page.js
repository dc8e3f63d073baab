// The page: one time for the scene and all plots, and the words around them.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (selector) => document.querySelector(selector);
const make = (tag, text = "", name = "") => Object.assign(document.createElement(tag), { textContent: text, className: name });

/** Rich text of the program: letters, sub- and superscripts, and spans that mark dummies; anything else is text. */
function rich(html) {
  const out = document.createDocumentFragment();
  const copy = (from, to) => from.childNodes.forEach((node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) { to.append(node.textContent); return; }
    const tag = node.localName, known = ["sub", "sup", "i", "b", "span"].includes(tag);
    const element = known ? document.createElement(tag) : document.createElement("span");
    if (node.className === "dummy") element.className = "dummy";
    copy(node, element);
    to.append(element);
  });
  copy(new DOMParser().parseFromString(html, "text/html").body, out);
  return out;
}

/** Mathematics between dollars stands as it is written. */
const plain = (text) => (text || "").replace(/\$([^$]*)\$/g, "$1").trim();

class Page {
  constructor() {
    this.runs = data.runs.map((run, i) => ({ ...run, colour: i, byName: {} }));
    for (const run of this.runs)
      for (const column of run.columns) run.byName[column.name] = { ...column, values: new Float64Array(bytesOf(column.values)) };
    this.shown = this.runs.map(() => true);
    const times = this.runs.map((run) => run.byName.t?.values).filter((t) => t?.length);
    this.whole = times.length ? [Math.min(...times.map((t) => t[0])), Math.max(...times.map((t) => t[t.length - 1]))] : [0, 1];
    this.range = [...this.whole];
    this.t = this.whole[0];
    this.hover = null;
    this.playing = false;
    this.plots = [];
    this.scenes = data.scenes.map((scene, i) => scene && new Scene($("#scene"), scene, this.runs.filter((run) => run.scene === i)));
    this.front = Math.max(0, this.scenes.findIndex(Boolean));
    this.words();
    this.chips();
    this.transport();
    this.choosePlots();
    this.tables();
    this.equations();
    this.events();
    this.theme();
    this.keys();
    if (this.scenes[this.front]) this.orbit($("#scene")); else $("#view").hidden = true;
    new ResizeObserver(() => this.changed()).observe(document.body);
    this.seek(this.whole[0]);
  }

  scene() { return this.scenes[this.front]; }

  words() {
    document.title = `${data.title} – Driftless`;
    $("#title").textContent = data.title;
    $("#kind").textContent = data.kind === "study" ? "· study" : "";
    $("#source").textContent = plain(data.source);
    const text = $("#text"), words = plain(data.text).replace(/([^\n])\n(?!\n)/g, "$1 ");
    text.textContent = words;
    text.hidden = !words;
    text.classList.toggle("short", words.length < 500);
    $("#made").textContent = `Made with Driftless ${data.version}. It plays what was recorded; nothing is fetched.`
      + (data.runs_left_out ? ` ${data.runs_left_out} more runs of the study are in its tables and claims, and not played here.` : "");
    const planar = this.scene()?.scene.planar;
    $("#hint").textContent = planar === false ? "drag to turn" : "";
  }

  chips() {
    const chips = this.runs.map((run, i) => {
      const chip = make("button", "", "chip");
      chip.type = "button";
      chip.innerHTML = `<svg class="mark" viewBox="0 0 22 10" aria-hidden="true"><path d="M0 5H22" stroke-width="3" stroke-dasharray="${DASHES[i % DASHES.length]}"/></svg>`;
      chip.append(make("span", run.name));
      if (run.detail) chip.append(make("span", run.detail, "detail"));
      chip.title = `${run.formulation} · ${run.integrator}`;
      chip.setAttribute("aria-pressed", "true");
      chip.onclick = () => {
        this.shown[i] = !this.shown[i];
        if (this.shown[i]) this.front = run.scene;
        chip.setAttribute("aria-pressed", this.shown[i]);
        this.changed();
      };
      return chip;
    });
    $("#chips").replaceChildren(...chips);
    this.chipMarks = chips.map((chip) => chip.querySelector("path"));
  }

  transport() {
    const scrub = $("#scrub"), speed = $("#speed"), [t0, t1] = this.whole, length = t1 - t0 || 1;
    Object.assign(scrub, { min: t0, max: t1, value: t0 });
    scrub.oninput = () => { this.play(false); this.seek(Number(scrub.value)); };
    $("#play").onclick = () => this.play(!this.playing);
    // Between three seconds and a minute or two, whatever the model's own time is.
    const usual = length < 3 ? 10 ** Math.floor(Math.log10(length / 3)) : length > 120 ? 10 ** Math.ceil(Math.log10(length / 120)) : 1;
    const choices = [0.1, 0.25, 0.5, 1, 2, 4].map((k) => Number((k * usual).toPrecision(3)));
    speed.replaceChildren(...choices.map((k) => Object.assign(make("option", `${k}×`), { value: k })));
    speed.value = usual;
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

  /** The plots that most people ask for first, and a list of all others. */
  choosePlots() {
    const residual = { "residual.position": "Constraints, |g|", "residual.velocity": "Their rate, |ġ|", "residual.acceleration": "Their acceleration, |g̈|", "residual.set_aside": "Rows set aside" };
    const titles = { ...residual, energy_error: "Energy error", energy: "Energy", work: "Work done", h: "Step", order: "Order", kappa: "Condition of the pivot, κ" };
    const log = (name) => name in residual || ["energy_error", "h", "kappa"].includes(name);
    const all = new Map();
    for (const run of this.runs)
      for (const column of run.columns)
        if (column.kind !== "time" && column.kind !== "other" && !all.has(column.name))
          all.set(column.name, { name: column.name, title: titles[column.name] || column.name, unit: column.unit, log: log(column.name) });
    this.panels = [...all.values()];
    const first = this.panels.find((p) => this.runs[0]?.byName[p.name]?.kind === "position") || this.panels[0];
    const wanted = [all.get("residual.position"), all.get("energy_error"), first].filter((p) => p && this.moves(p));
    for (const panel of wanted.length ? new Set(wanted) : this.panels.slice(0, 2)) this.addPlot(panel);
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
    const plot = new Plot(panel, this.runs, this);
    this.plots.push(plot);
    $("#plots").append(plot.root);
    this.changed();
  }
  remove(plot) {
    this.plots = this.plots.filter((p) => p !== plot);
    plot.root.remove();
  }

  fill(table, head, rows) {
    const line = (cells, tag) => {
      const tr = make("tr");
      tr.append(...cells.map((cell) => {
        if (cell instanceof Node) { const box = make(tag); box.append(cell); return box; }
        return make(tag, cell, /^[−-]?[\d.]+(·10.*)?$/.test(cell) ? "number" : "");
      }));
      return tr;
    };
    table.replaceChildren(line(head, "th"), ...rows.map((row) => line(row, "td")));
    return [...table.rows].slice(1);
  }

  tables() {
    const outcome = this.runs.map((run) => {
      const o = run.outcome, name = make("b", run.name);
      name.dataset.run = run.colour;
      const status = make("span", o.status === "failed" ? `failed at t = ${shown(o.t)}${o.why ? `: ${o.why}` : ""}` : o.status, o.status === "failed" ? "error" : "");
      return [name, run.detail, status, String(o.steps), shown(o.residual, 3), shown(o.energy_error, 3), o.drift || "–"];
    });
    for (const row of this.fill($("#outcomes table"), ["run", "asked", "status", "steps", "largest |g|", "energy error at the end", "drift of |g|"], outcome))
      row.cells[2].className = "wide";
    if (data.claims?.length) {
      $("#claims").hidden = false;
      $("#claims ul").replaceChildren(...data.claims.map((claim) => {
        const item = make("li", plain(claim.text), claim.holds ? "" : "fails");
        const why = claim.why || [claim.measured && `measured ${claim.measured}`, claim.relation, claim.run && `(${claim.run})`].filter(Boolean).join(" ");
        if (why) item.append(make("div", why, "quiet"));
        return item;
      }));
    }
    if (data.tables?.length) {
      $("#tables").hidden = false;
      for (const given of data.tables) {
        const scroll = make("div", "", "scroll"), table = make("table");
        this.fill(table, ["run", ...given.columns.map(plain)], given.rows.map((label, r) => [plain(label), ...given.shown[r].map(plain)]));
        scroll.append(table);
        $("#tables").append(make("h2", plain(given.title)), scroll);
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
    const rows = this.fill($("#events table"), ["t [s]", "run", "what", ""], all.map((e) => {
      const name = make("b", e.run.name);
      name.dataset.run = e.run.colour;
      return [shown(e.t), name, e.kind, e.text];
    }));
    rows.forEach((row, i) => {
      row.className = "go";
      row.cells[3].className = "wide";
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
      document.querySelectorAll("[data-run]").forEach((e) => { e.style[e.tagName === "I" ? "background" : "color"] = this.look.runs[e.dataset.run % 8]; });
      this.chipMarks.forEach((mark, i) => mark.setAttribute("stroke", this.look.runs[i % 8]));
      this.changed();
    };
    apply(dark.matches ? "dark" : "light");
    dark.onchange = () => apply(dark.matches ? "dark" : "light");
    $("#theme").onclick = () => apply(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  }

  keys() {
    const step = () => (this.range[1] - this.range[0]) / 200;
    document.addEventListener("keydown", (event) => {
      if (event.target.closest?.("select, button, input") && event.key !== " ") return;
      if (event.target.closest?.("button, select")) return;
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
    if (this.due || !this.look) return;
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
