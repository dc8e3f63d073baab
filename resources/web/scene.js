// The scene: parts of a model drawn on a canvas, from far to near. Plane models are seen in parallel projection, space models in a
// perspective of 30 degrees. yaw turns about the vertical (y), pitch about the horizontal of the picture; both 0 is the front view.

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const add = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const HALF_ANGLE = Math.PI / 12;
const TRAIL_SECONDS = 3;

/** Bytes of a base64 text. */
function bytesOf(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

/** Where the points of one run are at any time: linear between frames, or the frame before where a line would be no motion. */
class Frames {
  constructor(frames, scene) {
    Object.assign(this, { from: frames.from, to: frames.to, count: frames.count, points: scene.points, lines: frames.lines !== false });
    const places = new Uint16Array(bytesOf(frames.points));
    this.xyz = new Float32Array(places.length);
    for (let i = 0; i < places.length; ++i) {
      const axis = i % 3;
      this.xyz[i] = scene.low[axis] + places[i] / 65535 * (scene.high[axis] - scene.low[axis]);
    }
  }
  point(t, i) {
    const share = this.to > this.from ? clamp((t - this.from) / (this.to - this.from), 0, 1) * (this.count - 1) : 0;
    const k = Math.min(Math.floor(share + 1e-9), Math.max(0, this.count - (this.lines ? 2 : 1))), w = this.lines ? share - k : 0;
    const a = 3 * (k * this.points + i), b = this.lines && this.count > 1 ? a + 3 * this.points : a, v = this.xyz;
    return [v[a] + w * (v[b] - v[a]), v[a + 1] + w * (v[b + 1] - v[a + 1]), v[a + 2] + w * (v[b + 2] - v[a + 2])];
  }
}

class Scene {
  constructor(canvas, scene, runs) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.scene = scene;
    this.runs = runs;
    this.frames = runs.map((run) => new Frames(run.frames, scene));
    this.traces = this.tracesOf();
    this.L = this.drawnLength();
    this.hanging = this.hangs();
    this.home();
  }

  /** Bodies leave trails; in a mechanism of bars alone their ends do. */
  tracesOf() {
    const bodies = this.scene.parts.filter((p) => p.trail).map((p) => p.first);
    const ends = this.scene.parts.filter((p) => p.count > 1 && (p.kind === "bar" || p.kind === "rod")).map((p) => p.first + 1);
    const all = bodies.length ? bodies : ends, most = 12;
    return all.length <= most ? all : Array.from({ length: most }, (_, k) => all[Math.floor((k + 1) * all.length / most) - 1]);
  }

  /** The length that bodies are drawn in proportion to: half the view, but no more than a few links. */
  drawnLength() {
    const { low, high } = this.scene.view, frames = this.frames[0];
    const half = Math.max(...[0, 1, 2].map((k) => high[k] - low[k])) / 2 || 1;
    const links = this.scene.parts.filter((p) => p.count > 1 && (p.kind === "bar" || p.kind === "rod"))
      .map((p) => size(add(frames.point(frames.from, p.first), frames.point(frames.from, p.first + 1), -1))).sort((a, b) => a - b);
    return links.length >= 6 ? Math.min(half, 3 * links[Math.floor(links.length / 2)]) : half;
  }

  hangs() {
    const frames = this.frames[0], n = this.scene.points;
    let mean = 0;
    for (let i = 0; i < n; ++i) mean += frames.point(frames.from, i)[1] / n;
    return (p) => mean <= p[1] + 1e-6;
  }

  home() {
    const { low, high } = this.scene.view;
    this.target = low.map((v, k) => (v + high[k]) / 2);
    this.yaw = this.scene.planar ? 0 : 0.6;
    this.pitch = this.scene.planar ? 0 : 0.32;
    this.zoom = 1;
  }

  /** Half the height that is seen at the target [m]. */
  half() {
    const { low, high } = this.scene.view, aspect = this.width / this.height;
    const box = low.map((v, k) => Math.max(high[k] - v, 1e-9) / 2);
    const across = this.scene.planar ? box[0] : Math.hypot(box[0], box[2]);
    const upright = this.scene.planar ? box[1] : Math.hypot(box[1], 0.35 * across);
    return Math.max(upright, across / aspect, 1e-9) * (this.scene.planar ? 1.16 : 1.06) / this.zoom;
  }

  place() {
    const box = this.canvas.getBoundingClientRect(), ratio = Math.min(3, window.devicePixelRatio || 1);
    this.width = Math.max(1, box.width);
    this.height = Math.max(1, box.height);
    const w = Math.round(this.width * ratio), h = Math.round(this.height * ratio);
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    this.right = [cy, 0, -sy];
    this.viewer = [sy * cp, sp, cy * cp];
    this.up = cross(this.viewer, this.right);
    this.scale = this.height / 2 / this.half();
    this.distance = this.half() / Math.tan(HALF_ANGLE);
  }

  /** Pixels from the left and the top, the depth towards the viewer [m], and pixels per metre there. */
  project(p) {
    const d = add(p, this.target, -1), depth = dot(d, this.viewer);
    const near = this.scene.planar ? 1 : this.distance / Math.max(this.distance - depth, 0.02 * this.distance);
    return {
      x: this.width / 2 + dot(d, this.right) * this.scale * near, y: this.height / 2 - dot(d, this.up) * this.scale * near,
      depth, pixels: this.scale * near,
    };
  }

  orbit(dx, dy) {
    this.yaw -= dx * 0.008;
    this.pitch = clamp(this.pitch + dy * 0.008, -1.55, 1.55);
  }
  pan(dx, dy) {
    this.target = add(add(this.target, this.right, -dx / this.scale), this.up, dy / this.scale);
  }
  nearer(factor, x, y) {
    const before = this.zoom;
    this.zoom = clamp(this.zoom * factor, 0.2, 60);
    const k = 1 - before / this.zoom, dx = (x - this.width / 2) / this.scale, dy = (y - this.height / 2) / this.scale;
    this.target = add(add(this.target, this.right, k * dx), this.up, -k * dy);
  }

  draw(t, shown, look) {
    this.place();
    const { pen } = this;
    this.look = look;
    pen.clearRect(0, 0, this.width, this.height);
    pen.fillStyle = look.window;
    pen.fillRect(0, 0, this.width, this.height);
    pen.lineCap = pen.lineJoin = "round";
    this.grid();
    const things = [];
    const first = shown.indexOf(true);
    this.frames.forEach((frames, i) => {
      if (!shown[i]) return;
      this.ghost = i !== first;
      this.colour = look.runs[this.runs[i].colour % look.runs.length];
      this.trail(frames, t);
      for (const part of this.scene.parts) this.add(things, part, frames, t, i === first ? 0 : 1);
    });
    things.sort((a, b) => a.depth - b.depth || b.rank - a.rank);
    for (const thing of things) thing.draw();
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  grid() {
    const { pen, scene } = this, { low, high } = scene.view, planar = scene.planar;
    let unit = scene.unit;
    const span = Math.max(high[0] - low[0], planar ? high[1] - low[1] : high[2] - low[2], unit / 4);
    while (span / unit > 24) unit *= 2;
    const reach = planar ? 3 * span : 0.75 * span;
    const middle = [0, 1, 2].map((k) => unit * Math.round((low[k] + high[k]) / 2 / unit));
    const floor = low[1] - 0.04 * this.L, count = Math.ceil(reach / unit);
    const at = (u, v) => this.project(planar ? [middle[0] + u, middle[1] + v, 0] : [middle[0] + u, floor, middle[2] + v]);
    pen.strokeStyle = this.look.text;
    pen.lineWidth = 1;
    pen.globalAlpha = planar ? 0.08 : 0.1;
    pen.beginPath();
    for (let k = -count; k <= count; ++k)
      for (const [p, q] of [[at(k * unit, -count * unit), at(k * unit, count * unit)], [at(-count * unit, k * unit), at(count * unit, k * unit)]]) {
        pen.moveTo(p.x, p.y);
        pen.lineTo(q.x, q.y);
      }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  trail(frames, t) {
    if (!frames.lines) return;
    const { pen } = this, length = Math.min(TRAIL_SECONDS, (frames.to - frames.from) / 5), samples = 48;
    pen.strokeStyle = this.colour;
    pen.lineCap = "butt";
    for (const trace of this.traces) {
      let before = null;
      for (let k = 0; k <= samples; ++k) {
        const when = t - length * (1 - k / samples);
        if (when < frames.from) continue;
        const p = this.project(frames.point(when, trace));
        if (before) {
          pen.globalAlpha = 0.5 * (k / samples) ** 2;
          pen.lineWidth = Math.max(1, 0.014 * this.L * p.pixels * (0.4 + 0.6 * k / samples));
          pen.beginPath();
          pen.moveTo(before.x, before.y);
          pen.lineTo(p.x, p.y);
          pen.stroke();
        }
        before = p;
      }
    }
    pen.globalAlpha = 1;
    pen.lineCap = "round";
  }

  /** One part as something to draw. Ghosts are outlines, so that runs which coincide can be told apart. */
  add(things, part, frames, t, rank) {
    const points = Array.from({ length: part.count }, (_, k) => frames.point(t, part.first + k));
    const seen = points.map((p) => this.project(p));
    if (seen.some((p) => !Number.isFinite(p.x + p.y))) return;
    const { colour, ghost } = this, depth = seen.reduce((sum, p) => sum + p.depth, 0) / seen.length;
    const shape = Scene.shapes[part.kind];
    if (!shape) return;
    const lift = { pin: 2e-3, ground: 1e-3, point: 3e-3, sphere: 2e-3 }[part.kind] || 0;
    things.push({ rank, depth: depth + lift * this.L, draw: () => {
      this.colour = colour;
      this.ghost = ghost;
      this.pen.globalAlpha = 1;
      this.pen.setLineDash([]);
      shape.call(this, seen, points, part);
    } });
  }

  mixed(share) { return `color-mix(in srgb, ${this.colour} ${100 * share}%, ${this.look.surface})`; }
  path(seen, closed = false) {
    this.pen.beginPath();
    seen.forEach((p, i) => (i ? this.pen.lineTo(p.x, p.y) : this.pen.moveTo(p.x, p.y)));
    if (closed) this.pen.closePath();
  }
  stroke(width, style = this.colour) {
    Object.assign(this.pen, { lineWidth: width, strokeStyle: style });
    this.pen.stroke();
  }
  fill(style) {
    this.pen.fillStyle = style;
    this.pen.fill();
  }
  circle(p, radius) {
    this.pen.beginPath();
    this.pen.arc(p.x, p.y, Math.max(0.5, radius), 0, 7);
  }
  /** A closed shape in its plane: solid for the first run, an outline for the others. */
  plate(seen, share = 0.28) {
    this.path(seen, true);
    if (!this.ghost) this.fill(this.mixed(share));
    this.stroke(Math.max(1.6, 0.012 * this.L * seen[0].pixels));
  }
  ball(p, radius) {
    if (this.ghost) {
      this.circle(p, radius);
      this.stroke(Math.max(2, 0.28 * radius));
      return;
    }
    let style = this.colour;
    if (!this.scene.planar) {
      style = this.pen.createRadialGradient(p.x - 0.35 * radius, p.y - 0.4 * radius, 0.05 * radius, p.x, p.y, radius);
      style.addColorStop(0, this.mixed(0.45));
      style.addColorStop(0.6, this.colour);
      style.addColorStop(1, `color-mix(in srgb, ${this.colour} 78%, black)`);
    }
    this.circle(p, radius);
    this.fill(style);
  }
  /** centre + cos a + sin b, in pixels. */
  ring(centre, a, b, from = 0, to = 2 * Math.PI, steps = 48) {
    return Array.from({ length: steps + 1 }, (_, k) => {
      const angle = from + (to - from) * k / steps;
      return this.project(add(add(centre, a, Math.cos(angle)), b, Math.sin(angle)));
    });
  }
}

const quarter = (a, share = 1) => [-a[1] * share, a[0] * share, 0];

Scene.shapes = {
  point(seen, points, part) { this.ball(seen[0], (part.size > 0 ? part.size : 0.06 * this.L) * seen[0].pixels); },
  rod(seen) {
    const width = Math.max(2, 0.03 * this.L * seen[0].pixels);
    this.path(seen);
    if (this.ghost) this.pen.setLineDash([2.2 * width, 1.8 * width]);
    this.stroke(this.ghost ? Math.max(1.5, 0.5 * width) : width, this.ghost ? this.colour : `color-mix(in srgb, ${this.colour} 45%, ${this.look.text})`);
  },
  bar(seen) {
    const width = Math.max(3, 0.055 * this.L * seen[0].pixels);
    this.path(seen);
    if (this.ghost) {
      this.pen.setLineDash([1.4 * width, 1.2 * width]);
      this.stroke(Math.max(1.5, 0.35 * width));
      return;
    }
    this.stroke(width);
    this.stroke(Math.max(1, width - 3), this.mixed(0.35));
  },
  disc(seen, points) {
    const a = add(points[1], points[0], -1), b = points.length > 2 ? add(points[2], points[0], -1) : quarter(a);
    this.plate(this.ring(points[0], a, b));
    this.path([seen[0], seen[1]]);
    this.stroke(Math.max(1.5, 0.012 * this.L * seen[0].pixels));
  },
  block(seen, points, part) {
    const c = points[0], axes = points.slice(1).map((p) => add(p, c, -1));
    if (axes.length < 3) {
      const b = quarter(axes[0], part.size2 || 1), corner = (s, r) => this.project(add(add(c, axes[0], s), b, r));
      this.plate([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]);
      return;
    }
    const faces = [];
    for (let k = 0; k < 3; ++k)
      for (const sign of [-1, 1]) {
        const [u, v] = [axes[(k + 1) % 3], axes[(k + 2) % 3]], middle = add(c, axes[k], sign);
        const corner = (s, r) => this.project(add(add(middle, u, s), v, r));
        const light = 0.5 + 0.5 * sign * dot(axes[k], [-0.4, 0.8, 0.45]) / (size(axes[k]) || 1);
        faces.push({ depth: this.project(middle).depth, light, corners: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] });
      }
    for (const face of faces.sort((p, q) => p.depth - q.depth).slice(this.ghost ? 0 : 3)) this.plate(face.corners, 0.3 + 0.45 * (1 - face.light));
  },
  sphere(seen, points) {
    const a = add(points[1], points[0], -1), b = add(points[2] || points[1], points[0], -1);
    this.ball(seen[0], size(a) * seen[0].pixels);
    const line = this.ghost ? this.colour : this.look.surface;
    for (const [u, v] of [[a, b], [a, cross(a, b).map((x) => x / (size(a) || 1))]]) {
      const ring = this.ring(points[0], u, v);
      this.pen.beginPath();
      ring.forEach((p, i) => (i && p.depth >= seen[0].depth ? this.pen.lineTo(p.x, p.y) : this.pen.moveTo(p.x, p.y)));
      this.stroke(1.4, line);
    }
  },
  pin(seen) {
    this.circle(seen[0], Math.max(2, 0.02 * this.L * seen[0].pixels));
    this.fill(this.look.surface);
    this.stroke(1.6, this.ghost ? this.colour : this.look.text);
  },
  ground(seen, points) {
    const p = seen[0], r = Math.max(5, 0.075 * this.L * p.pixels), way = this.hanging(points[0]) ? -1 : 1, { pen } = this;
    pen.beginPath();
    pen.moveTo(p.x, p.y);
    pen.lineTo(p.x - 0.75 * r, p.y + way * r);
    pen.lineTo(p.x + 0.75 * r, p.y + way * r);
    pen.closePath();
    this.fill(this.look.surface);
    this.stroke(1.4, this.look.secondary);
    pen.beginPath();
    pen.moveTo(p.x - 1.2 * r, p.y + way * r);
    pen.lineTo(p.x + 1.2 * r, p.y + way * r);
    for (let k = -2; k <= 2; ++k) {
      pen.moveTo(p.x + (0.5 * k + 0.1) * r, p.y + way * r);
      pen.lineTo(p.x + (0.5 * k - 0.2) * r, p.y + way * 1.4 * r);
    }
    this.stroke(1.4, this.look.secondary);
    this.circle(p, Math.max(2.5, 0.026 * this.L * p.pixels));
    this.fill(this.look.surface);
    this.stroke(1.8, this.look.text);
  },
  rail(seen, points) {
    const d = add(points[1], points[0], -1), reach = 3 * this.L / (size(d) || 1);
    this.path([this.project(add(points[0], d, -reach)), this.project(add(points[0], d, reach))]);
    this.stroke(1.5, this.look.secondary);
  },
  slider(seen, points) {
    const d = add(points[1], points[0], -1), along = d.map((x) => x * 0.09 * this.L / (size(d) || 1));
    const side = this.scene.planar ? quarter(along, 0.6) : cross(this.viewer, along).map((x) => 0.6 * x);
    const corner = (s, r) => this.project(add(add(points[0], along, s), side, r));
    this.plate([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], 0.2);
  },
  spring(seen) {
    const [p, q] = seen, dx = q.x - p.x, dy = q.y - p.y, length = Math.hypot(dx, dy) || 1, turns = 9;
    const wide = 0.05 * this.L * p.pixels, line = [p];
    for (let k = 0; k < 2 * turns; ++k) {
      const s = 0.1 + 0.8 * (k + 0.5) / (2 * turns), side = (k % 2 ? -1 : 1) * wide / length;
      line.push({ x: p.x + s * dx - side * dy, y: p.y + s * dy + side * dx });
    }
    this.path([...line, q]);
    this.stroke(Math.max(1.4, 0.012 * this.L * p.pixels));
  },
  damper(seen) {
    const [p, q] = seen, dx = q.x - p.x, dy = q.y - p.y, length = Math.hypot(dx, dy) || 1, wide = 0.05 * this.L * p.pixels / length;
    const at = (s, side) => ({ x: p.x + s * dx - side * wide * dy, y: p.y + s * dy + side * wide * dx });
    const lines = [[p, at(0.3, 0)], [at(0.75, 1), at(0.3, 1), at(0.3, -1), at(0.75, -1)], [at(0.55, 0.8), at(0.55, -0.8)], [at(0.55, 0), q]];
    for (const line of lines) {
      this.path(line);
      this.stroke(Math.max(1.4, 0.012 * this.L * p.pixels));
    }
  },
  stop(seen) {
    const [p, q] = seen, dx = q.x - p.x, dy = q.y - p.y, length = Math.hypot(dx, dy) || 1, wide = 0.07 * this.L * p.pixels / length;
    this.path([{ x: p.x - wide * dy, y: p.y + wide * dx }, { x: p.x + wide * dy, y: p.y - wide * dx }]);
    this.stroke(3, this.ghost ? this.colour : this.look.secondary);
  },
  curve(seen) {
    this.path(seen);
    this.stroke(Math.max(1.4, 0.014 * this.L * seen[0].pixels), this.ghost ? this.colour : this.look.secondary);
  },
};
