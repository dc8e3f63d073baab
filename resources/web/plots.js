// Plots on canvases with one time axis: recorded rows as they are, thinned per pixel to their lowest and highest value.

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [5, 2], [1, 4], [12, 4], [3, 5]];
const ROUND_OFF = 1e-15, FLOOR = 1e-17;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const raised = (n) => (n < 0 ? "⁻" : "") + String(Math.abs(n)).replace(/\d/g, (d) => SUPERSCRIPTS[d]);

/** A number for people: so many significant digits. */
function shown(x, digits = 6) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, power] = x.toExponential(digits - 1).split("e");
    return `${String(Number(mantissa)).replace("-", "−")}·10${raised(Number(power))}`;
  }
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

/** Measured data: a dot for each value, one for each place on the screen. */
function dots(pen, places, colour) {
  let last = [NaN, NaN];
  pen.fillStyle = colour;
  for (const [x, y] of places) {
    if (!Number.isFinite(x + y) || (Math.abs(x - last[0]) < 0.5 && Math.abs(y - last[1]) < 0.5)) continue;
    last = [x, y];
    pen.beginPath();
    pen.arc(x, y, 2.2, 0, 7);
    pen.fill();
  }
}

/** Places for ticks at 1, 2 or 5 times a power of ten. */
function ticks(low, high, most) {
  const raw = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= raw * 0.999) || 10), out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push(Number((k * step).toPrecision(12)));
  return out;
}

class Plot {
  /** panel: {title, unit, log, name of the column, lines: names where there are several}; runs: with columns by name. */
  constructor(panel, runs, page) {
    Object.assign(this, { panel, runs, page, lines: panel.lines || [panel.name] });
    this.root = document.createElement("div");
    this.root.className = "plot";
    this.root.innerHTML = '<div class="head"><strong></strong><span class="quiet"></span><div class="values"></div><button type="button" aria-label="Remove this plot" title="Remove">×</button></div><canvas></canvas>';
    this.root.querySelector("strong").textContent = panel.title;
    this.root.querySelector(".head .quiet").textContent = panel.unit ? `[${panel.unit}]` : "";
    this.values = this.root.querySelector(".values");
    this.canvas = this.root.querySelector("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", panel.title);
    this.pen = this.canvas.getContext("2d");
    this.root.querySelector("button").onclick = () => page.remove(this);
    this.listen();
  }

  series(i, name = this.panel.name) {
    const column = this.runs[i].byName[name];
    return column ? { t: this.runs[i].byName.t.values, v: column.values } : null;
  }

