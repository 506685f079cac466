// Games played and how each player has done, from the records on this machine.
import { h, put } from "/static/page/dom.js";
import { boot, look, t } from "/static/page/live.js";

const AGAIN_MS = 400;
const day = new Intl.DateTimeFormat(boot.language, { dateStyle: "medium", timeStyle: "short" });
const tenths = new Intl.NumberFormat(boot.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const cell = (what, kind = "") => h("td", { class: kind }, h("div", {}, what));
/** A table of `rows` of cells; on a narrow screen every row is a block and every cell says its own head: finish.css. */
function table(heads, rows) {
  for (const row of rows) heads.forEach((head, n) => (row.children[n].dataset.head = head));
  return h(
    "div",
    { class: "scrolls", tabindex: 0, role: "region", "aria-label": heads[0] },
    h("table", { class: "blocks" }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)),
  );
}
function who(game) {
  const ranked = game.over ? [...game.players].sort((a, b) => a.place - b.place) : game.players;
  return ranked.map((one) => h("span", { class: `chip ${one.won ? "next" : ""}` }, one.total === undefined ? one.name : `${one.name} ${one.total}`));
}
const gameRow = (game) =>
  h(
    "tr",
    {},
    cell(day.format(game.created_ms)),
    cell(game.title),
    h("td", {}, h("div", { class: "chips" }, who(game), game.over ? null : h("span", { class: "chip wait" }, t("not finished")))),
  );
function personRow(row) {
  const games = Object.entries(row.by_game).map(([title, own]) =>
    h("div", {}, t("{game}: {n} played, {won} won, best {best}, mean {mean}", { game: title, n: own.games, won: own.won, best: own.best, mean: tenths.format(own.points / own.games) })),
  );
  const against = Object.entries(row.against)
    .sort(([, a], [, b]) => b.games - a.games)
    .map(([name, met]) => h("div", {}, t("{player}: ahead in {n} of {games}", { player: name, n: met.ahead, games: met.games })));
  return h("tr", {}, h("th", { scope: "row" }, row.name), cell(String(row.games), "num"), cell(String(row.won), "num"), cell(games), cell(against));
}
async function show() {
  const data = await look("/api/history");
  if (!data) return;
  const nothing = h("p", { class: "soft" }, t("No game has been finished yet."));
  put("people", data.players.length ? table([t("Player"), t("Played"), t("Won"), t("Points"), t("Against")], data.players.map(personRow)) : nothing);
  put("games", data.games.length ? table([t("Begun"), t("Game"), t("Players and points")], data.games.map(gameRow)) : h("p", { class: "soft" }, t("Nothing yet.")));
  put(
    "reading",
    data.unread ? h("p", {}, t("{n} records are still being read.", { n: data.unread })) : null,
    data.damaged ? h("p", { class: "chip bad" }, t("{n} records cannot be read.", { n: data.damaged })) : null,
  );
  if (data.unread) setTimeout(show, AGAIN_MS);
}
put("reading", h("p", { class: "soft" }, t("The records are being read.")));
show();
