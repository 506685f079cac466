// Switching the machine off, where that is set: asked once more before it is done.
import { byId, put } from "/static/page/dom.js";
import { change, t } from "/static/page/live.js";

byId("shut-down").addEventListener("click", async () => {
  if (!confirm(t("Switch this machine off? The game is kept and goes on at the next start."))) return;
  if (await change("/api/machine/off", {})) put("shut-down", t("It is switching off…"));
});
