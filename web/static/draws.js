// The digital bag: its code, who adds what, the odds, the draws; led by the referee, seen by everybody.
import "/static/page/after_game.js";
import { supply } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { boot, change, listedSeats, onState, seatOf, state, t } from "/static/page/live.js";
import { adding, howWord, isTyping, onGiven, opening, seat } from "/static/bag/contributions.js";
import { followRecords } from "/static/records.js";
import { themeWord } from "/static/board/tiles.js";

const referee = boot.as === "referee";
const step =
  (name, more = {}) =>
  () =>
    change("/api/bag", { step: name, ...more });
const button = (text, act, kind = "") =>
  h("button", { type: "button", class: kind, "data-key": text, onclick: act }, text);

let phase = "";
function bag() {
  phase = state.bag.phase;
  const now = state.bag,
    added = now.contributions;
  const untouched = now.phase === "gathering" && !added.length && !now.promises.length;
  const code = now.commitment
    ? [
        h("p", { class: "soft" }, untouched
          ? t("The code of the host's secret. Take a photo of it before anybody adds anything.")
          : t("The code of the host's secret.")),
        h("p", { class: "code", id: "code" }, now.commitment),
      ]
    : null;
  const list = added.length
    ? h(
        "ul",
        {},
        added.map((one) => h("li", {}, `${seatOf(one.seat).name}: ${howWord(one.how)} – ${one.value}`)),
      )
    : null;
  const waiting = now.promises.length
    ? h(
        "p",
        {},
        t("Sealed, to be opened: {players}", { players: listedSeats(now.promises) }),
      )
    : null;
  const withheld = now.withheld.length
    ? h(
        "p",
        { class: "chip bad" },
        t("Never opened: {players}", { players: listedSeats(now.withheld) }),
      )
    : null;
  const parts = [code, list, waiting, withheld];
  if (now.phase === "none" || now.phase === "revealed")
    parts.unshift(
      h(
        "p",
        {},
        now.phase === "none"
          ? t("Draws are made by hand. The digital bag can draw instead, so that everybody can check it afterwards.")
          : t("The secret is revealed: every draw can be checked now."),
      ),
      referee && !state.over ? button(t("Begin a digital bag"), step("commit"), "primary") : null,
    );
  if (now.phase === "gathering")
    parts.push(
      h("p", {}, t("Players add a phrase or dice now, each on their own phone or here.")),
      referee || seat ? adding() : null,
      seat && (added.some((one) => one.seat === seat) || now.promises.includes(seat)) ? onWithTheGame("") : null,
      referee && untouched ? h("p", { class: "soft" }, t("Until somebody adds something, nothing shows that the host did not choose the draws.")) : null,
      referee ? button(t("No more contributions: close and seal"), closeAndSeal, "primary") : null,
    );
  if (now.phase === "opening")
    parts.push(
      h("p", {}, now.promises.length ? t("The bag is closed: whoever sealed a promise opens it now.") : t("The bag is closed.")),
      opening(),
      referee
        ? [
            now.promises.map((letter) =>
              button(
                t("Go on without {player}", { player: seatOf(letter).name }),
                step("withhold", { seat: letter }),
                "danger",
              ),
            ),
            now.promises.length ? null : button(t("Seal the bag"), step("seal"), "primary"),
          ]
        : null,
    );
  if (now.phase === "sealed")
    parts.push(
      h("p", { class: "chip ok" }, t("Sealed: {n} draws made", { n: now.drawn })),
      referee && !state.over
        ? h(
            "div",
            { class: "row" },
            now.automatic
              ? button(t("Draw only when asked"), () => drawByItself(false))
              : button(t("Draw by itself from now on"), () => drawByItself(true), "primary"),
            onWithTheGame(now.automatic ? "primary" : ""),
          )
        : seat && !state.over
          ? onWithTheGame("primary")
          : null,
      referee && state.over ? button(t("The game is over: reveal the secret"), step("reveal"), "primary") : null,
    );
  if (now.phase === "revealed") put("prove", t("The secret is revealed: download the record, then choose it on the page that checks it."));
  else if (now.phase === "sealed" && state.over)
    put("prove", t("The game is over. The referee reveals the secret on this page; a record downloaded after that proves every draw."));
  // On a phone whoever came to add meets the odds only below.
  byId("bag").closest(".stack").classList.toggle("first-on-a-phone", now.phase === "gathering");
  put("bag", h("div", { class: "stack" }, parts.flat(Infinity).filter(Boolean)));
}
const onWithTheGame = (kind) =>
  h("a", { class: `button ${kind}`, href: referee ? "/referee" : `/seat/${seat}` }, t("On with the game"));
async function drawByItself(on) {
  if (!(await change("/api/bag/automatic", { on }))) return;
  state.bag.automatic = on; // nothing is recorded, so that no state need come
  bag();
}
async function closeAndSeal() {
  if ((await change("/api/bag", { step: "close" })) && !state.bag.promises.length)
    await change("/api/bag", { step: "seal" });
}
function due() {
  if (!state.draw_due) {
    put("due", h("p", { class: "soft" }, t("No draw is due now.")));
    return;
  }
  const groups = new Map(),
    percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
  for (const one of state.outcomes) {
    const theme = state.view?.drawable?.[one.face]?.theme,
      name = theme || (state.names?.[one.face] ?? one.sentence),
      row = groups.get(name) || { n: 0, chance: 0, placed: 0 };
    groups.set(name, {
      n: row.n + 1,
      chance: row.chance + one.chance,
      placed: row.placed + (one.placed ? one.chance : 0),
    });
  }
  put(
    "due",
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, t("What")),
          h("th", { class: "num" }, t("How many")),
          h("th", { class: "num" }, t("Chance")),
        ),
      ),
      h(
        "tbody",
        {},
        [...groups]
          .sort((a, b) => b[1].chance - a[1].chance)
          .map(([name, row]) => {
            const waits = row.placed === 0 && name === "end" ? ` – ${t("cannot be placed now")}` : "";
            return h(
              "tr",
              {},
              h("td", {}, themeWord(name), waits),
              h("td", { class: "num" }, String(row.n)),
              h("td", { class: "num" }, percent.format(row.chance)),
            );
          }),
      ),
    ),
    referee && state.bag.phase === "sealed"
      ? button(t("Draw from the digital bag"), () => change("/api/draw", {}), "primary")
      : null,
  );
}
const SHOWN_BEFORE = 60; // of what was before the page was opened
const isDraw = (record) => record.cause.kind === "draw";
const line = (record) =>
  h(
    "li",
    {},
    h("span", { class: "soft num" }, String(record.cause.detail.proof?.number ?? "–")),
    h("span", {}, record.sentence),
    h(
      "span",
      { class: "soft small num" },
      record.cause.detail.proof ? `${record.cause.detail.proof.urn.texts?.length ?? ""}` : "",
    ),
  );
onGiven(bag);
onState(() => {
  if (!isTyping() || phase !== state.bag.phase) bag();
  due();
  put("supply", supply(state));
});
followRecords(Math.max(0, (state.number || 0) - SHOWN_BEFORE), (records) => put("drawn", records.filter(isDraw).reverse().map(line)));
