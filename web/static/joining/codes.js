// Codes to scan: of the seats, on the big screen until all have joined and on the referee's page, and of the pages.
import { h, put } from "/static/page/dom.js";
import { change, look, onDevices, t } from "/static/page/live.js";
import { mark } from "/static/board/tiles.js";

/** A QR code as the server drew it, for what it opens. */
export function codePicture(svg, what) {
  const place = h("div", { class: "qr", role: "img", "aria-label": t("Code to scan: {what}", { what }) });
  place.append(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  return place;
}
/** Call `draw` with what `ask` finds, now and whenever somebody joins, leaves, or a code changes: the newest only. */
function onSeats(ask, draw) {
  let told = null,
    asked = 0;
  onDevices(async (now) => {
    const text = JSON.stringify(now.seats || []);
    if (text === told) return;
    told = text;
    const turn = ++asked,
      found = await ask(now.seats || []);
    if (turn === asked) draw(found);
  });
}
const asked = async (path) => (await look(path))?.seats || [];
const waits = (seat) => !seat.joined && !seat.withdrawn;
/** On the big screen: the codes of the seats that nobody has taken, and nothing when all are. */
export function openSeats(place) {
  let drawn = null;
  const card = (one) =>
    h("div", { class: "code-card" }, codePicture(one.svg, one.name), h("p", {}, mark(one.seat), one.name));
  onSeats(
    (seats) => (seats.some(waits) ? asked("/api/seats/open") : []),
    (open) => {
      // A code that somebody is about to scan stays where it is.
      const text = JSON.stringify(open.map((one) => one.address));
      if (text === drawn) return;
      drawn = text;
      place.hidden = !open.length;
      place.replaceChildren(
        h("h2", {}, t("Scan your code with the phone")),
        h("div", { class: "codes" }, open.map(card)),
        h("p", { class: "folded-words soft" }, t("Phones join by the codes on the referee's page.")),
      );
    },
  );
}
const standing = (seat) => {
  if (seat.joined > 1) return h("span", { class: "chip wait" }, t("devices at this seat: {n}", { n: seat.joined }));
  if (seat.here) return h("span", { class: "chip ok" }, t("is here"));
  if (seat.joined) return h("span", { class: "chip" }, t("joined, but the page is not open now"));
  return h("span", { class: "chip" }, t("has not joined yet"));
};
/** On the referee's page: every seat with its code, who has joined, and how a code is withdrawn or made anew. */
export function seatCodes(place) {
  let joined = false;
  const drawn = new Map();
  onSeats((seats) => (seats.length ? asked("/api/seats") : []), (found) => {
    // Only what has changed is drawn anew: nobody's camera loses the code of a seat because another one was taken.
    put(
      place.id,
      found.map((one) => {
        const text = JSON.stringify(one);
        if (drawn.get(one.seat)?.text !== text) drawn.set(one.seat, { text, element: seatCode(one) });
        return drawn.get(one.seat).element;
      }),
    );
    put("joined", t("joined: {n}/{all}", { n: found.filter((one) => one.joined).length, all: found.length }));
    // Once everybody has joined the codes are in the way of what is played.
    const all = found.every((one) => one.joined);
    if (all && !joined) fold(place.closest("details"));
    joined = all;
  });
}
/** What had the focus within is seen no more: its heading gets it. */
function fold(details) {
  if (details.contains(document.activeElement)) details.querySelector("summary").focus();
  details.open = false;
}
/** `address` as this page is reached: phones need the network's address, but the roles of this browser are those here. */
function here(address) {
  const { pathname, hash } = new URL(address);
  return pathname + hash;
}
function seatCode(one) {
  const tell = (doing) => () => change("/api/seats/code", { seat: one.seat, do: doing });
  const button = (doing, text) =>
    h("button", { type: "button", class: "small", "data-key": `${doing}-${one.seat}`, onclick: tell(doing) }, text);
  return h(
    "div",
    { class: "seat-code" },
    h("h3", {}, mark(one.seat), one.name),
    h("p", {}, standing(one)),
    one.svg
      ? [codePicture(one.svg, one.name), h("a", { href: here(one.address), class: "small" }, t("Open this seat here"))]
      : h("p", { class: "soft" }, t("The code is withdrawn: nobody joins by it.")),
    h(
      "div",
      { class: "row" },
      one.svg ? button("withdraw", one.joined ? t("Withdraw the code; the phone leaves") : t("Withdraw the code")) : null,
      button("renew", one.joined ? t("New code; the old phone leaves") : t("New code")),
    ),
  );
}
/** The code of one of the shared pages: "table", "setup" or "camera", with its address to type. */
export async function pageCode(place, page) {
  const found = await look("/api/addresses"),
    one = found?.pages.find((other) => other.page === page);
  if (!one || !place) return;
  const named = found.name && page !== "camera" ? h("p", { class: "code" }, `${found.name}/${page}`) : "";
  place.replaceChildren(codePicture(one.svg, one.address), h("p", { class: "code" }, one.address), named);
}
