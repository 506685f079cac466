// The referee's PIN is changed, and this browser forgets its roles.
import { byId } from "/static/page/dom.js";
import { change, say, t } from "/static/page/live.js";

byId("new-pin").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await change("/api/pin", { pin: byId("pin").value }))) return;
  say({ message: t("The PIN is changed. Every other device of the referee has to give it.") });
  setTimeout(() => location.reload(), 2500);
});
byId("logout").addEventListener("click", async () => {
  if (await change("/api/logout", { as: undefined })) location.assign("/");
});