  /** The recorded value at t or at the last row before it. */
  at(i, t) {
    const s = this.series(i);
    if (!s) return NaN;
    let low = 0, high = s.t.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (s.t[middle] <= t) low = middle; else high = middle - 1;
    }
    return s.v[low];
  }

  range() {
    const [t0, t1] = this.page.range;
    let low = Infinity, high = -Infinity;
    // A run that failed may have left every scale: others decide, where there are any.
    const sound = this.runs.some((run, i) => this.page.shown[i] && run.outcome.status !== "failed" && this.series(i));
    this.runs.forEach((run, i) => {
      if (!this.page.shown[i] || (sound && run.outcome.status === "failed")) return;
      for (const line of this.lines) {
        const s = this.series(i, line);
        for (let k = 0; s && k < s.t.length; ++k) {
          // A neighbour outside counts: the curve enters from there.
          if ((s.t[k + 1] ?? s.t[k]) < t0 || (s.t[k - 1] ?? s.t[k]) > t1) continue;
          const y = this.scaled(s.v[k]);
          if (!Number.isFinite(y)) continue;
          low = Math.min(low, y);
          high = Math.max(high, y);
        }
      }
    });
    if (!(low <= high)) return this.panel.log ? [-16, 0] : [-1, 1];
    if (this.panel.log) return [Math.floor(low + 1e-9), Math.max(Math.ceil(high - 1e-9), Math.floor(low + 1e-9) + 1)];
    const room = 0.08 * (high - low) || Math.max(Math.abs(high) * 0.1, 1e-12);
    return [low - room, high + room];
  }
  /** A logarithm has no place for an exact zero: the curve passes over it. */
  scaled(v) { return !this.panel.log ? v : v === 0 ? NaN : Math.log10(Math.max(Math.abs(v), FLOOR)); }

  draw(look) {
    const { pen, page, canvas } = this, box = canvas.getBoundingClientRect(), ratio = Math.min(3, window.devicePixelRatio || 1);
    const w = Math.max(60, box.width), h = Math.max(60, box.height);
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio))
      Object.assign(canvas, { width: Math.round(w * ratio), height: Math.round(h * ratio) });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    const [t0, t1] = page.range, [low, high] = this.range();
    const area = this.area = { left: 58, right: w - 8, top: 8, bottom: h - 22 };
    const x = (t) => area.left + (t - t0) / (t1 - t0 || 1) * (area.right - area.left);
    const y = (v) => area.bottom - (v - low) / (high - low || 1) * (area.bottom - area.top);
    this.x = x;
    this.y = y;
    this.axes(look, x, y, low, high);
    pen.save();
    pen.beginPath();
    pen.rect(area.left, area.top - 2, area.right - area.left, area.bottom - area.top + 4);
    pen.clip();
    this.runs.forEach((run, i) => { if (page.shown[i]) this.lines.forEach((line, k) => this.curve(i, line, [2, 1.4, 0.8][k], look, x, y, t0, t1)); });
    this.cursor(look, x, page.t, 1.5, look.text);
    if (page.hover !== null) this.cursor(look, x, page.hover, 1, look.secondary);
    pen.restore();
    if (this.dragged) {
      pen.fillStyle = look.runs[0];
      pen.globalAlpha = 0.15;
      pen.fillRect(Math.min(this.dragged.from, this.dragged.to), area.top, Math.abs(this.dragged.to - this.dragged.from), area.bottom - area.top);
      pen.globalAlpha = 1;
    }
    this.tell(look);
  }

  axes(look, x, y, low, high, [t0, t1] = this.page.range, unit = " s") {
    const { pen, area } = this;
    if (this.panel.log && low < Math.log10(ROUND_OFF)) {
      const top = Math.max(area.top, y(Math.log10(ROUND_OFF)));
      pen.fillStyle = look.secondary;
      pen.globalAlpha = 0.1;
      pen.fillRect(area.left, top, area.right - area.left, area.bottom - top);
      pen.globalAlpha = 1;
    }
    pen.font = "12px Inter, system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.strokeStyle = look.line;
    pen.fillStyle = look.secondary;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const decades = this.panel.log ? Math.max(1, Math.ceil((high - low) / 5)) : 0;
    const marks = this.panel.log ? Array.from({ length: Math.floor((high - low) / decades) + 1 }, (_, k) => low + k * decades) : ticks(low, high, 5);
    pen.beginPath();
    for (const v of marks) {
      const at = Math.round(y(v)) + 0.5;
      pen.moveTo(area.left, at);
      pen.lineTo(area.right, at);
      pen.fillText(this.panel.log ? `10${raised(v)}` : shown(v, 4), area.left - 7, at);
    }
    pen.stroke();
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const times = ticks(t0, t1, Math.max(2, (area.right - area.left) / 90));
    pen.beginPath();
    for (const t of times) {
      const at = Math.round(x(t)) + 0.5;
      pen.moveTo(at, area.bottom);
      pen.lineTo(at, area.bottom + 4);
      pen.fillText(shown(t, 6) + (t === times[times.length - 1] ? unit : ""), clamp(at, area.left, area.right - 14), area.bottom + 6);
    }
    pen.stroke();
  }

  curve(i, line, width, look, x, y, t0, t1) {
    const s = this.series(i, line), { pen } = this;
    if (!s) return;
    if (this.runs[i].measured) {
      const places = Array.from(s.t, (t, k) => [x(t), this.panel.log && s.v[k] === 0 ? NaN : y(this.scaled(s.v[k]))]);
      dots(pen, places.filter((_, k) => s.t[k] >= t0 && s.t[k] <= t1), look.runs[this.runs[i].colour % look.runs.length]);
      return;
    }
    pen.beginPath();
    let open = false, pixel = NaN, least = 0, most = 0, last = 0;
    const flush = () => {
      if (Number.isNaN(pixel)) return;
      if (least !== most) {
        pen.lineTo(pixel, least);
        pen.lineTo(pixel, most);
      }
      pen.lineTo(pixel, last);
    };
    for (let k = 0; k < s.t.length; ++k) {
      if ((s.t[k + 1] ?? s.t[k]) < t0 || (s.t[k - 1] ?? s.t[k]) > t1) continue;
      const value = y(this.scaled(s.v[k])), at = x(s.t[k]);
      if (this.panel.log && s.v[k] === 0) continue;
      if (!Number.isFinite(value)) { flush(); open = false; pixel = NaN; continue; }
      if (!open) {
        pen.moveTo(at, value);
        open = true;
      }
      if (Math.abs(at - pixel) < 0.5) {
        least = Math.min(least, value);
        most = Math.max(most, value);
        last = value;
        continue;
      }
      flush();
      pixel = at;
      least = most = last = value;
    }
    flush();
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.strokeStyle = look.runs[this.runs[i].colour % look.runs.length];
    pen.setLineDash(DASHES[this.runs[i].colour % DASHES.length]);
    pen.stroke();
    pen.setLineDash([]);
  }

  cursor(look, x, t, width, style) {
    const { pen, area } = this, at = Math.round(x(t)) + 0.5;
    if (at < area.left - 1 || at > area.right + 1) return;
    pen.lineWidth = width;
    pen.strokeStyle = style;
    pen.beginPath();
    pen.moveTo(at, area.top);
    pen.lineTo(at, area.bottom);
    pen.stroke();
    this.runs.forEach((run, i) => {
      if (!this.page.shown[i]) return;
      const v = this.scaled(this.at(i, t));
      if (!Number.isFinite(v)) return;
      pen.beginPath();
      pen.arc(at, this.y(v), 3.2, 0, 7);
      pen.fillStyle = look.runs[run.colour % look.runs.length];
      pen.fill();
    });
  }

  /** The values at the cursor, in the colours of their runs. */
  tell(look) {
    const t = this.page.hover ?? this.page.t, items = [];
    this.runs.forEach((run, i) => {
      if (!this.page.shown[i] || !this.series(i)) return;
      const b = document.createElement("b");
      b.style.color = look.runs[run.colour % look.runs.length];
      b.textContent = shown(this.at(i, t));
      b.title = run.name;
      items.push(b);
    });
    this.values.replaceChildren(...items);
  }

  timeAt(event) {
    const [t0, t1] = this.page.range, box = this.canvas.getBoundingClientRect(), { left, right } = this.area;
    return clamp(t0 + (event.clientX - box.left - left) / (right - left) * (t1 - t0), t0, t1);
  }

  listen() {
    const { canvas, page } = this, fingers = new Map();
    const place = (event) => event.clientX - canvas.getBoundingClientRect().left;
    let spread = null;
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event.clientX);
      canvas.setPointerCapture(event.pointerId);
      if (event.pointerType === "mouse") this.dragged = { from: place(event), to: place(event), start: this.timeAt(event) };
      else if (fingers.size === 1) page.seek(this.timeAt(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()], now = Math.max(20, Math.abs(a - b));
        if (spread) page.zoom(now / spread, this.timeAt({ clientX: (a + b) / 2 }));
        spread = now;
        return;
      }
      if (event.pointerType !== "mouse") {
        if (fingers.size === 1) page.seek(this.timeAt(event));
        return;
      }
      page.hover = this.timeAt(event);
      if (this.dragged) this.dragged.to = place(event);
      page.changed();
    });
    const end = (event) => {
      fingers.delete(event.pointerId);
      spread = null;
      const dragged = this.dragged;
      this.dragged = null;
      if (!dragged || event.type === "pointercancel") return;
      if (Math.abs(dragged.to - dragged.from) < 5) page.seek(this.timeAt(event));
      else page.setRange(...[dragged.start, this.timeAt(event)].sort((a, b) => a - b));
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => { page.hover = null; page.changed(); });
    canvas.addEventListener("dblclick", () => page.setRange(...page.whole));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      page.zoom(Math.exp(-event.deltaY * 0.0016), this.timeAt(event));
    }, { passive: false });
  }
}

