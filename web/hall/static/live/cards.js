// A card a table: who plays, whose turn, points and clocks, in a grid that changes only where something has changed.
import { byId, h } from "/static/dom.js";
import { t } from "/static/live.js";
import { inkOf } from "/static/tiles.js";
import { now } from "/hall-static/live/follow.js";

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
        page.clock ? h("span", { class: "num soft clock", "data-of": seat.seat }, clockText(page, seat.seat)) : null,
        h("span", { class: "num total" }, score ? String(score.total) : ""),
      );
    }),
  );
}
/** A player's clock as mm:ss. */
function clockText(page, letter) {
  const clock = page.clock,
    running = clock.running.includes(letter) && !page.paused;
  const used = (clock.used_ms[letter] || 0) + (running ? Math.max(0, now() - clock.since_ms) : 0);
  const left = clock.limit_ms === null ? used : clock.limit_ms - used,
    seconds = Math.floor(Math.abs(left) / 1000);
  return `${left < 0 ? "–" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
setInterval(() => {
  for (const [number, card] of shown)
    for (const place of card.querySelectorAll("[data-of]")) {
      const text = clockText(tables.get(number).page, place.dataset.of);
      if (place.textContent !== text) place.textContent = text;
    }
}, 1000);
/** What a game does, in a word. */
export function state(page) {
  if (!page?.session) return [t("no game"), ""];
  if (page.over) return [t("over"), "next"];
  if (page.paused) return [t("paused"), "wait"];
  return [page.view?.round ? t("Round {n}", { n: page.view.round }) : t("in play"), "ok"];
}
