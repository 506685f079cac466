// A player's own page: choose in secret, confirm, take back, move, see their own card.
import { Tapping, plainActs, untapped } from "/static/acting/acts.js";
import { bringIntoView } from "/static/page/attention.js";
import { alerts, board, clauseLink, headline, players, resultLink, whoDraws, whyOver, wrongSlots } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { drawnByHand } from "/static/acting/drawn.js";
import { boot, change, devices, nameOf, onDevices, onState, state, t } from "/static/page/live.js";
import "/static/acting/agreeing.js";
import "/static/acting/news.js";
import { isAnswer, onAnswers } from "/static/acting/question.js";
import { actPicture, drawnTile, hand, realm } from "/static/board/realm.js";
import { quarter } from "/static/market/quarter.js";
import { legend } from "/static/market/symbols.js";
import { cardWords, mark, smallTile } from "/static/board/tiles.js";

const me = boot.as,
  FEW = 6; // acts that fit under the table as buttons of their own; more are found by their places
const tapping = new Tapping(show, () => true, `marked-${me}`);
let hiding = false,
  wasAwaited = null;
/** Whether the page shows what the others at the table may not see: cubes are secret while places are chosen, a card
 * until it is shown. */
const isSecret = (own) =>
  !state.over && Boolean((own.board?.length && state.view.phase === "choose") || (own.secret_card && state.view.phase !== "show") || own.hand?.length);
function show() {
  const own = state.view?.seats?.find((seat) => seat.seat === me) || {};
  const secret = isSecret(own),
    covered = hiding && secret;
  // A covered page shows no act that tells a card of the hand.
  const acts = tapping.acts().filter((act) => !(covered && act.private)),
    further = acts.filter((act) => !isAnswer(act)),
    fitting = tapping.fitting(),
    // Without a camera nobody sees which places they were: they would be told when the others' are known.
    plain = further.filter((act) => !act.slots.length && (act.kind !== "Confirm" || devices.camera)),
    placed = acts.filter((act) => act.slots.length && !untapped(act));
  // Whoever may only take something back is not awaited.
  const awaited = !state.over && (state.view?.awaited || state.to_act || []).includes(me);
  put("headline", awaited ? t("It is your turn") : headline(state));
  if (awaited && wasAwaited === false) bringIntoView(byId("headline"));
  wasAwaited = awaited;
  put(
    "expected",
    state.result ? whyOver(state.result) : state.turn || state.expected || "",
    whoDraws(state) ? ` – ${whoDraws(state)}` : null,
    resultLink(state),
    state.clause && !state.over ? [" ", clauseLink(state.clause.id)] : null,
  );
  put("alerts", alerts(state, { goOn: () => change("/api/camera/go-on", {}) }));
  const places = {
    tap: placed.length ? (slot) => tapping.tap(slot) : null,
    marked: new Set([...tapping.slots, ...(covered || !own.board ? [] : own.board)]),
    wrong: new Set([...wrongSlots(state), ...tapping.wrong]),
    can: placed.length ? tapping.can() : new Set(),
  };
  // What was drawn is seen together with the map on which it is laid.
  put("board", drawnTile(state), board(state, places), own.techniques ? quarter(own, places) : null);
  put(
    "acts",
    state.draw_told_by === "gathering" ? h("a", { class: "button", href: `/draws?seat=${me}` }, t("Add to the digital bag")) : null,
    fitting.map((act) => actButton(act, "primary")),
    // What goes on with the turn comes before what ends it.
    !fitting.length && placed.length <= FEW && placed.every((act) => act.slots.length === 1)
      ? placed.filter((act) => !isAnswer(act)).map((act) => actButton(act, "primary"))
      : null,
    plainActs(
      plain,
      (text) => tapping.play(text),
      (act) =>
        h(
          "button",
          {
            type: "button",
            class: `big ${fitting.length || placed.length || !awaited || act.kind === "Confirm" ? "" : "primary"}`,
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
    awaited && !state.turn && !fitting.length && placed.length
      ? h("p", { class: "soft" }, t("Tap the places on the table."))
      : null,
    // A card that only this seat may see was drawn from its own pile: the seat says which.
    state.tells_draw ? drawnByHand(show) : null,
    further
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
      ? h("p", { class: "soft" }, `${t("Your cubes")}: ${covered ? t("hidden") : own.board.map(nameOf).join(", ")}`)
      : null,
    hand(own, covered),
    state.view?.map ? h("section", { class: "card" }, realm(state, { drawn: false })) : null,
    own.techniques ? legend() : null,
    secret
      ? h(
          "button",
          {
            type: "button",
            "data-key": "cover",
            "aria-pressed": String(covered),
            onclick: () => {
              hiding = !hiding;
              show();
            },
          },
          covered ? t("Show my secrets") : t("Hide my secrets"),
        )
      : null,
  );
  put("players", players(state, { details: false }));
  put("who", mark(me));
  put("own-name", state.seats.find((seat) => seat.seat === me)?.name);
  // Taking a confirmation back is offered above, and is the same.
  byId("undo").hidden = !state.undo || acts.some((act) => act.kind === "TakeBack");
  byId("undo").textContent =
    state.undo === "asks" ? t("Ask everybody to take my last act back") : t("Take my last act back");
}
/** The tiles of a grid that an act is about. */
function tilesOf(act) {
  const tiles = act.slots.map((slot) => state.view?.cells?.find((one) => one.slot === slot)?.tile).filter((tile) => tile?.theme);
  return tiles.length ? h("span", { class: "act-tiles", "aria-hidden": "true" }, tiles.map(smallTile)) : null;
}
const actButton = (act, kind) =>
  h(
    "button",
    { type: "button", class: `${kind} big`, "data-key": act.text, onclick: () => tapping.play(act.text) },
    actPicture(state, act) || tilesOf(act),
    act.kind === "Choose" ? t("Confirm: {places}", { places: act.slots.map(nameOf).join(", ") }) : act.sentence,
  );
byId("undo").addEventListener("click", async () => {
  if (await change("/api/undo/ask", {})) tapping.clear();
});
onAnswers(show);
let seeing = Boolean(devices.camera);
onDevices((now) => {
  if (seeing === Boolean(now.camera)) return;
  seeing = Boolean(now.camera);
  show();
});
let number = state.number;
onState((now) => {
  if (now.number !== number) {
    number = now.number;
    tapping.wrong = new Set();
    tapping.keepPossible();
  }
  show();
});
