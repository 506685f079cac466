// The camera's question: on the phone of the player who did it whichever answer is true, and on the referee's page.
import { bringIntoView } from "/static/page/attention.js";
import { byId, h, put } from "/static/page/dom.js";
import { goingOn, offered, shared } from "/static/acting/stories.js";
import { boot, change, nameOf, onDevices, onState, seatOf, state, t } from "/static/page/live.js";
import { tileSvg, tileWords } from "/static/board/tiles.js";

const referee = boot.as === "referee",
  FEW = 4, // answers at once, the likely ones first; the others are unfolded
  FEW_PLACES = 3; // are named; where there are more they are marked on the table
// What has not changed is not drawn anew: a button that is being pressed would be gone before it is let go.
let drawn = "",
  now = {},
  chosen = [], // how the answer begins, tapped sentence by sentence
  answers = new Set(); // texts of the acts that are answers by themselves
const followers = [];
/** Call `follower` when other acts have become answers. */
export const onAnswers = (follower) => followers.push(follower);
/** Whether the open question has this act as an answer here: it is not offered a second time below it. */
export const isAnswer = (act) => answers.has(act.text);
onDevices((devices) => {
  now = devices;
  show();
});
onState(() => show());
function show() {
  const { camera, seats } = now,
    question = camera?.question || null,
    // Who is in the middle of an act may tell which; nobody else is asked anything.
    mine = question && (question.seat === boot.as || (referee && !question.held)),
    // Whose phone is open is asked there first.
    elsewhere = referee && question?.seat && (seats || []).some((one) => one.seat === question.seat && one.here),
    tiles = mine && question.unnamed ? question.choices.map(tileDrawn) : [];
  const text = JSON.stringify([mine ? question : null, elsewhere, tiles]);
  if (text === drawn) return;
  drawn = text;
  chosen = [];
  put("question", mine ? asked(question, elsewhere, tiles) : null);
  answers = new Set(mine ? actsOfNow(question) : []);
  followers.forEach((follower) => follower());
  if (mine && !elsewhere && !question.held) bringIntoView(byId("question"));
}
/** The texts of the answers that are one act done now. What was presumed is recorded, and its answers were done before
it: an act of now that reads like one of them would be done beside it. */
const actsOfNow = ({ choices, before, presumed: recorded }) =>
  recorded || before !== null ? [] : choices.filter((texts) => texts.length === 1).map(([text]) => text);
