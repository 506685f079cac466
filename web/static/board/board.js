// The table as the rules see it: a grid of drawn tiles, or for other games the slots where they lie.
import { h, s } from "/static/page/dom.js";
import { hasPicture, pictureOf } from "/static/board/faces.js";
import { hexMap } from "/static/board/hexmap.js";
import { boot, clauseButton, listedSeats, look, nameOf, seatOf, showClause, t } from "/static/page/live.js";
import { marketBoard } from "/static/market/market.js";
import { holdings, quarter, tracks } from "/static/market/quarter.js";
import { legend } from "/static/market/symbols.js";
import { mageChips, realm } from "/static/board/realm.js";
import { cube, inkOf, mark, smallTile, themeWord, tileSvg, tileWords } from "/static/board/tiles.js";

/** Elements of the board of `state`; `tap(slot)` makes the slots buttons; `marked`, `wrong`, `can`: sets of slots. */
export function board(state, { tap = null, marked = new Set(), wrong = new Set(), can = new Set() } = {}) {
  const view = state.view;
  if (view?.map) return hexMap(view, { tap, marked, wrong, can });
  if (view?.gaps && !state.board) return marketBoard(view, { tap, marked, wrong, can });
  if (view?.cells && !state.board) {
    const cells = view.cells.map((cell) => cellOf(cell, { tap, marked, wrong, can }));
    const shape = `--columns: ${view.columns}; --rows: ${Math.ceil(cells.length / view.columns)}`;
    return h("div", { class: "board", style: shape }, cells);
  }
  return state.board
    ? freeBoard(state.board, { tap, marked, wrong, can })
    : h("p", {}, t("Nothing lies on the table."));
}
/** The board drawn in `place` gets the width that its height asks for, all else the rest: see table.css. */
export function shareWidth(place) {
  const drawn = place.firstElementChild,
    box = drawn?.viewBox?.baseVal;
  const ratio = box?.width ? box.width / box.height : drawn?.style.getPropertyValue("--columns") / drawn?.style.getPropertyValue("--rows");
  if (ratio) place.closest(".columns").style.setProperty("--ratio", ratio.toFixed(3));
}
function cellOf(cell, { tap, marked, wrong, can }) {
  const name = [`${nameOf(cell.slot)}: ${cell.tile ? tileWords(cell.tile) : t("empty")}`];
  if (cell.cubes.length) name.push(listedSeats(cell.cubes));
  if (wrong.has(cell.slot)) name.push(t("look here"));
  const classes = [
    "cell",
    marked.has(cell.slot) && "marked",
    wrong.has(cell.slot) && "wrong",
    can.has(cell.slot) && "can",
  ]
    .filter(Boolean)
    .join(" ");
  const picture = cell.tile
    ? tileSvg(cell.tile, cell.cubes)
    : s(
        "svg",
        { viewBox: "0 0 100 100", role: "img", "aria-label": name[0] },
        s("rect", {
          x: 2,
          y: 2,
          width: 96,
          height: 96,
          rx: 11,
          fill: "none",
          stroke: "var(--soft)",
          "stroke-dasharray": "6 5",
        }),
        s(
          "text",
          { x: 50, y: 56, "text-anchor": "middle", "font-size": 17, class: "slotname" },
          cell.awaits_draw ? "?" : "",
        ),
      );
  if (!tap) return h("div", { class: classes }, picture);
  return h(
    "button",
    {
      type: "button",
      class: classes,
      "aria-pressed": String(marked.has(cell.slot)),
      "aria-label": name.join("; "),
      "data-key": cell.slot,
      onclick: () => tap(cell.slot),
    },
    picture,
  );
}
const LABEL_MM = 11;
function freeBoard(data, { tap, marked, wrong, can }) {
  const all = data.slots.flatMap((slot) => slot.corners),
    xs = all.map((c) => c[0]),
    ys = all.map((c) => c[1]);
  const left = Math.min(...xs) - 8,
    top = Math.min(...ys) - 8;
  const slots = data.slots.map((slot) => {
    const x = slot.corners.reduce((sum, c) => sum + c[0], 0) / slot.corners.length,
      y = slot.corners.reduce((sum, c) => sum + c[1], 0) / slot.corners.length;
    const pieces = slot.pieces.flatMap(([colour, count]) => Array.from({ length: Math.min(count, 6) }, () => colour));
    const classes = [
      slot.holds === "gap" && "gap",
      marked.has(slot.slot) && "marked",
      wrong.has(slot.slot) && "wrong",
      can.has(slot.slot) && "can",
    ]
      .filter(Boolean)
      .join(" ");
    const act = tap && {
      role: "button",
      tabindex: 0,
      "data-key": slot.slot,
      "aria-pressed": String(marked.has(slot.slot)),
      onclick: () => tap(slot.slot),
      onkeydown: (event) => {
        if (["Enter", " "].includes(event.key)) {
          event.preventDefault();
          tap(slot.slot);
        }
      },
    };
    const words = [nameOf(slot.slot), slot.face && nameOf(slot.face), ...slot.pieces.map(([colour, count]) => `${count} × ${colour}`)]
      .filter(Boolean)
      .join(" ");
    return s(
      "g",
      { class: classes, "aria-label": words, ...(act || { role: "img" }) },
      s("polygon", { points: slot.corners.map((c) => c.join(",")).join(" ") }),
      slotLabel(slot, x, y, pieces.length > 0),
      pieces.map((colour, i) =>
        piece(colour, x - (pieces.length - 1) * 5 + i * 10, y + 6),
      ),
    );
  });
  return s(
    "svg",
    {
      class: "freeboard",
      viewBox: `${left} ${top} ${Math.max(...xs) + 8 - left} ${Math.max(...ys) + 8 - top}`,
      role: "group",
      "aria-label": t("Table"),
    },
    slots,
  );
}
/** A piece about (x, y): a player's own has letter and pattern, any other its colour. */
function piece(colour, x, y) {
  const owner = (state.seats || []).find((seat) => seat.colour === colour);
  if (owner) return cube(owner.seat, x - 6, y - 6, 12);
  return s("circle", { cx: x, cy: y, r: 5.5, fill: inkOf(colour)[0], stroke: "#0008" });
}
/** A face as the own box shows it, as large as the slot. */
function ownFace({ face, corners }) {
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis])),
    [x, y] = [Math.min(...xs), Math.min(...ys)];
  return s("image", { href: pictureOf(face), x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y });
}
/** The name of what lies in a slot, or of the slot, as large as fits it; a gap between slots needs none. */
function slotLabel(slot, x, y, above) {
  if (slot.holds === "gap") return null;
  if (hasPicture(slot.face)) return ownFace(slot);
  const xs = slot.corners.map((c) => c[0]),
    words = slot.face ? nameOf(slot.face).split(/[-\s]/u) : [nameOf(slot.slot)],
    longest = Math.max(...words.map((word) => word.length));
  const size = Math.min(LABEL_MM, (1.6 * (Math.max(...xs) - Math.min(...xs))) / longest);
  const first = y - ((words.length - 1) * size) / 2 + (above ? -size : size / 3);
  const place = (i) => ({ x, y: first + i * size, style: `font-size: ${size}px`, class: slot.face ? "" : "slotname" });
  return words.map((word, i) => s("text", place(i), word));
}
/** One row a player: colour, name, state, cubes in reserve, captured tiles and the points with their division. */
export function players(
  state,
  { details = true, points = details, mini = false, tap = null, marked = new Set(), wrong = new Set(), can = new Set() } = {},
) {
  return (state.seats || []).map((seat) => {
    const own = state.view?.seats?.find((row) => row.seat === seat.seat) || {};
    const score = (state.scores || []).find((row) => row.seat === seat.seat);
    const active = (state.view?.awaited || state.to_act || []).includes(seat.seat) && !state.over;
    const chips = [];
    if (state.result?.winners.includes(seat.seat)) chips.push(h("span", { class: "chip next" }, t("winner")));
    else if (active) chips.push(h("span", { class: "chip wait" }, t("awaited")));
    else if (own.ready && !state.over) chips.push(h("span", { class: "chip ok" }, t("ready")));
    if (state.clock) chips.push(h("span", { class: "chip", "data-clock": seat.seat, title: t("time of this player") }));
    if (own.hand_count !== undefined) chips.push(mageChips(own, mini));
    if (own.techniques) chips.push(holdings(own, mini));
    if (own.reserve !== undefined) chips.push(reserve(seat.seat, own.reserve, mini));
    // On the big screen the captured tiles themselves show their themes.
    for (const [theme, count] of Object.entries(mini ? {} : own.themes || {}))
      if (count) chips.push(h("span", { class: `chip ${theme}` }, `${count} ${themeWord(theme)}`));
    return h(
      "div",
      { class: `player ${active ? "on" : ""}` },
      mark(seat.seat),
      h("div", { class: "who" }, seat.name),
      score
        ? h("div", { class: "total", "aria-label": t("points: {n}", { n: score.total }) }, String(score.total))
        : h("span"),
      h("div", { class: "more chips" }, chips),
      own.techniques ? h("div", { class: "more" }, quarter(own, { tap, marked, wrong, can }, mini)) : null,
      details && own.captured?.[0]?.theme
        ? h(
            "div",
            { class: "more minis", role: "group", "aria-label": t("Captured tiles") },
            own.captured.map(smallTile),
          )
        : null,
      points && score
        ? h(
            "details",
            { class: "more small", open: state.over },
            h("summary", {}, t("How the points come together")),
            scoreTable(score),
          )
        : null,
    );
  });
}
/** How many cubes a player has left: as a picture of one and their number where it is narrow. */
function reserve(letter, n, mini) {
  const said = t("cubes in reserve: {n}", { n });
  if (!mini) return h("span", { class: "chip" }, said);
  const picture = s("svg", { width: 24, height: 24, viewBox: "0 0 32 32", "aria-hidden": "true" }, cube(letter, 0, 0, 32));
  return h("span", { class: "chip", title: said }, picture, h("span", { "aria-hidden": "true" }, `× ${n}`), h("span", { class: "visually-hidden" }, said));
}
export const scoreTable = (score) =>
  h(
    "table",
    {},
    h(
      "tbody",
      {},
      score.lines.map((line) =>
        h(
          "tr",
          {},
          h("td", {}, line.text),
          h("td", {}, clauseLink(line.clause)),
          h("td", { class: "num" }, String(line.points)),
        ),
      ),
    ),
  );
