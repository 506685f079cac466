// The games of this machine that can be gone on with, the newest first; of those that are over it says so.
import { h, put } from "/static/page/dom.js";
import { change, listed, look, t } from "/static/page/live.js";

const MOST = 12;
async function goOn(session) {
  if (await change("/api/resume", { session })) location.assign("/referee");
}
const row = (one, over) =>
  h(
    "li",
    { class: one.damage ? "bad" : "" },
    h("strong", {}, one.session),
    h("p", { class: "small" }, one.damage || [listed(one.players), t("{n} records", { n: one.records }), over && t("The game is over.")].filter(Boolean).join(" · ")),
    one.damage ? null : h("button", { type: "button", "data-key": one.session, onclick: () => goOn(one.session) }, over ? t("The result") : t("Go on")),
  );
function draw(sessions, over) {
  const none = h("p", { class: "soft" }, t("No session yet."));
  put("sessions", sessions.length ? h("ul", { class: "steps" }, sessions.map((one) => row(one, over.has(one.session)))) : none);
}
/** List them; how they ended is read meanwhile, the newest first, and may not be known of all of them. */
export async function showSessions() {
  const sessions = ((await look("/api/sessions"))?.sessions || []).slice(0, MOST);
  draw(sessions, new Set());
  if (!sessions.length) return;
  look("/api/history").then((played) => {
    const over = (played?.games || []).filter((one) => one.over).map((one) => one.session);
    if (over.length) draw(sessions, new Set(over));
  });
}