/** The tile that the last of these events draws, if it may be drawn now. */
function tileDrawn(texts) {
  const one = (state.outcomes || []).find(({ text }) => text === texts[texts.length - 1]);
  return one ? state.view?.drawable?.[one.face] : undefined;
}
function asked(question, elsewhere, tiles) {
  const { choices, seat, unnamed } = question,
    sentences = goingOn(numbered(question.sentences), []).left.map((one) => one.told),
    instead = question.presumed && choices.every((texts) => texts.length),
    words = question.corrects ? doubted : instead ? takenAs : question.presumed ? presumed : unnamed ? lying : null,
    pictures = tiles.map((tile, i) => tile && answerTile(tile, i, choices[i])).filter(Boolean),
    told = numbered(words ? sentences.map(words) : sentences).filter(({ number }) => !tiles[number]),
    plain = elsewhere || question.presumed || question.held || question.unseen; // nobody need answer here: no answer stands out
  return h(
    "div",
    { class: "alert reminder" },
    h("p", {}, h("strong", {}, instead ? t("Taken as: {what}", { what: sentences[0].join(" ") }) : heading(question))),
    question.corrects ? h("p", { class: "soft" }, t("All that was recorded since stays.")) : null,
    instead ? h("p", { class: "soft" }, t("Recorded. If it is right, just play on; if not, tap what it was.")) : null,
    question.presumed && !instead
      ? h("p", { class: "soft" }, t("Nobody saw all of it. If it is right, just play on."))
      : null,
    question.held ? h("p", { class: "soft" }, t("Nobody waits for it: if your hands go on, just go on.")) : null,
    unnamed ? h("p", { class: "soft" }, t("The camera cannot tell. Likely answers come first.")) : null,
    elsewhere ? h("p", { class: "soft" }, t("{who} is asked on their own phone.", { who: seatOf(seat).name })) : null,
    choices.length && !question.unseen
      ? null
      : h("p", {}, t("The camera does not see enough there: clear the place, or enter what happened."), " ", choices.length ? t("Perhaps:") : null),
    pictures.length ? h("div", { class: "drawable" }, pictures) : null,
    h("div", { id: "answers", class: "stack" }, answerList(told, choices, plain)),
  );
}
/** The answers that go on from what is `chosen`, the likely ones at once; they are drawn anew when one more is chosen. */
function answerList(told, choices, plain) {
  const { path, left } = goingOn(told, chosen),
    alike = shared(left);
  const choose = (further) => {
    chosen = further;
    put("answers", answerList(told, choices, plain));
  };
  const buttons = offered(left, FEW).map(({ told: sentences, numbers }) =>
    numbers.length > 1
      ? beginning(sentences[0], numbers, () => choose([...path, sentences[0]]))
      : answer(sentences, numbers[0], choices[numbers[0]], numbers[0] === 0 && !plain, alike),
  );
  return [
    chosen.length ? h("p", {}, h("strong", {}, chosen.join(" ")), " ", t("What else?")) : null,
    buttons.slice(0, FEW),
    buttons.length > FEW
      ? h("details", {}, h("summary", {}, t("Something else")), h("div", { class: "stack" }, buttons.slice(FEW)))
      : null,
    chosen.length ? h("button", { type: "button", class: "plain", "data-key": "answers-back", onclick: () => choose([]) }, t("All answers")) : null,
  ];
}
const numbered = (sentences) => sentences.map((told, number) => ({ number, told }));
function heading({ corrects, unnamed, presumed: recorded, slots: places }) {
  const slots = places.map(nameOf).join(", ");
  if (recorded) return t("Recorded as played by the rules: {slots}", { slots });
  if (unnamed) return t("What lies at {slots}?", { slots });
  if (corrects) return t("At {slots} the camera now surely sees something else than the record says. Which is right?", { slots });
  if (places.length > FEW_PLACES) return referee ? t("What happened? The places in doubt are marked.") : t("What did you do? The places in doubt are marked.");
  return referee ? t("What happened at {slots}?", { slots }) : t("What did you do at {slots}?", { slots });
}
// Two stories of what was drawn, and, where something is wrong on the table, neither of them.
function doubted(told, choice) {
  const what = told.join(" ");
  if (!what) return [t("Neither: it was changed since, against the rules")];
  return [choice === 0 ? t("Correct the record: {what}", { what }) : t("The record is right: {what}", { what })];
}
// What is recorded, or that it was a breach.
const presumed = (told, choice) => [choice === 0 ? t("That is right: {what}", { what: told.join(" ") }) : t("No: it was against the rules")];
// What is recorded already, or what was done instead.
const takenAs = (told, choice) => (choice === 0 ? [t("That is right")] : told);
/** What was drawn, or that nothing of it was. */
const lying = (told) => (told.length ? told : [t("None of these: what lies there cannot come there")]);
const answerTile = (tile, choice, texts) =>
  h(
    "button",
    {
      type: "button",
      class: "face",
      "data-key": `answer-${choice}`,
      "aria-label": tileWords(tile),
      onclick: () => change("/api/camera/answer", { choice, texts }),
    },
    tileSvg(tile),
  );
const answer = (told, choice, texts, first, alike) =>
  h(
    "button",
    {
      type: "button",
      class: first ? "primary big" : referee ? "" : "big",
      "data-key": `answer-${choice}`,
      onclick: () => change("/api/camera/answer", { choice, texts }),
    },
    told.length
      ? h("span", {}, told.map((sentence) => [h("span", { class: alike.has(sentence) ? "told alike" : "told" }, sentence), " "]))
      : chosen.length ? t("Nothing else") : t("Nothing"),
  );
/** How several answers begin: a tap shows how they go on. */
const beginning = (sentence, numbers, onclick) =>
  h("button", { type: "button", class: referee ? "" : "big", "data-key": `begins-${numbers[0]}`, "data-answers": numbers.join(" "), onclick }, `${sentence.replace(/\.$/, "")} …`);
