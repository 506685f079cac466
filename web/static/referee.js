// The referee's page: corrections in two taps, undo, pause, remarks, the record, the seats' codes.
import { Tapping, plainActs, untapped } from "/static/acting/acts.js";
import { alerts, board, clauseLink, headline, order, players, resultLink, supply, whyOver, wrongSlots } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { handSteps, whatIsUndone } from "/static/acting/agreeing.js";
import { correctAt, correction, drawnByHand } from "/static/acting/drawn.js";
import { pageCode, seatCodes } from "/static/joining/codes.js";
import { ask, change, look, onState, recordText, say, seatOf, state, t } from "/static/page/live.js";
import "/static/acting/news.js";
import { pictured } from "/static/board/faces.js";
import { isAnswer, onAnswers } from "/static/acting/question.js";
import "/static/senses.js";
import { actPicture } from "/static/board/realm.js";
import { followRecords, takenBack } from "/static/records.js";
import { mark } from "/static/board/tiles.js";

import { takeOver } from "/static/acting/lies.js";

let seat = null;
const tapping = new Tapping(show, (act) => !seat || act.seat === seat);
function show() {
  if (!state.session) return;
  const seats = [...new Set((state.actions || []).map((act) => act.seat))];
  if (!seats.includes(seat)) seat = seats[0] || null;
  put("headline", headline(state));
  put("expected", state.result ? whyOver(state.result) : state.expected || "", resultLink(state), state.clause ? [" ", clauseLink(state.clause.id)] : null);
  const goOn = () => change("/api/camera/go-on", {});
  put("alerts", alerts(state, { close: (id) => change("/api/alerts/close", { id }), goOn, takeOver }));
  const places = {
    tap,
    marked: new Set(tapping.slots),
    wrong: new Set([...wrongSlots(state), ...tapping.wrong]),
  };
  put("board", board(state, places));
  put("order", order(state));
  put("acts", state.draw_due ? drawing() : acting(seats));
  put("players", players(state, { details: false, ...places }));
  put("supply", supply(state));
  byId("supply").closest(".card").hidden = !byId("supply").hasChildNodes(); // a game may have nothing beside the board
}
/** Nothing can be told of a place while no act names one: a mark on it would promise that. */
function tap(slot) {
  if (state.draw_due) correctAt(slot, show);
  else if (tapping.acts().some((act) => act.slots.length)) tapping.tap(slot);
  else say({ message: nothingToTell() });
}
const nothingToTell = () =>
  state.over ? t("The game is over.") : t("Players enter their choices on their own pages, behind the shields or at the box.");
