// One question at a time about what was not read surely: answered by a tap on a picture.
import { h } from "/static/page/dom.js";
import { t } from "/static/page/live.js";
import { applies, drawn, isOnBack, isTicked, listOf, offered, pictureOf, sortOf, valueOf, wordsOf } from "/static/enrol/values.js";

/** The next thing to ask of the open pieces: a field of one, or what is ticked on several at once; null when all is
 *  clear. `items`: (piece, field) each; the same thing is another field on every space of a piece. */
export function nextQuestion(course) {
  const open = course.pieces.filter((piece) => !piece.kept);
  for (const field of course.form.fields) {
    if (field.shown === "outline") continue;
    const alike = isTicked(field) ? course.form.fields.filter((one) => one.base === field.base) : [field];
    const items = open.flatMap((piece) =>
      alike
        .filter((one) => applies(course, one, piece) && piece.fields[one.key] && !piece.fields[one.key].sure)
        .map((one) => ({ piece, field: one })));
    if (items.length) return { field, items: isTicked(field) || isOnBack(field) ? items : [items[0]] };
  }
  return null;
}
/** What a question is about, for who looks for it: the field and the pieces, a space of one after a point. */
export const asksOf = ({ field, items }) => `${items.length > 1 ? field.base : field.key}:${items.map(nameOf).join(",")}`;
const nameOf = ({ piece, field }) => (field.part === null ? `${piece.number}` : `${piece.number}.${field.part + 1}`);

/** The question drawn; `tell(answers)` says what a person answered: (piece, key, value) each. */
export function drawQuestion(course, question, tell, cancel) {
  const { field, items } = question;
  if (items.length > 1) return (isOnBack(field) ? backQuestion : markQuestion)(course, field, items, tell);
  return fieldQuestion(course, items[0].field, items[0].piece, tell, cancel);
}

function markQuestion(course, field, items, tell) {
  const marked = new Set(items.filter((one) => valueOf(one.piece, one.field.key) === "yes").map(nameOf));
  return h(
    "div",
    { class: "stack" },
    h("h2", {}, field.printed
      ? t("{field}: which of them carry “{mark}”?", { field: field.title, mark: field.printed })
      : t("{field}: which of them show it?", { field: field.title })),
    h("p", { class: "small soft" }, t("Tap those that do, then say that these are all.")),
    pieceTicks(course, items, marked),
    h(
      "button",
      { type: "button", class: "primary big", id: "these-are-all",
        onclick: () => tell(items.map((one) => ({ piece: one.piece.number, key: one.field.key, value: marked.has(nameOf(one)) ? "yes" : "no" }))) },
      t("These are all"),
    ),
  );
}

/** The pieces' pictures, each a button that puts its name into `ticked` or takes it out. */
function pieceTicks(course, items, ticked) {
  return h(
    "div",
    { class: "choices ticks" },
    items.map((one) => {
      const name = nameOf(one);
      const button = h(
        "button",
        { type: "button", "aria-pressed": String(ticked.has(name)), "data-key": `mark-${name}`,
          "data-piece": name, "aria-label": t("piece {n}", { n: name }) },
        h("span", { class: "value" }, h("img", { class: "sample", src: pictureOf(course, one.piece, one.field.part), alt: "" })),
      );
      button.addEventListener("click", () => {
        if (!ticked.delete(name)) ticked.add(name);
        button.setAttribute("aria-pressed", ticked.has(name));
      });
      return button;
    }),
  );
}

/** What the back says, of all that lie there; those that are of another are tapped out, and asked next. */
function backQuestion(course, field, items, tell) {
  const asked = new Set(items.map(nameOf));
  const say = (value) => tell(items.filter((one) => asked.has(nameOf(one))).map((one) => ({ piece: one.piece.number, key: one.field.key, value })));
  const likely = valueOf(items[0].piece, field.key);
  return h(
    "div",
    { class: "stack" },
    h("h2", {}, t("{field}: what is it of all these {n}?", { field: field.title, n: items.length })),
    h(
      "div",
      { class: "choices" },
      field.values.map(({ value, label }) =>
        h("button", { type: "button", class: value === likely ? "likely" : "", "data-value": value, onclick: () => asked.size && say(value) }, label)),
    ),
    h("p", { class: "small soft" }, t("First tap out those that are of another: they are asked next.")),
    pieceTicks(course, items, asked),
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
      wholePicture(course, piece, read.box, field.part),
      field.written === "list" ? listChoice(course, field, piece, say) : choices(course, field, piece, read, say),
    ),
    cancel ? h("button", { type: "button", class: "plain", onclick: cancel }, t("Leave it")) : null,
  );
}

function wholePicture(course, piece, box, part) {
  const at = box && { left: box[0], top: box[1], width: box[2] - box[0], height: box[3] - box[1] };
  return h(
    "div",
    { class: "whole" },
    h("img", { src: pictureOf(course, piece, part), alt: t("piece {n}", { n: piece.number }) }),
    at
      ? h("span", { class: "at", style: Object.entries(at).map(([side, part]) => `${side}:${(100 * part).toFixed(1)}%`).join(";") })
      : null,
  );
}

/** What it may be, the likeliest first, numbers in their order; of a symbol those that are known, and one more for
 *  another. Many are headed by their sort. */
function choices(course, field, piece, read, say) {
  const all = field.values.map((one) => one.value);
  const numbers = field.shown === "figure" || field.shown === "icon count";
  const likely = numbers ? all : [read.value, ...(read.others || [])].filter((value) => value !== null && all.includes(value));
  const rows = new Map([["", [...new Set(likely)]]]);
  for (const value of all.filter((one) => !likely.includes(one))) {
    const sort = sortOf(field, value);
    rows.set(sort, [...(rows.get(sort) || []), value]);
  }
  const button = (value) =>
    h(
      "button",
      { type: "button", class: value === read.value ? "likely" : "", "data-value": value, "aria-label": wordsOf(field, value), onclick: () => say(value) },
      offered(course, field, value, piece),
    );
  return h(
    "div",
    { class: "stack" },
    [...rows].filter(([, values]) => values.length).map(([sort, values]) => [
      sort ? h("h3", { class: "sort" }, sort) : null,
      h("div", { class: field.sketches.length ? "choices sketches" : "choices" }, values.map(button)),
    ]),
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
        chosen.length ? h("button", { type: "button", id: "none-of-these", onclick: () => { chosen = []; show(); } }, t("nothing")) : null),
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
