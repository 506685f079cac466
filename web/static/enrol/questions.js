// One question at a time about what was not read surely: answered by a tap on a picture.
import { h } from "/static/dom.js";
import { t } from "/static/live.js";
import { applies, drawn, listOf, pictureOf, valueOf, wordsOf } from "/static/enrol/values.js";

/** The next thing to ask of the open pieces: a field of one, or a mark of several at once; null when all is clear. */
export function nextQuestion(course) {
  const open = course.pieces.filter((piece) => !piece.kept);
  for (const field of course.form.fields) {
    const unsure = open.filter((piece) => applies(field, piece) && piece.fields[field.key] && !piece.fields[field.key].sure);
    if (!unsure.length) continue;
    if (field.shown === "mark") return { field, pieces: unsure };
    return { field, pieces: [unsure[0]] };
  }
  return null;
}

/** The question drawn; `tell(answers)` says what a person answered: (piece, key, value) each. */
export function drawQuestion(course, question, tell, cancel) {
  const { field, pieces } = question;
  return field.shown === "mark" && pieces.length > 1
    ? markQuestion(course, field, pieces, tell)
    : fieldQuestion(course, field, pieces[0], tell, cancel);
}

function markQuestion(course, field, pieces, tell) {
  const marked = new Set(pieces.filter((piece) => valueOf(piece, field.key) === "yes").map((piece) => piece.number));
  const toggle = (button, number) => {
    if (!marked.delete(number)) marked.add(number);
    button.setAttribute("aria-pressed", marked.has(number));
  };
  return h(
    "div",
    { class: "stack" },
    h("h2", {}, t("{field}: which of them carry “{mark}”?", { field: field.title, mark: field.printed })),
    h("p", { class: "small soft" }, t("Tap those that do, then say that these are all.")),
    h(
      "div",
      { class: "choices" },
      pieces.map((piece) => {
        const button = h(
          "button",
          { type: "button", "aria-pressed": String(marked.has(piece.number)), "data-key": `mark-${piece.number}`,
            "data-piece": piece.number, "aria-label": t("piece {n}", { n: piece.number }) },
          h("span", { class: "value" }, h("img", { class: "sample", src: pictureOf(course, piece), alt: "" })),
        );
        button.addEventListener("click", () => toggle(button, piece.number));
        return button;
      }),
    ),
    h(
      "button",
      { type: "button", class: "primary big", id: "these-are-all",
        onclick: () => tell(pieces.map((piece) => ({ piece: piece.number, key: field.key, value: marked.has(piece.number) ? "yes" : "no" }))) },
      t("These are all"),
    ),
  );
}

function fieldQuestion(course, field, piece, tell, cancel) {
  const read = piece.fields[field.key] || { value: null, others: [], box: null };
  const say = (value) => tell([{ piece: piece.number, key: field.key, value }]);
  return h(
    "div",
    { class: "stack" },
    h("h2", {}, `${field.title}?`),
    h(
      "div",
      { class: "ask" },
      wholePicture(course, piece, read.box),
      field.written === "list" ? listChoice(course, field, piece, say) : choices(course, field, piece, read, say),
    ),
    cancel ? h("button", { type: "button", class: "plain", onclick: cancel }, t("Leave it")) : null,
  );
}

function wholePicture(course, piece, box) {
  const at = box && { left: box[0], top: box[1], width: box[2] - box[0], height: box[3] - box[1] };
  return h(
    "div",
    { class: "whole" },
    h("img", { src: pictureOf(course, piece), alt: t("piece {n}", { n: piece.number }) }),
    at
      ? h("span", { class: "at", style: Object.entries(at).map(([side, part]) => `${side}:${(100 * part).toFixed(1)}%`).join(";") })
      : null,
  );
}

/** What it may be, the likeliest first; of a symbol those that are known, and one more for another. */
function choices(course, field, piece, read, say) {
  const all = field.values.map((one) => one.value);
  const likely = [read.value, ...(read.others || [])].filter((value) => value !== null && all.includes(value));
  const offered = [...new Set([...likely, ...all])];
  return h(
    "div",
    { class: "choices" },
    offered.map((value) =>
      h(
        "button",
        { type: "button", class: value === read.value ? "likely" : "", "data-value": value, "aria-label": wordsOf(field, value), onclick: () => say(value) },
        drawn(course, field, value, piece),
      ),
    ),
  );
}

function listChoice(course, field, piece, say) {
  const order = field.values.map((one) => one.value);
  let chosen = listOf(valueOf(piece, field.key));
  const place = h("div", { class: "stack" });
  const show = () => {
    chosen.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    place.replaceChildren(
      h("p", { class: "row" }, drawn(course, field, chosen.join(","), piece),
        h("button", { type: "button", id: "none-of-these", disabled: !chosen.length, onclick: () => { chosen = []; show(); } }, t("none"))),
      h(
        "div",
        { class: "choices" },
        field.values.map((one) =>
          h(
            "button",
            { type: "button", "data-value": one.value, "aria-label": t("one more: {what}", { what: one.label }),
              onclick: () => { chosen.push(one.value); show(); } },
            "+ ", h("span", { class: "value" }, h("span", { class: `icon disc ${one.value}` })), h("span", { class: "small" }, one.label),
          ),
        ),
      ),
      h("button", { type: "button", class: "primary", id: "so-it-is", onclick: () => say(chosen.join(",")) }, t("So it is")),
    );
  };
  show();
  return place;
}
