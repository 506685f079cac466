// The referee's PIN.
import { byId } from "/static/page/dom.js";
import { change } from "/static/page/live.js";

byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await change("/api/login", { pin: byId("pin").value })) location.reload();
});
