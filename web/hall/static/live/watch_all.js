// The public's page of all tables.
import { h, put as fill } from "/static/page/dom.js";
import { t } from "/static/page/live.js";
import { put, seats, state } from "/hall-static/live/cards.js";
import { follow } from "/hall-static/live/follow.js";

follow({
  table: (table) => {
    put(table, card);
    fill("late", table.delay_s > 0 ? t("{n} seconds late", { n: table.delay_s }) : "");
  },
});
function card(table) {
  const page = table.page,
    [word, kind] = state(page);
  return h(
    "article",
    { class: "card tablecard" },
    h("header", {}, h("a", { href: `/watch/${table.table}` }, t("Table {name}", { name: table.name })), h("span", { class: `chip ${kind}` }, word)),
    page?.session && [
      h("p", { class: "soft small line" }, page.title),
      seats(page),
      h("p", { class: "small line" }, page.result ? page.result.sentence : page.expected),
    ],
    h("p", { class: "chips" }, table.review && h("span", { class: "chip wait" }, t("under review")), table.call && h("span", { class: "chip bad" }, t("A referee is called."))),
  );
}