export const clauseLink = (id) =>
  h(
    "button",
    {
      type: "button",
      class: "plain",
      "data-key": `c-${id}`,
      onclick: async () => {
        const clause = await look(`${boot.clauses || "/api/clauses"}/${encodeURIComponent(id)}`);
        if (clause) showClause(clause);
      },
    },
    id,
  );
/** What must be done now, for everyone. */
export function headline(state) {
  if (!state.session) return t("No game is being played.");
  if (state.result) return state.result.sentence;
  if (state.draw_due) return t("A draw is due.");
  const awaited = state.view?.awaited || state.to_act;
  return awaited.length ? t("Awaited: {players}", { players: listedSeats(awaited) }) : "";
}
/** Who brings the draw about that is due, for those who cannot: nothing where this page itself asks for it. */
export function whoDraws(state) {
  if (!state.draw_due || state.tells_draw) return null;
  const by = state.draw_told_by;
  if (by === "bag") return t("The digital bag draws it.");
  if (by === "gathering") return t("Everybody may add to the digital bag first; then the referee seals it.");
  if (by === "referee") return t("The referee enters it.");
  return t("{name} enters it on their own phone.", { name: seatOf(by).name });
}
/** Why it ended so: where everybody has lost, by what, too. */
export const whyOver = (result) => [result.why, result.winners.length ? "" : ` ${result.ended_by.title}: ${result.ended_by.text}`];
/** Where the result stands with everything about it, when the game is over. */
export const resultLink = (state) =>
  state.result ? [" ", h("a", { class: "button primary", href: "/result", "data-key": "result" }, t("The result"))] : null;
