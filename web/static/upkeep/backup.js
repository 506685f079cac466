// Backup and restore: a file is handed in part by part, tried, and put in place when a person says so.
import "/static/page/after_game.js";
import { byId, put } from "/static/page/dom.js";
import { boot, change, stayThroughGames, t } from "/static/page/live.js";

stayThroughGames();
const PART_BYTES = 4 * 1024 * 1024,
  ASK_MS = 1000;
let busy = false;

byId("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file || busy) return;
  busy = true;
  byId("sure").hidden = true;
  byId("bar").hidden = false;
  try {
    await handIn(file);
  } finally {
    busy = false;
    byId("bar").hidden = true;
  }
});
async function handIn(file) {
  put("told", t("{name} is handed in…", { name: file.name }));
  for (let at = 0; at < Math.max(1, file.size); at += PART_BYTES) {
    const answer = await fetch(`/api/backup?at=${at}&lang=${boot.language}`, {
      method: "POST", body: file.slice(at, at + PART_BYTES),
      headers: { "Content-Type": "application/octet-stream", "X-Companion-Token": boot.token },
    });
    if (!answer.ok) {
      const { error } = await answer.json();
      put("told", [error.message, error.remedy].join(" "));
      return;
    }
    byId("bar").firstElementChild.style.width = `${Math.round((100 * Math.min(file.size, at + PART_BYTES)) / Math.max(1, file.size))}%`;
  }
  put("told", t("It is being tried…"));
  const holds = await change("/api/restore", { do: "try" });
  if (!holds) {
    put("told", t("It cannot be used; nothing was changed."));
    return;
  }
  put("told", t("It is whole: {sessions} games, {size} MB.", { sessions: holds.sessions.length, size: (holds.size / 1e6).toFixed(1) }), " ",
    t("When it is put in place, the companion starts anew."));
  byId("sure").hidden = false;
}
byId("forget").addEventListener("click", async () => {
  if (await change("/api/restore", { do: "forget" })) {
    byId("sure").hidden = true;
    put("told", t("It was left; nothing was changed."));
  }
});
byId("restore").addEventListener("click", async () => {
  byId("sure").hidden = true;
  put("told", t("It is put in place: the companion starts anew…"));
  if (await change("/api/restore", { do: "restore" })) setTimeout(comeBack, 3 * ASK_MS);
});
/** The companion has started anew as soon as a page answers again. */
async function comeBack() {
  try {
    if ((await fetch("/history")).ok) {
      location.assign("/setup");
      return;
    }
  } catch {
    /* not yet */
  }
  setTimeout(comeBack, ASK_MS);
}
