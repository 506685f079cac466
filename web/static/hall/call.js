// A referee of the hall: called from a seat or by the table's referee, and everybody at the table sees who comes.
import { byId, h, put } from "/static/page/dom.js";
import { boot, change, onDevices, t } from "/static/page/live.js";

const button = byId("call-referee");
const say = (what) => change("/api/hall/call", { do: what });
button?.addEventListener("click", async () => {
  await say("call");
  byId("called").scrollIntoView({ block: "center" }); // the answer stands at the head of the page, the button at its foot
});
onDevices(({ hall }) => {
  const call = hall?.call;
  if (button) button.hidden = !hall || Boolean(call);
  put("called", call ? h("div", { class: `banner ${hall.linked ? "" : "bad"}`, role: "status" }, words(hall), boot.as === null ? null : [" ", h("button", { type: "button", class: "plain", "data-key": "withdraw-call", onclick: () => say("withdraw") }, t("Nobody is needed any more"))]) : null);
});
function words({ linked, call }) {
  if (call.person) return t("{name}, a referee of the hall, comes.", { name: call.person });
  if (!linked) return t("The link to the hall is down: the call for a referee is sent as soon as it is back.");
  return call.sent ? t("A referee of the hall is called. Somebody will come.") : t("A referee of the hall is being called.");
}
