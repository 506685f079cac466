// Every table for the hall's people: how its game stands, and where somebody is needed.
import { byId, h, put as fill } from "/static/page/dom.js";
import { healthWord, t } from "/static/page/live.js";
import { put, seats, state, tables } from "/hall-static/live/cards.js";
import { follow, now, since } from "/hall-static/live/follow.js";

const SILENT_MS = 20000; // a table says every five seconds that it is there
const LOOK_MS = 2000;
const silent = (table) => table.joined && table.seen_ms && now() - table.seen_ms > SILENT_MS;
const behind = (table) => table.backlog?.waiting > 0 && table.backlog.since_ms;
const devices = (table) => Object.entries(table.health || {}).filter(([, one]) => one.state === "bad");
/** Why somebody is needed, the most pressing first. */
const needs = (table) =>
  [
    table.call && h("a", { class: "chip bad", href: "/calls" }, t("Referee"), " ", since(h, table.call.since_ms), table.call.person && ` ${table.call.person}`),
    silent(table) && h("span", { class: "chip bad" }, t("not heard"), " ", since(h, table.seen_ms)),
    behind(table) && h("span", { class: "chip wait" }, t("{n} records behind", { n: table.backlog.waiting }), " ", since(h, table.backlog.since_ms)),
    table.page?.alerts?.length && h("span", { class: "chip bad", title: table.page.alerts.join("\n") }, t("Alerts: {n}", { n: table.page.alerts.length })),
    table.page?.trouble && h("span", { class: "chip bad", title: table.page.trouble }, t("Not saved")),
    devices(table).map(([name, one]) => h("span", { class: "chip bad", title: healthWord(one.text) }, name === "camera" ? t("Camera") : t("Button box"))),
    table.review && h("span", { class: "chip wait" }, t("under review"), " ", since(h, table.review.since_ms)),
  ]
    .flat()
    .filter(Boolean);
const DEVICE = { ok: "good", wait: "waits", bad: "bad", off: "off" };
const lights = (table) =>
  h(
    "span",
    { class: "lights" },
    [["camera", t("Camera")], ["box", t("Button box")]].map(([name, word]) => {
      const one = table.health?.[name] || { state: "off", text: "" };
      const text = `${word}: ${one.state === "off" ? t("off") : healthWord(one.text) || one.state}`;
      return h("span", { class: `light ${DEVICE[one.state]}`, role: "img", title: text, "aria-label": text });
    }),
  );
function card(table) {
  const page = table.page,
    [word, kind] = table.joined ? state(page) : [t("not joined"), ""],
    found = needs(table);
  return h(
    "article",
    { class: `card tablecard ${found.length ? "needs" : ""} ${silent(table) ? "silent" : ""}` },
    h("header", {}, h("a", { href: `/live/${table.table}` }, h("span", { class: "visually-hidden" }, t("Table")), " ", table.name), h("span", { class: `chip ${kind}` }, word), lights(table)),
    page?.session && [seats(page), h("p", { class: "small line", title: page.expected || null }, page.result ? page.result.sentence : page.expected)],
    h("p", { class: "chips" }, found),
  );
}
const show = (table) => {
  put(table, card).hidden = byId("only").checked && !needs(table).length;
};
follow({ table: (table) => (show(table), count()) });
byId("only").addEventListener("change", () => [...tables.values()].forEach(show));
const words = () =>
  [...tables.values()].reduce((found, table) => {
    const playing = table.page?.session && !table.page.over;
    return { playing: found.playing + (playing ? 1 : 0), needed: found.needed + (needs(table).length ? 1 : 0) };
  }, { playing: 0, needed: 0 });
function count() {
  const { playing, needed } = words();
  fill("counts", t("Tables: {all}, in play: {playing}, somebody needed: {needed}", { all: tables.size, playing, needed }));
}
// A table that has fallen silent tells nobody: it is noticed here.
const heard = new Map();
setInterval(() => {
  for (const table of tables.values()) {
    if (heard.get(table.table) !== silent(table)) {
      heard.set(table.table, silent(table));
      show(table);
    }
  }
  count();
}, LOOK_MS);
