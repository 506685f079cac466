// A box file that was learnt elsewhere is handed in, on the page where a box is learnt and on the set-up.
import { boot, t } from "/static/page/live.js";

/** Hand in the chosen file as a box of `game`; what came of it in words, and whether it is used now. */
export async function loadBox({ target }, game) {
  const [file] = target.files;
  if (!file) return null;
  const asked = new URLSearchParams({ name: file.name.slice(0, 80), game, lang: boot.language });
  try {
    const answer = await fetch(`/api/boxes?${asked}`, {
      method: "POST", body: file, headers: { "Content-Type": "application/octet-stream", "X-Companion-Token": boot.token },
    });
    const data = await answer.json();
    if (answer.ok) return { ok: true, text: t("Loaded and used: {name}", { name: data.name }) };
    return { ok: false, text: [`${file.name}:`, `${data.error.message}.`, data.error.remedy].join(" ") };
  } catch {
    return { ok: false, text: t("The file did not arrive: load it once more.") };
  } finally {
    target.value = ""; // the same file may be chosen again after it was mended
  }
}