/** The order of this phase; none when the game is over. */
export const order = (state) =>
  ((!state.over && state.view?.order) || []).map((entry) =>
    h(
      "span",
      { class: `chip ${entry.status === "next" ? "next" : ""}` },
      s("svg", { width: 20, height: 20, viewBox: "0 0 32 32", "aria-hidden": "true" }, cube(entry.seat, 0, 0, 32)),
      h("span", { class: "name" }, seatOf(entry.seat).name),
      entry.status === "moved" ? " ✓" : entry.status === "passed over" ? " –" : "",
      h("span", { class: "visually-hidden" }, statusWord(entry.status)),
    ),
  );
const statusWord = (status) =>
  ({ "to come": t("to come"), next: t("next"), moved: t("moved"), "passed over": t("passed over") })[status];
/** Supply and End tile; `mini`: only as much as is seen without scrolling. */
export function supply(state, mini = false) {
  const view = state.view;
  if (view?.map) return realm(state, { mini });
  // On the big screen everybody's chips tell the tracks, the rules the symbols, and what is undrawn stands beside the round.
  if (isMarket(state)) return mini ? [] : [tracks(view), h("p", { class: "chips" }, undrawn(state)), legend()];
  if (!view?.supply?.themes || !view.end_tile) return (state.beside || []).map((text) => h("p", {}, text));
  const chips = Object.entries(view.supply.themes).map(([theme, n]) =>
    h(
      "span",
      { class: `chip ${theme}` },
      `${themeWord(theme)} ${n.possible ? `${n.known}–${n.known + n.possible}` : n.known}`,
    ),
  );
  const where = { bag: t("in the bag"), grid: t("on the grid"), aside: t("put aside"), captured: t("captured") }[
    view.end_tile.where
  ];
  return [
    h("p", {}, h("strong", { class: "num" }, t("tiles in the bag: {n}", { n: view.supply.count }))),
    h("div", { class: "chips" }, chips),
    h(
      "p",
      { class: "soft small" },
      `${t("End tile")}: ${where}${view.end_tile.where === "bag" ? ` (${view.end_tile.chance})` : ""}`,
    ),
  ];
}
const isMarket = (state) => Boolean(state.view?.gaps && !state.board);
/** What is undrawn of a market game: the deck of the period, tokens, events still to come; nothing of other games. */
export function undrawn(state) {
  if (!isMarket(state)) return [];
  const { supply: left, period } = state.view;
  return [
    t("cards in the deck of period {period}: {n}", { n: left.count, period: period || "A" }),
    t("tokens left: {n}", { n: left.stock.reduce((a, b) => a + b, 0) }),
    t("events to come: {n}", { n: left.events.length }),
  ].map((text) => h("span", { class: "chip" }, text));
}
const REMINDS = /^(forgotten-|camera-(question|presumed|cloth|legibility)$)/,
  LASTS = /^camera-(cloth|legibility)$/;
