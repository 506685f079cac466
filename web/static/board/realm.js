// What the view of a game with a realm has beside its map: tracker, market, store, relics, the fight, each mage's own.
import { h } from "/static/page/dom.js";
import { elementSign, elementWord, mapLegend, tilePicture } from "/static/board/hexmap.js";
import { listedSeats, seatOf, t } from "/static/page/live.js";

const THINGS = {
  horse: () => t("horse"),
  boat: () => t("boat"),
  scroll: () => t("max scroll"),
};
const FOES = {
  enemy: () => t("enemy"),
  rift: () => t("rift"),
  temple: () => t("temple"),
};
const WHERE = {
  hidden: () => t("not yet on the map"),
  "on the map": () => t("on the map"),
  carried: () => t("carried"),
  destroyed: () => t("destroyed"),
};
const chip = (what, kind = "") => h("span", { class: `chip ${kind}` }, what);

/** What a card says; short: its name, sign and damage, with `+` what its fuel adds. */
function shortCardText(card) {
  if (card.element === undefined || card.sort === "rift" || card.sort === "wound") return cardText(card);
  const more = card.fuel ? ` + ${elementSign(card.fuel)}${card.boost}` : "";
  return `${elementSign(card.element)} ${card.name}: ${t("damage {n}", { n: card.damage })}${more}`;
}

/** What a card says. */
export function cardText(card) {
  if (card.sort === "wound") return t("Wound");
  if (card.sort === "rift") return t("Rift card");
  const said = [elementWord(card.element), t("damage {n}", { n: card.damage })];
  if (card.fuel) said.push(t("with fuel ({element}) {n} more", { element: elementWord(card.fuel), n: card.boost }));
  return `${elementSign(card.element)} ${card.name}: ${said.join(", ")}`;
}

/** Chips of a mage: what everybody may see of it. `mini`: without glory, which stands beside, and what it has none of. */
export function mageChips(own, mini = false) {
  const stock = Object.entries(own.resources)
    .filter(([, n]) => n > 0 || !mini)
    .map(([element, n]) => {
      const word = h("span", mini ? { class: "visually-hidden" } : {}, ` ${elementWord(element)}`);
      return chip([elementSign(element), word, ` ${n}`]);
    });
  return [
    mini ? null : chip(t("glory {n}", { n: own.score.total }), "next"),
    chip(t("{n} gold", { n: own.gold })),
    stock,
    chip(t("cards in hand: {n}", { n: own.hand_count })),
    own.items.map((item) => chip(THINGS[item]())),
    own.relics.map((relic) => chip(t("relic of {element}", { element: elementWord(relic) }), "next")),
    own.down ? chip(t("knocked out"), "wait") : null,
  ];
}

/** The own hand, for its seat only: equal cards stand in one line, as many as they are. */
export function hand(own, covered) {
  if (!own.hand) return null;
  const held = new Map();
  for (const text of own.hand.map(cardText)) held.set(text, (held.get(text) || 0) + 1);
  const cards = [...held].map(([text, n]) => h("li", {}, n > 1 ? `${n} × ${text}` : text));
  const shown = covered ? h("p", { class: "soft" }, t("hidden")) : h("ul", {}, cards);
  return h("div", { class: "card hand" }, h("h2", {}, t("Your hand")), shown);
}

