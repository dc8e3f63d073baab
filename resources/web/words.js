// Texts of lessons, studies and models: a small part of Markdown, made of elements and never of HTML.

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

/** `code`, **bold**, *emphasis*, links to pages and ⟦dummies⟧; all else stands as it is written. */
function inline(text) {
  const out = document.createDocumentFragment();
  const marks = /`([^`]+)`|\*\*(?=\S)([^]*?\S)\*\*|\*(?=\S)([^*]*[^*\s])\*|⟦([^⟦⟧]*)⟧|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)|\\([\\`*_[\]()#+.!>-])/g;
  let last = 0;
  for (const found of text.matchAll(marks)) {
    out.append(text.slice(last, found.index));
    last = found.index + found[0].length;
    const [, code, bold, emphasis, dummy, link, address, escaped] = found;
    if (code) out.append(make("code", code));
    else if (escaped) out.append(escaped);
    else {
      const element = make(bold ? "b" : emphasis ? "em" : dummy ? "span" : "a", "", dummy ? "dummy" : "");
      if (address) Object.assign(element, { href: address, rel: "noopener" });
      element.append(inline(bold || emphasis || dummy || link));
      out.append(element);
    }
  }
  out.append(text.slice(last));
  return out;
}

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** A text as elements: paragraphs, quotations (each line is a formula), lists and tables. */
function markdown(text) {
  const out = document.createDocumentFragment();
  let before = "", block = null, lines = [];
  const kindOf = (line) => !line.trim() ? "" : /^>/.test(line) ? "quote" : /^\s*[-*] /.test(line) ? "ul" : /^\s*\d+[.)] /.test(line) ? "ol"
    : /^\|/.test(line) ? "table" : /^#+ /.test(line) ? "h3" : (before === "ul" || before === "ol") && /^\s/.test(line) ? before : "p";
  const close = () => {
    if (block && lines.length) block.append(inline(lines.join(" ")));
    lines = [];
  };
  for (const line of plain(text).split("\n")) {
    const kind = kindOf(line);
    if (kind !== before || kind === "h3") {
      close();
      block = kind ? make({ quote: "blockquote", p: "p" }[kind] || kind) : null;
      if (kind === "table") { const box = make("div", "", "scroll"); box.append(block); out.append(box); } else if (block) out.append(block);
      before = kind;
    }
    if (kind === "p" || kind === "h3") lines.push(line.trim().replace(/^#+ /, ""));
    else if (kind === "quote") {
      const words = line.replace(/^>\s?/, "").trim();
      if (words) block.append(make("p"));
      if (words) block.lastChild.append(inline(words));
    } else if (kind === "ul" || kind === "ol") {
      const item = /^\s*(?:[-*]|\d+[.)]) (.*)$/.exec(line);
      if (item) block.append(make("li"));
      else block.lastChild?.append(" ");
      (block.lastChild || block).append(inline(item ? item[1] : line.trim()));
    } else if (kind === "table" && !/^[|\s:-]+$/.test(line)) {
      const row = make("tr");
      row.append(...cellsOf(line).map((cell) => { const box = make(block.rows.length ? "td" : "th"); box.append(inline(cell)); return box; }));
      block.append(row);
    }
  }
  close();
  return out;
}
