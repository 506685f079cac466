// The doctor: everything that was looked at, what is wrong first, each with what mends it.
import { byId, h, put } from "/static/page/dom.js";
import { look, stayThroughGames, t } from "/static/page/live.js";

stayThroughGames();
const NAMES = {
  disk: () => t("Room on the disk"), clock: () => t("Clock of the machine"), network: () => t("Network"), https: () => t("Secure address"),
  browser: () => t("Browser"), camera: () => t("Camera"), box: () => t("Button box"), tiles: () => t("Tiles of your box"),
  markers: () => t("Markers"), place: () => t("Place of the table"), lens: () => t("Lens"),
  table: () => t("Remembered place"), light: () => t("Light"), colours: () => t("Colour check"),
  sharpness: () => t("Sharpness"),
};
const STATES = { ok: () => t("good"), wait: () => t("to do"), bad: () => t("wrong"), off: () => t("not used") };
const ORDER = ["bad", "wait", "ok", "off"];
const WHERE = { lens: "/lens", tiles: "/enrol", markers: "/lens" };
const LINKS = { lens: () => t("Measure the lens"), tiles: () => t("Learn your box"), markers: () => t("The sheets (A4)") };

async function examine() {
  byId("again").disabled = true;
  const data = await look("/api/doctor");
  byId("again").disabled = false;
  if (!data) return;
  const lines = [...data.lines].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const bad = lines.filter((one) => one.state === "bad").length,
    todo = lines.filter((one) => one.state === "wait").length;
  put("verdict", bad ? t("To mend: {n}.", { n: bad }) : todo ? t("Nothing is wrong; to improve: {n}.", { n: todo }) : t("Everything is good."));
  put("lines", lines.map((one) =>
    h(
      "li",
      { class: one.state, "data-line": one.key },
      h("div", { class: "row spread" }, h("strong", {}, NAMES[one.key]?.() || one.key), h("span", { class: `chip ${one.state}` }, STATES[one.state]())),
      h("p", {}, one.text),
      one.remedy ? h("p", { class: "remedy" }, one.remedy) : null,
      one.detail ? h("p", { class: "small soft" }, one.detail) : null,
      one.state !== "ok" || one.key === "lens" ? h("p", {}, h("a", { href: WHERE[one.key] || "/setup" }, LINKS[one.key]?.() || t("To the set-up"))) : null,
    )));
}
byId("again").addEventListener("click", examine);
examine();