/** The fight that is on: who, against what, how far. */
export function fight(state) {
  const now = state.view.fight;
  if (!now) return null;
  const weak = now.weakness ? `; ${t("weak to {element}", { element: elementWord(now.weakness) })}` : "";
  const level = now.foe === "temple" ? ` (${elementWord(now.element)}, ${t("level {n} of 3", { n: now.level })})` : "";
  const played = now.played
    .filter((one) => one.cards.length)
    .map((one) => h("li", {}, `${seatOf(one.seat).name}: ${one.names.join(", ")}`));
  const offer =
    now.offer &&
    [
      now.offer.gold.map((n, i) => `${seatOf(now.fighters[i]).name} ${n}`).join(", "),
      now.offer.taker ? t("{player} takes what cannot be divided", { player: seatOf(now.offer.taker).name }) : "",
    ]
      .filter(Boolean)
      .join("; ");
  return h(
    "section",
    { class: "card" },
    h("h2", {}, `${t("Fight")}: ${FOES[now.foe]()}${level}`),
    h("p", {}, h("strong", { class: "num" }, t("damage {n} of {health}", { n: now.damage, health: now.health })), weak),
    h("p", {}, listedSeats(now.fighters), now.won === null ? "" : ` · ${now.won ? t("won") : t("lost")}`),
    played.length ? h("ul", {}, played) : null,
    offer ? h("p", {}, `${t("Offer")}: ${offer}`) : null,
  );
}

const templeChip = (one) => {
  const carrier = one.carrier ? ` (${seatOf(one.carrier).name})` : "";
  const kind = one.where === "destroyed" ? "ok" : "";
  return chip(`${elementSign(one.element)} ${elementWord(one.element)}: ${WHERE[one.where]()}${carrier}`, kind);
};
const marketLine = (say) => (card, i) => {
  const price = card?.price ? ` – ${t("{n} gold", { n: card.price })}` : "";
  return h("li", {}, `s${i + 1} ${card ? say(card) : "–"}${price}`);
};

const market = (view, mini) => [
  h("h3", {}, t("Spell market")),
  h("ul", { class: "small market-lines" }, view.market.map(marketLine(mini ? shortCardText : cardText))),
];

/** The location tile that was drawn and has no place yet; nothing when there is none. */
export function drawnTile(state) {
  const tile = state.view?.map && state.view.tile;
  if (!tile) return null;
  return h("div", { class: "row fixed", "data-key": "drawn-tile" }, tilePicture(tile, 0), h("span", {}, t("Drawn: location tile {n}", { n: tile.number })));
}

/** Tracker, supply, market, store and temples. `mini`: only as much as is seen without scrolling; `drawn`: the drawn tile too. */
export function realm(state, { mini = false, drawn = true } = {}) {
  const view = state.view;
  const moves = view.moves === null ? "" : ` · ${t("movement left: {n}", { n: view.moves })}`;
  const store = view.store.map((one) => `${THINGS[one.item]()} ${one.price}`).join(", ");
  const left = [
    t("locations left: {n}", { n: view.supply.locations }),
    t("cards in the spell deck: {n}", { n: view.supply.spell_deck }),
    t("Rift cards to come: {n}", { n: view.supply.rift_cards }),
    t("enemy tokens left: {n}", { n: view.supply.enemies }),
  ];
  // Where all have lost nobody is celebrated: what is told is who did most.
  const champion = state.result?.winners.length ? t("Champion of N'Norya: {players}", { players: listedSeats(view.champions) }) : t("Most glory: {players}", { players: listedSeats(view.champions) });
  return [
    h("p", {}, h("strong", { class: "num big-number" }, t("Rift Tracker {n}", { n: view.tracker })), moves),
    drawn ? drawnTile(state) : null,
    fight(state),
    mini && view.fight ? null : market(view, mini),
    mini ? null : h("h3", {}, t("Relics")),
    h("div", { class: "chips" }, view.temples.filter((one) => !mini || one.where !== "hidden").map(templeChip)),
    h("p", { class: "soft small" }, `${t("Store")}: ${store}`),
    h("p", { class: "soft small" }, left.join(" · ")),
    view.champions.length ? h("p", {}, h("strong", {}, champion)) : null,
    mini && view.fight ? null : mapLegend(),
  ];
}

/** A picture for an act that needs one: the drawn tile as it would lie. */
export function actPicture(state, act) {
  if (act.kind !== "Place" || !state.view.tile) return null;
  return tilePicture(state.view.tile, Number(act.text.split(" ")[3]), 64);
}
