// A card a table: who plays, whose turn, points and clocks, in a grid that changes only where something has changed.
import { byId, h } from "/static/page/dom.js";
import { clockOf } from "/static/everyday/clock.js";
import { t } from "/static/page/live.js";
import { inkOf } from "/static/board/tiles.js";

const shown = new Map();
/** What the hall knows of its tables, by number. */
export const tables = new Map();
export const byName = (a, b) => a.name.length - b.name.length || a.name.localeCompare(b.name);

/** Show a table's card, made by `make`, where its name says. */
export function put(table, make) {
  tables.set(table.table, table);
  const card = make(table),
    old = shown.get(table.table);
  shown.set(table.table, card);
  if (old) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(card);
    if (focused) card.querySelector("a")?.focus();
    return card;
  }
  const after = [...tables.values()].filter((one) => shown.has(one.table) && one !== table && byName(table, one) < 0).sort(byName)[0];
  byId("tables").insertBefore(card, after ? shown.get(after.table) : null);
  return card;
}
/** Players with their points and clocks; who is awaited stands out. */
export function seats(page) {
  const awaited = new Set(page.over ? [] : page.view?.awaited || page.to_act || []);
  return h(
    "ul",
    { class: "seats" },
    (page.seats || []).map((seat) => {
      const [ground, ink] = inkOf(seat.colour),
        score = (page.scores || []).find((one) => one.seat === seat.seat);
      const won = page.result?.winners.includes(seat.seat);
      return h(
        "li",
        { class: [awaited.has(seat.seat) && "on", won && "won"].filter(Boolean).join(" ") || null },
        h("span", { class: "dot", style: `background:${ground};color:${ink}`, "aria-hidden": "true" }, seat.seat),
        h("span", { class: "who" }, seat.name, awaited.has(seat.seat) ? h("span", { class: "visually-hidden" }, ` (${t("awaited")})`) : null, won ? h("span", { class: "visually-hidden" }, ` (${t("winner")})`) : null),
        page.clock ? h("span", { class: "num soft clock", "data-of": seat.seat }, clockOf(seat.seat, page).text) : null,
        h("span", { class: "num total" }, score ? String(score.total) : ""),
      );
    }),
  );
}
setInterval(() => {
  for (const [number, card] of shown)
    for (const place of card.querySelectorAll("[data-of]")) {
      const text = clockOf(place.dataset.of, tables.get(number).page)?.text;
      if (text && place.textContent !== text) place.textContent = text;
    }
}, 1000);
/** What a game does, in a word. */
export function state(page) {
  if (!page?.session) return [t("no game"), ""];
  if (page.over) return [t("over"), "next"];
  if (page.paused) return [t("paused"), "wait"];
  return [page.view?.round ? t("Round {n}", { n: page.view.round }) : t("in play"), "ok"];
}
