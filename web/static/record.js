// Time travel: the table after any record, what it says and why, with the picture that was kept for it.
import { board } from "/static/board.js";
import { byId, h, put } from "/static/dom.js";
import { boot, look, onRecord, recordText, state, t } from "/static/live.js";

const as = boot.as ? `as=${boot.as}&` : "",
  when = byId("when"),
  records = new Map();
let asked = 0;
async function load() {
  for (let after = 0; ;) {
    const data = await look(`/api/records?${as}after=${after}`);
    if (!data?.records.length) break;
    data.records.forEach((record) => records.set(record.number, record));
    after = data.records.at(-1).number;
  }
  byId("log").replaceChildren(...[...records.values()].reverse().map(line));
  go(state.number);
}
const CAUSES = {
  button: () => t("button box"),
  camera: () => t("camera"),
  operator: () => t("referee"),
  seat: () => t("player's phone"),
  draw: () => t("digital bag"),
  script: () => t("script"),
  system: () => t("companion"),
};
const line = (record) =>
  h(
    "li",
    {},
    h("span", { class: "soft num" }, String(record.number)),
    h(
      "button",
      { type: "button", class: "plain", style: "text-align:left", onclick: () => go(record.number) },
      recordText(record),
    ),
    h("span", { class: "soft small" }, CAUSES[record.cause.kind]?.() || ""),
  );
async function go(number) {
  const wanted = Math.min(Math.max(1, number), records.size || 1),
    turn = ++asked;
  when.max = records.size;
  when.value = wanted;
  byId("number").textContent = `${wanted} / ${records.size}`;
  const data = await look(`/api/records/${wanted}${as ? `?${as}` : ""}`);
  if (!data || turn !== asked) return;
  const record = records.get(wanted),
    margin = record?.cause.detail?.margin;
  put("what", record ? recordText(record) : "");
  put("board", board(data));
  put(
    "evidence",
    record?.cause.kind === "camera"
      ? [
          h(
            "p",
            { class: "soft small" },
            t("Seen in picture {frame}", { frame: record.cause.detail.frame ?? "?" }),
            margin ? ` · ${t("margin")} ${margin}` : "",
          ),
          boot.as === "referee"
            ? h("img", {
                class: "picture",
                alt: t("The picture kept for this record"),
                src: `/api/records/${wanted}/picture`,
                onerror: (event) => event.target.remove(),
              })
            : null,
        ]
      : null,
  );
}
when.addEventListener("input", () => go(Number(when.value)));
byId("back").addEventListener("click", () => go(Number(when.value) - 1));
byId("on").addEventListener("click", () => go(Number(when.value) + 1));
byId("now").addEventListener("click", () => go(records.size));
onRecord((record) => {
  const last = Number(when.value) === records.size;
  records.set(record.number, record);
  byId("log").prepend(line(record));
  if (last) go(record.number);
  else when.max = records.size;
});
load();