/** One column against another; where the runs are now is marked. */
class Phase extends Plot {
  listen() { this.canvas.style.cursor = "default"; }

  draw(look) {
    const { pen, page, canvas, panel } = this, box = canvas.getBoundingClientRect(), ratio = Math.min(3, window.devicePixelRatio || 1);
    const w = Math.max(60, box.width), h = Math.max(60, box.height), [t0, t1] = page.range;
    Object.assign(canvas, { width: Math.round(w * ratio), height: Math.round(h * ratio) });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    const area = this.area = { left: 58, right: w - 8, top: 8, bottom: h - 22 };
    const curves = this.runs.map((run, i) => {
      const x = this.series(i, panel.against), y = this.series(i);
      return page.shown[i] && x && y ? { x: x.v, y: y.v, t: y.t } : null;
    });
    const bounds = [Infinity, -Infinity, Infinity, -Infinity];
    for (const c of curves)
      for (let k = 0; c && k < c.t.length; ++k) {
        if (c.t[k] < t0 || c.t[k] > t1 || !Number.isFinite(c.x[k] + c.y[k])) continue;
        bounds[0] = Math.min(bounds[0], c.x[k]); bounds[1] = Math.max(bounds[1], c.x[k]);
        bounds[2] = Math.min(bounds[2], c.y[k]); bounds[3] = Math.max(bounds[3], c.y[k]);
      }
    if (!(bounds[0] <= bounds[1])) return;
    const room = (low, high) => 0.06 * (high - low) || Math.max(1e-12, 0.1 * Math.abs(high));
    const [x0, x1] = [bounds[0] - room(bounds[0], bounds[1]), bounds[1] + room(bounds[0], bounds[1])];
    const [low, high] = [bounds[2] - room(bounds[2], bounds[3]), bounds[3] + room(bounds[2], bounds[3])];
    const x = (v) => area.left + (v - x0) / (x1 - x0) * (area.right - area.left), y = (v) => area.bottom - (v - low) / (high - low) * (area.bottom - area.top);
    this.axes(look, x, y, low, high, [x0, x1], "");
    curves.forEach((c, i) => {
      if (!c) return;
      if (this.runs[i].measured) {
        dots(pen, Array.from(c.t, (t, k) => (t < t0 || t > t1 ? [NaN, NaN] : [x(c.x[k]), y(c.y[k])])), look.runs[this.runs[i].colour % look.runs.length]);
        return;
      }
      pen.beginPath();
      let open = false, now = -1;
      for (let k = 0; k < c.t.length; ++k) {
        if (c.t[k] <= page.t) now = k;
        if (c.t[k] < t0 || c.t[k] > t1 || !Number.isFinite(c.x[k] + c.y[k])) { open = false; continue; }
        if (open) pen.lineTo(x(c.x[k]), y(c.y[k])); else pen.moveTo(x(c.x[k]), y(c.y[k]));
        open = true;
      }
      Object.assign(pen, { lineWidth: 2, lineJoin: "round", strokeStyle: look.runs[this.runs[i].colour % 8] });
      pen.setLineDash(DASHES[this.runs[i].colour % DASHES.length]);
      pen.stroke();
      pen.setLineDash([]);
      if (now < 0 || !Number.isFinite(c.x[now] + c.y[now])) return;
      pen.beginPath();
      pen.arc(x(c.x[now]), y(c.y[now]), 5, 0, 7);
      Object.assign(pen, { fillStyle: look.runs[this.runs[i].colour % 8], strokeStyle: look.surface, lineWidth: 1.5 });
      pen.fill();
      pen.stroke();
    });
    this.tell(look);
  }
}
