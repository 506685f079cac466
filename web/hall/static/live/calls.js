// The list of referee calls on a referee's phone: who calls since when, who goes there, what is done.
import { byId, h } from "/static/page/dom.js";
import { boot, change, look, t } from "/static/page/live.js";
import { follow, since } from "/hall-static/live/follow.js";

let known = null;
function draw(calls) {
  const fresh = known && calls.open.some((one) => !known.has(one.id));
  known = new Set(calls.open.map((one) => one.id));
  if (fresh) navigator.vibrate?.([200, 100, 200]);
  const waiting = calls.open.filter((one) => !one.person_id).length;
  document.title = document.title.replace(/^(\(\d+\) )?/, waiting ? `(${waiting}) ` : "");
  byId("open").replaceChildren(...(calls.open.length ? calls.open.map((one) => card(one, calls.me)) : [h("p", { class: "soft" }, t("Nobody calls."))]));
  byId("done-calls").hidden = !calls.done.length;
  byId("done").replaceChildren(
    ...calls.done.map((one) => h("li", { class: "ok" }, h("strong", {}, t("Table {name}", { name: one.table_name })), ` · ${one.who || t("the table's referee")}`, one.person && ` · ${one.person}`, " · ", since(h, one.done_ms))),
  );
}
function card(call, me) {
  const act = (what) => async () => {
    const after = await change(`/api/calls/${call.id}`, { do: what });
    draw(after || (await look("/api/calls")) || { open: [], done: [], me });
  };
  const button = (what, text, kind) => h("button", { type: "button", class: kind, onclick: act(what) }, text);
  return h(
    "article",
    { class: `card call ${call.person_id ? "" : "waits"}` },
    h("h2", {}, h("a", { href: `/live/${call.table}` }, t("Table {name}", { name: call.table_name })), " ", h("span", { class: "chip" }, since(h, call.made_ms))),
    h("p", {}, call.who || t("the table's referee")),
    call.person_id ? h("p", { class: "chip ok" }, call.person_id === me ? t("You go there") : t("{name} goes there", { name: call.person })) : null,
    h(
      "div",
      { class: "row" },
      !call.person_id && button("take", t("I go there"), "primary big"),
      call.person_id === me && [button("done", t("Done"), "primary big"), button("give-back", t("Somebody else must go"), "")],
      call.person_id && call.person_id !== me && button("done", t("Done"), ""),
    ),
  );
}
draw(boot.hall.calls);
const again = async () => {
  const found = await look("/api/calls");
  if (found) draw(found);
};
follow({ calls: again }, again);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && again());
