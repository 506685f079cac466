// The referee's PIN.
import { byId } from "/static/dom.js";
import { change } from "/static/live.js";

byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await change("/api/login", { pin: byId("pin").value })) location.reload();
});
