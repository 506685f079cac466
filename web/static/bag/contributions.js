// What people give to the digital bag: open, or sealed as a promise that is opened when nobody can add any more.
import { byId, h } from "/static/page/dom.js";
import { boot, change, seatOf, state, t } from "/static/page/live.js";

const referee = boot.as === "referee";
/** The seat whose player looks at the page; null: the referee, or anybody. */
export const seat = new URLSearchParams(location.search).get("seat");
const PROMISE_DIGITS = 64;
const LEAST_SALT = 16,
  LONGEST_SALT = 128;
const LONGEST_PHRASE = 200;
// Copied by hand or by tap, in groups or with a blank at the end.
const digits = (least, most) => `\\s*([0-9a-fA-F]\\s*){${least},${most}}`;
const bare = (text) => text.replace(/\s/g, "").toLowerCase();
const HOW = {
  phrase: () => t("a phrase"),
  dice: () => t("dice"),
  press: () => t("a press of the box"),
  random: () => t("random digits"),
  promise: () => t("sealed: only a promise now"),
};
/** How something was added, as people say it. */
export const howWord = (how) => HOW[how]();

const typed = { how: "phrase", value: "", salt: "", who: seat };
let onItsWay = false;
let redraw = () => {};

/** Draw the page's bag anew by `draw` when what is asked here changes. */
export function onGiven(draw) {
  redraw = draw;
}
/** Whether somebody is typing: what is drawn anew then would take the words from under the hand. */
export const isTyping = () => Boolean(document.activeElement?.matches("input, select") && byId("bag")?.contains(document.activeElement));

async function give(event, body) {
  event.preventDefault();
  if (onItsWay) return;
  onItsWay = true;
  const given = await change("/api/bag", body);
  onItsWay = false;
  if (!given) return;
  typed.value = typed.salt = "";
  redraw();
}

const choice = (id, label, key, options) => [
  h("label", { for: id }, label),
  h(
    "select",
    {
      id,
      onchange: (event) => {
        typed[key] = event.target.value;
        redraw();
      },
    },
    options.map(([value, text]) => h("option", { value, selected: value === typed[key] }, text)),
  ),
];
const field = (id, label, key, longest, pattern = null) => [
  h("label", { for: id }, label),
  h("input", {
    id,
    "data-key": id,
    required: true,
    pattern,
    title: pattern && label,
    maxlength: longest,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    value: typed[key],
    oninput: (event) => {
      typed[key] = event.target.value;
    },
  }),
];
// The second tap of a double tap gives nothing.
const button = (text) =>
  h("p", {}, h("button", { class: "primary", onclick: (event) => event.detail > 1 && event.preventDefault() }, text));
// Whose contribution the form gives: the referee types for whoever says it, a player gives the own one.
function whose(letters, label) {
  if (!letters.includes(typed.who)) typed.who = letters[0];
  return referee ? choice("who", label, "who", letters.map((letter) => [letter, seatOf(letter).name])) : null;
}
/** The page that makes a promise away from the companion, with what a promise is bound to. */
function promiseMaker() {
  const bound = new URLSearchParams({ session: state.session, code: state.bag.commitment, seat: typed.who });
  return h(
    "p",
    {},
    h("a", { class: "button", target: "_blank", href: `/verify.html#${boot.language}&${bound}` }, t("Make a promise")),
    " ",
    h("span", { class: "soft" }, t("Keep the phrase and the salt that it shows you: both are asked when the bag is closed.")),
  );
}
/** The form of one contribution: a phrase or dice that everybody sees, or a promise. */
export function adding() {
  const who = whose(state.seats.map((one) => one.seat), t("Who adds"));
  const promised = state.bag.promises.includes(typed.who); // of a seat there is one
  if (promised && typed.how === "promise") typed.how = "phrase";
  const sealed = typed.how === "promise";
  const body = () =>
    sealed
      ? { step: "promise", seat: typed.who, promise: bare(typed.value) }
      : { step: "add", seat: typed.who, how: typed.how, value: typed.value };
  return h(
    "form",
    { onsubmit: (event) => give(event, body()) },
    who,
    choice("how", t("What"), "how", ["phrase", "dice", promised ? [] : "promise"].flat().map((how) => [how, howWord(how)])),
    sealed
      ? [promiseMaker(), field("value", t("The promise: 64 digits and letters"), "value", 2 * PROMISE_DIGITS, digits(PROMISE_DIGITS, PROMISE_DIGITS))]
      : field("value", t("The phrase, or the dice as thrown: 3 1 6 …"), "value", LONGEST_PHRASE),
    button(t("Add")),
  );
}
/** The form that opens a promise: null for whoever has none to open. */
export function opening() {
  const letters = state.bag.promises.filter((letter) => referee || letter === seat);
  if (!letters.length) return null;
  const who = whose(letters, t("Whose promise is opened"));
  const body = () => ({ step: "open", seat: typed.who, how: "phrase", value: typed.value.normalize("NFC").trim(), salt: bare(typed.salt) });
  return h(
    "form",
    { onsubmit: (event) => give(event, body()) },
    who,
    field("value", t("The phrase that was sealed"), "value", LONGEST_PHRASE),
    field("salt", t("Its salt"), "salt", 2 * LONGEST_SALT, digits(LEAST_SALT, LONGEST_SALT)),
    button(t("Open the promise")),
  );
}
