// Time travel: the table after any record, what it says and why, with the picture that was kept for it.
import "/static/page/after_game.js";
import { board } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { pictured } from "/static/board/faces.js";
import { boot, look, recordText, t } from "/static/page/live.js";
import { followRecords } from "/static/records.js";

const as = boot.as ? `as=${boot.as}&` : "",
  when = byId("when");
let asked = 0,
  records = [];
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
      {
        type: "button",
        class: "plain",
        style: "text-align:left",
        "data-key": `record-${record.number}`,
        onclick: () => go(record.number),
      },
      pictured(recordText(record)),
    ),
    h("span", { class: "soft small" }, CAUSES[record.cause.kind]?.() || ""),
  );
async function go(number) {
  const wanted = Math.min(Math.max(1, number), records.length || 1),
    turn = ++asked;
  when.max = records.length;
  when.value = wanted;
  byId("number").textContent = `${wanted} / ${records.length}`;
  const data = await look(`/api/records/${wanted}${as ? `?${as}` : ""}`);
  if (!data || turn !== asked) return;
  const record = records[wanted - 1],
    margin = record?.cause.detail?.margin;
  put("what", record ? pictured(recordText(record)) : "");
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
byId("now").addEventListener("click", () => go(records.length));
followRecords(0, (now) => {
  const last = Number(when.value) === records.length || !records.length;
  records = now;
  put("log", [...records].reverse().map(line));
  if (last) go(records.length);
  else when.max = records.length;
});
