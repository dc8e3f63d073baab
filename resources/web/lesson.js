// A lesson: one step at a time with its text, its task and its question, beside the bench as it was recorded. What a reader would
// do to the bench needs the program; the page says how to open the step there.

class Lesson {
  constructor(page, lesson) {
    Object.assign(this, { page, lesson, steps: lesson.steps, at: -1 });
    $("#lesson").hidden = false;
    document.body.classList.add("lesson");
    const choice = $("#steps");
    choice.replaceChildren(...this.steps.map((step, i) => Object.assign(make("option", `${i + 1}. ${plain(step.title)}`), { value: i })));
    choice.onchange = () => this.open(Number(choice.value));
    for (const [button, by] of [["#back", -1], ["#next", 1]]) $(button).onclick = () => { this.open(this.at + by); $("#guide").scrollIntoView({ block: "nearest" }); };
    window.addEventListener("hashchange", () => this.open(this.asked()));
  }

  /** The step that the address names: page.html#2 is the second one. */
  asked() {
    const number = Number.parseInt(window.location.hash.slice(1), 10);
    return Number.isFinite(number) ? clamp(number - 1, 0, this.steps.length - 1) : 0;
  }

  open(k) {
    if (k < 0 || k >= this.steps.length || k === this.at) return;
    const step = this.steps[k], name = `driftless lesson/${this.lesson.id}#${k + 1}`;
    this.at = k;
    if (k !== this.asked()) window.history.replaceState(null, "", `#${k + 1}`);
    $("#steps").value = k;
    $("#count").textContent = `Step ${k + 1} of ${this.steps.length}`;
    $("#back").disabled = k === 0;
    $("#next").disabled = k === this.steps.length - 1;
    const guide = $("#told"), title = make("h2", plain(step.title));
    guide.replaceChildren(title, markdown(step.text));
    if (step.task) {
      const task = make("div", "", "task");
      task.append(make("strong", "Task"), markdown(step.task));
      guide.append(task);
    }
    const open = make("p", step.question?.kind === "action" || step.exercise ? "Do it in the program: " : "This step in the program: ", "quiet open");
    open.append(make("code", name));
    guide.append(open);
    this.ask(step.question);
    this.page.setBench(step.bench, step.plots, step.speed);
  }

  ask(question) {
    const box = $("#question"), say = this.say = make("div", "", "verdict");
    say.setAttribute("aria-live", "polite");
    box.replaceChildren();
    $("#ask").classList.toggle("bare", !question);
    if (!question) return;
    if (question.kind !== "action" || question.text) box.append(make("h2", question.kind === "action" ? "In the end" : "Question"), markdown(question.text));
    if (question.kind === "choice") box.append(this.options(question));
    else if (question.kind === "number" && question.value !== undefined) box.append(this.number(question));
    box.append(this.help(question), say);
  }

  tell(right, words) {
    this.say.className = `verdict ${right === null ? "" : right ? "right" : "wrong"}`;
    this.say.replaceChildren(markdown(words));
  }

  options(question) {
    const list = make("div", "", "options");
    list.append(...question.options.map((option) => {
      const button = make("button", "", "option");
      button.type = "button";
      button.append(inline(plain(option.text)));
      button.onclick = () => {
        button.classList.add(option.right ? "right" : "wrong");
        this.tell(option.right, option.right ? `**Right.** ${question.explanation}` : `**No.** ${option.hint || question.hints[0] || "Look once more."}`);
      };
      return button;
    }));
    return list;
  }

  number(question) {
    const form = make("form", "", "answer"), field = make("input"), unit = make("span", question.unit || "", "quiet"), check = make("button", "Check");
    Object.assign(field, { type: "text", inputMode: "decimal", autocomplete: "off" });
    field.setAttribute("aria-label", "Your answer");
    form.onsubmit = (event) => {
      event.preventDefault();
      const words = field.value.trim().replace("−", "-").replace(",", "."), given = words ? Number(words) : NaN;
      if (!Number.isFinite(given)) { this.tell(null, "A number such as 0.25 or 3e-4."); return; }
      const right = Math.abs(given - question.value) <= question.allowed;
      this.tell(right, right ? `**Right:** ${shown(question.value, 3)} ${question.unit || ""}. ${question.explanation}` : `**No.** ${question.hints[0] || "Look once more."}`);
    };
    form.append(field, unit, check);
    return form;
  }

  /** One hint after the other, and in the end what the lesson says itself. */
  help(question) {
    const row = make("p", "", "help"), hint = make("button", "Hint"), answer = make("button", "Answer");
    hint.type = answer.type = "button";
    let next = 0;
    hint.onclick = () => this.tell(null, question.hints[next++ % question.hints.length]);
    answer.onclick = () => {
      const right = question.options?.find((option) => option.right)?.text
        ?? (question.value !== undefined ? `${shown(question.value, 3)} ${question.unit || ""}`.trim() : "");
      this.tell(true, `${right ? `**${right}.** ` : ""}${question.explanation}`);
    };
    if (question.hints.length) row.append(hint);
    if (question.explanation) row.append(answer);
    return row;
  }
}