const alertClass = ({ id, may_take_over }) =>
  ["alert", (REMINDS.test(id) || may_take_over) && "reminder", LASTS.test(id) && "lasting"].filter(Boolean).join(" ");
export const alerts = (state, { close = null, goOn = null, takeOver = null } = {}) =>
  (state.alerts || []).map((alert) =>
    h(
      "div",
      {
        class: alertClass(alert),
        "data-alert": alert.id,
      },
      h("p", {}, h("strong", {}, alert.text), " ", clauseButton(alert.clause)),
      alert.steps.length
        ? [
            h("p", {}, t("To put it right:")),
            h(
              "ol",
              {},
              alert.steps.map((step) => h("li", {}, step)),
            ),
          ]
        : null,
      goOn &&
        alert.may_go_on &&
        h(
          "button",
          { type: "button", class: "primary", "data-key": `go-on-${alert.id}`, onclick: goOn },
          t("No more cubes are moved: go on"),
        ),
      takeOver &&
        alert.may_take_over &&
        h(
          "button",
          { type: "button", class: "primary", "data-key": `take-over-${alert.id}`, onclick: takeOver },
          t("The table lies right: take it over as the camera sees it"),
        ),
      close &&
        h(
          "button",
          { type: "button", "data-key": `close-${alert.id}`, onclick: () => close(alert.id) },
          t("It is dealt with"),
        ),
    ),
  );
export const wrongSlots = (state) => new Set((state.alerts || []).flatMap((alert) => alert.slots));
export const openCards = (state) =>
  (state.view?.open_cards || []).map((card) =>
    h(
      "span",
      { class: "chip" },
      `${t("points: {n}", { n: card.points })}: `,
      card.symbols.map((x) => `${themeWord(x.theme)} ${x.symbol}`).join(" + "),
      card.taken ? ` → ${seatOf(card.taken).name}` : "",
    ),
  );