function acting(seats) {
  const acts = tapping.acts(),
    fitting = tapping.fitting(),
    further = acts.filter((act) => !isAnswer(act)),
    plain = further.filter((act) => !act.slots.length);
  if (!acts.length) return [h("p", { class: "soft" }, nothingToTell())];
  return [
    seats.length > 1
      ? h(
          "div",
          { class: "row", role: "group", "aria-label": t("Who acted") },
          seats.map((letter) =>
            h(
              "button",
              {
                type: "button",
                "aria-pressed": String(letter === seat),
                class: letter === seat ? "primary" : "",
                "data-key": `seat-${letter}`,
                onclick: () => {
                  seat = letter;
                  tapping.clear();
                },
              },
              mark(letter),
              seatOf(letter).name,
            ),
          ),
        )
      : null,
    fitting.map((act) =>
      h(
        "button",
        { type: "button", class: "primary big", "data-key": act.text, onclick: () => tapping.play(act.text) },
        actPicture(state, act),
        act.sentence,
      ),
    ),
    !fitting.length && acts.some((act) => act.slots.length && !untapped(act))
      ? h("p", { class: "soft" }, t("Tap the places on the table, then say that it happened."))
      : null,
    plainActs(
      plain,
      (text) => tapping.play(text),
      (act) =>
        h("button", { type: "button", "data-key": act.text, onclick: () => tapping.play(act.text) }, act.sentence),
    ),
    further
      .filter(untapped)
      .slice(0, 60)
      .map((act) => h("button", { type: "button", onclick: () => tapping.play(act.text) }, act.sentence)),
  ];
}
function drawing() {
  const sealed = state.bag.phase === "sealed";
  if (state.draw_told_by === "gathering")
    return [h("a", { class: "button primary", href: "/draws", "data-key": "draws" }, t("Add to the digital bag, and seal it"))];
  // What is drawn by itself in a moment is nothing to tap: the tap would tell another draw.
  if (sealed && state.bag.automatic)
    return [h("p", { class: "soft" }, t("The digital bag draws it."), " ", h("a", { href: "/draws" }, t("Draws")))];
  return [
    sealed
      ? h(
          "button",
          { type: "button", class: "primary big", "data-key": "draw", onclick: () => change("/api/draw", {}) },
          t("Draw from the digital bag"),
        )
      : null,
    correction(show),
    state.outcomes.length
      ? drawnByHand(show)
      : h("p", {}, t("A secret card is dealt: by the digital bag, or on the table.")),
  ];
}
byId("note").addEventListener("click", async () => {
  const text = h("input", { id: "remark", maxlength: 500, required: true }),
    dispute = h("input", { type: "checkbox" });
  const yes = await ask(
    t("Write into the record"),
    h(
      "div",
      {},
      h("label", { for: "remark" }, t("Remark")),
      text,
      h("label", { class: "inline" }, dispute, t("This is a dispute")),
    ),
    [[t("Write"), true, "primary"]],
  );
  if (yes && text.value.trim())
    change("/api/note", { topic: dispute.checked ? "dispute" : "remark", text: text.value.trim() });
});
byId("clock").addEventListener("click", async () => {
  const minutes = h("input", { id: "minutes", type: "number", min: 1, max: 999, required: true, value: 30, class: "short" });
  const chosen = await ask(t("A clock for each player"), h("div", {}, h("p", {}, t("The time comes from the record; a pause stops it.")), h("label", { for: "minutes" }, t("Minutes for each player")), minutes), [
    [t("Count down"), "down", "primary"],
    [t("Count up"), "up"],
    [t("No clock"), "off"],
  ]);
  if (chosen) change("/api/note", { topic: "clock", text: chosen === "down" ? String(Number(minutes.value)) : chosen });
});
byId("undo").addEventListener("click", () => undo());
/** Take back to the state after record `to`, or what was told last: everybody is asked where somebody must agree. */
async function undo(to) {
  const plan = await look(`/api/undo?as=referee${to ? `&to=${to}` : ""}`);
  if (!plan) return;
  const asks = plan.consents.length > 0;
  const content = h(
    "div",
    { class: "stack" },
    h("p", {}, t("This is taken back:")),
    whatIsUndone(plan),
    plan.crossings.length
      ? h("p", { class: "soft" }, t("This goes back over"), ": ", [...new Set(plan.crossings)].join(", "))
      : null,
    handSteps(plan.steps),
    asks ? h("p", {}, t("Every player agrees with one tap on their own phone, or aloud to you.")) : null,
  );
  const yes = await ask(t("Take back?"), content, [
    [asks ? t("Ask everybody") : t("Take back"), "ask", "primary"],
    plan.further === null ? null : [t("Further back: before the last act"), "further"],
  ]);
  if (yes === "further") undo(plan.further);
  else if (yes) change("/api/undo/ask", { to: plan.to, expected: plan.number });
}
byId("resync").addEventListener("click", async () => {
  const steps = (state.alerts || []).flatMap((alert) => alert.steps);
  await ask(
    t("What is out of place"),
    steps.length
      ? h(
          "ol",
          {},
          steps.map((step) => h("li", {}, step)),
        )
      : h("p", {}, t("Nothing is known to be wrong. The table should look like the picture on this page.")),
    [],
  );
});

const SHOWN_BEFORE = 20, // of what was before the page was opened
  MOST_SHOWN = 60;
const line = (record, gone) =>
  h(
    "li",
    {},
    h("span", { class: "soft num" }, String(record.number)),
    h("span", {}, pictured(recordText(record))),
    record.kind === "event" && !gone.has(record.number)
      ? h("button", { type: "button", class: "plain", "data-key": `back-${record.number}`, onclick: () => undo(record.number) }, t("back to here"))
      : null,
  );
followRecords(Math.max(0, (state.number || 0) - SHOWN_BEFORE), (records) => {
  const gone = takenBack(records);
  put("log", records.slice(-MOST_SHOWN).reverse().map((record) => line(record, gone)));
});
seatCodes(byId("code-list"));
pageCode(byId("table-code"), "table");
pageCode(byId("camera-code"), "camera");
onAnswers(show);
let number = state.number;
onState((now) => {
  if (now.number !== number) {
    number = now.number;
    tapping.slots = [];
    tapping.wrong = new Set();
  }
  show();
});
