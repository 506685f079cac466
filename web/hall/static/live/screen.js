// The big screen of the hall: turns through the tables, comes to a referee call or an ending, and stays there.
import { byId, put } from "/static/page/dom.js";
import { boot, onState, show, stayThroughGames, t } from "/static/page/live.js";
import { byName } from "/hall-static/live/cards.js";
import { draw, standing } from "/hall-static/live/drawn.js";
import { follow } from "/hall-static/live/follow.js";

const STAY_MS = boot.hall.stay_s * 1000,
  ENDING_MS = 60000,
  CALL_MOST_MS = 180000,
  TURN_MS = 250;
const tables = new Map(),
  ended = new Map(), // table -> when its game was seen to end
  called = new Map(); // table -> since when it calls
let at = null,
  came = performance.now();

stayThroughGames();
onState((state) => draw(state, { screen: true }));
const playing = () => [...tables.values()].filter((one) => one.page?.session).sort(byName);
/** Why the screen stays on a table, "" when it goes on: an ending for a minute, a call while it is open, not for ever. */
function holds(table) {
  const since = (map) => performance.now() - (map.get(table.table) ?? -Infinity);
  if (since(called) < CALL_MOST_MS) return t("A referee is called.");
  return since(ended) < ENDING_MS ? t("The game is over.") : "";
}
function turn(to) {
  at = to.table;
  came = performance.now();
  paint();
}
function paint() {
  const table = tables.get(at);
  put("name", table ? t("Table {name}", { name: table.name }) : "");
  put("standing", table ? standing({ ...table, call: false }) : []); // a call is said beside the name
  show(table?.page || { session: null });
}
function next() {
  const all = playing();
  if (!all.length) {
    at = null;
    paint();
    return;
  }
  const here = tables.get(at),
    held = all.filter(holds),
    among = held.length && !(here && holds(here) && held.length === 1) ? held.filter((one) => one.table !== at) : all;
  turn(among.find((one) => here && byName(one, here) > 0) || among[0]);
}
follow({
  table: (table) => {
    const before = tables.get(table.table);
    tables.set(table.table, table);
    if (table.call && !before?.call && before) called.set(table.table, performance.now());
    if (!table.call) called.delete(table.table);
    if (before && table.page?.over && before.page?.session === table.page.session && !before.page?.over) ended.set(table.table, performance.now());
    if (at === null && table.page?.session) turn(table);
    else if (at === table.table) paint();
    else if (holds(table) && !(tables.get(at) && holds(tables.get(at)))) turn(table);
  },
});
byId("next").addEventListener("click", next);
setInterval(() => {
  const here = tables.get(at),
    why = here ? holds(here) : "",
    others = playing().filter((one) => one.table !== at && holds(one)).length,
    passed = (performance.now() - came) / STAY_MS;
  put("held", why);
  byId("turned").style.setProperty("--passed", why && !others ? 0 : Math.min(1, passed));
  if (passed >= 1 && (!why || others)) next();
}, TURN_MS);
