// A player's own page: choose in secret, confirm, take back, move, see the own card.
import { Tapping, plainActs, untapped } from "/static/acts.js";
import { alerts, board, clauseLink, headline, players, wrongSlots } from "/static/board.js";
import { h, put } from "/static/dom.js";
import { boot, change, look, onState, state, t } from "/static/live.js";
import { actPicture, hand, realm } from "/static/rifts.js";
import { cardWords, mark } from "/static/tiles.js";

const me = boot.as;
const tapping = new Tapping(show);
let covered = false;
function show() {
  const own = state.view?.seats?.find((seat) => seat.seat === me) || {};
  // A covered page shows no act that tells a card of the hand.
  const acts = tapping.acts().filter((act) => !(covered && act.private)),
    fitting = tapping.fitting(),
    plain = acts.filter((act) => !act.slots.length);
  const mine = acts.length > 0;
  put("headline", mine && !own.ready ? t("It is your turn") : headline(state));
  put(
    "expected",
    mine && state.expected ? state.expected : "",
    state.clause && !state.over ? [" ", clauseLink(state.clause.id)] : null,
  );
  put("alerts", alerts(state, { goOn: () => change("/api/camera/go-on", {}) }));
  put(
    "board",
    board(state, {
      tap: (slot) => tapping.tap(slot),
      marked: new Set([...tapping.slots, ...(covered ? [] : own.board || [])]),
      wrong: new Set([...wrongSlots(state), ...tapping.wrong]),
      can: acts.some((act) => act.slots.length === 1) && acts.length < 30 ? tapping.can() : new Set(),
    }),
  );
  put(
    "acts",
    fitting.map((act) =>
      h(
        "button",
        { type: "button", class: "primary big", "data-key": act.text, onclick: () => tapping.play(act.text) },
        actPicture(state, act),
        act.sentence,
      ),
    ),
    plainActs(
      plain,
      (text) => tapping.play(text),
      (act) =>
        h(
          "button",
          {
            type: "button",
            class: `big ${fitting.length ? "" : "primary"}`,
            "data-key": act.text,
            onclick: () => tapping.play(act.text),
          },
          act.kind === "Confirm"
            ? t("My cubes lie behind the shield: confirm")
            : act.kind === "TakeBack"
              ? t("Take my confirmation back")
              : act.sentence,
        ),
    ),
    acts.length && !fitting.length && acts.some((act) => act.slots.length && !untapped(act))
      ? h("p", { class: "soft" }, own.ready ? "" : t("Tap the places on the table."))
      : null,
    handDrawn(),
    acts
      .filter(untapped)
      .slice(0, 60)
      .map((act) => h("button", { type: "button", onclick: () => tapping.play(act.text) }, act.sentence)),
  );
  put(
    "mine",
    own.secret_card
      ? h(
          "div",
          { class: "card" },
          h("h2", {}, t("Your secret card")),
          covered ? h("p", { class: "soft" }, t("hidden")) : h("p", {}, cardWords(own.secret_card)),
        )
      : null,
    own.board?.length
      ? h("p", { class: "soft" }, `${t("Your cubes")}: ${covered ? t("hidden") : own.board.join(", ")}`)
      : null,
    hand(own, covered),
    state.view?.map ? h("section", { class: "card" }, realm(state)) : null,
    own.board?.length || own.secret_card || own.hand
      ? h(
          "button",
          {
            type: "button",
            "data-key": "cover",
            "aria-pressed": String(covered),
            onclick: () => {
              covered = !covered;
              show();
            },
          },
          covered ? t("Show my secrets") : t("Hide my secrets"),
        )
      : null,
  );
  put("players", players(state, { details: false }));
  put("who", mark(me));
}
/** A card that only this seat may see was drawn from its own pile: the seat says which. */
function handDrawn() {
  if (!state.outcomes?.length) return null;
  const list = h(
    "select",
    { id: "drawn", style: "flex:1" },
    state.outcomes.map((one) => h("option", { value: one.text }, one.sentence)),
  );
  return [
    h("label", { for: "drawn" }, t("What was drawn by hand?")),
    h(
      "div",
      { class: "row" },
      list,
      h(
        "button",
        { type: "button", class: "primary", "data-key": "drawn", onclick: () => tapping.play(list.value) },
        t("That was drawn"),
      ),
    ),
  ];
}
document.getElementById("undo").addEventListener("click", async () => {
  const plan = await look(`/api/undo?as=${me}`);
  if (plan && (await change("/api/undo", { to: plan.to }))) tapping.clear();
});
let number = state.number;
onState((now) => {
  if (now.number !== number) {
    number = now.number;
    tapping.wrong = new Set();
  }
  show();
});
