"""What a player or a spectator may know of a position of Rifts of N'Norya, as JSON for a page."""

from __future__ import annotations

from typing import Any

from companion.core.game_kit.score_views import line_view, result_view
from companion.core.messages import Message
from companion.core.types import Json, Seat, SeatScore
from companion.games.rifts.edition.catalogue import Space
from companion.games.rifts.edition.hexes import HEX_SIDE_MM, TURNS, cells_of, corners_mm, middle_mm, turned
from companion.games.rifts.edition.tables import RIFT_CARD, WOUND, Tables
from companion.games.rifts.edition.world import ITEMS, RESOURCES
from companion.games.rifts.legality.check import expected_now, seats_to_act
from companion.games.rifts.play.combat import foe_health, weakness
from companion.games.rifts.play.geography import geography, sites
from companion.games.rifts.play.growth import supply
from companion.games.rifts.play.market import prices_paid
from companion.games.rifts.play.scoring import champions, result, seat_scores
from companion.games.rifts.state import NONE, Fight, Phase, State, added, round_of, tracker
from companion.games.rifts.table.stored import counted, elements


def state_view(t: Tables, s: State, viewer: Seat | None) -> Json:
    """The position for `viewer` (None: a spectator); the cards in others' hands are left out.

    Keys: docs/reference/rifts.md.
    """
    clause, expected = expected_now(s)
    to_act = [seat.name for seat in seats_to_act(t, s)]
    return {
        "game": "rifts",
        "sample": t.catalogue.has_sample_values,
        "edition": t.catalogue.title,
        "phase": s.phase.value,
        "clause": clause,
        "expected": expected,
        "round": round_of(s),
        "turn": s.turn,
        "current": t.seats[s.current].name,
        "moves": None if s.moves == NONE else s.moves,
        "to_act": to_act,
        "awaited": to_act,
        "tracker": tracker(s),
        "map": _map(t, s),
        "enemies": [t.grid.names[cell] for cell in sorted((*cells_of(s.enemies), *s.crowd))],
        "rifts": [{"slot": t.grid.names[rift.cell], "active": rift.active} for rift in s.rifts],
        "tile": _drawn(t, s),
        "market": [_card(t, card, place) for place, card in zip(t.places, s.market, strict=True)],
        "store": [{"item": item.value, "price": t.catalogue.prices[item]} for item in ITEMS],
        "temples": [_temple(t, s, index) for index in range(len(RESOURCES))],
        "fight": None if s.fight is None else _fight(t, s, s.fight),
        "seats": [_seat(t, s, score, viewer) for score in seat_scores(t, s)],
        "supply": _supply(t, s),
        "champions": [seat.name for seat in champions(t, s)] if s.ended else [],
        "result": result_view(result(t, s)),
    }


def _map(t: Tables, s: State) -> dict[str, Any]:
    """Every laid space with what lies on it, where it lies in mm, and the temples at their corners."""
    geo, side = geography(t, s.land), HEX_SIDE_MM
    origin = {t.start[0]: "start"}
    origin |= {laid.anchor: t.tiles[laid.tile].id for laid in s.land}
    spaces = []
    for cell in cells_of(geo.mask):
        space = geo.spaces[cell]
        assert space is not None
        x, y = middle_mm(t.grid.cells[cell], side)
        rift = next((rift for rift in s.rifts if rift.cell == cell), None)
        spaces.append({
            "slot": t.grid.names[cell], "x": round(x, 1), "y": round(y, 1), **_space(space),
            "tile": origin.get(cell), "city": bool(geo.cities >> cell & 1),
            "enemies": (s.enemies >> cell & 1) + s.crowd.count(cell),
            "rift_token": None if rift is None else "active" if rift.active else "inactive",
            "mages": [seat.name for seat in t.seats if s.mages[seat].cell == cell],
        })  # fmt: skip
    temples = []
    for element, corner in zip(RESOURCES, s.temples, strict=True):
        if corner != NONE:
            temples.append({"element": element.value, **_corner(t, corner)})
    return {
        "side": side,
        "spaces": spaces,
        "temples": temples,
        "corners": [_corner(t, corner) for corner in s.corners],
        "sites": _sites(t, s),
    }


def _sites(t: Tables, s: State) -> list[dict[str, Any]]:
    """Where the first space of the drawn tile can lie."""
    if s.phase is not Phase.PLACE:
        return []
    anchors = sorted({anchor for anchor, _ in sites(t, s.land, s.tile).legal})
    middles = [(anchor, middle_mm(t.grid.cells[anchor], HEX_SIDE_MM)) for anchor in anchors]
    return [{"slot": t.grid.names[anchor], "x": round(x, 1), "y": round(y, 1)} for anchor, (x, y) in middles]


def _corner(t: Tables, corner: int) -> dict[str, Any]:
    middles = [middle_mm(t.grid.cells[cell], HEX_SIDE_MM) for cell in t.grid.corners[corner]]
    x, y = sum(m[0] for m in middles) / 3, sum(m[1] for m in middles) / 3
    return {"slot": t.grid.corner_names[corner], "x": round(x, 1), "y": round(y, 1)}


def _space(space: Space) -> dict[str, Any]:
    return {
        "terrain": space.terrain.value,
        "enemy_icon": space.enemy,
        "rift_icon": space.rift,
        "sells": None if space.sells is None else {"element": space.sells.value, "gold": space.gold},
    }


def _drawn(t: Tables, s: State) -> dict[str, Any] | None:
    """The drawn tile: its spaces, and for each turn where they lie in mm from the first one's middle."""
    if s.tile == NONE:
        return None
    tile = t.tiles[s.tile]
    turns = []
    for turn in range(TURNS):
        middles = [middle_mm(turned(space.at, turn), HEX_SIDE_MM) for space in tile.spaces]
        turns.append([[round(x, 1), round(y, 1)] for x, y in middles])
    outline = [[round(x, 1), round(y, 1)] for x, y in corners_mm((0, 0), HEX_SIDE_MM)]
    here = {"id": tile.id, "number": s.tile + 1}
    return {**here, "spaces": [_space(space) for space in tile.spaces], "turns": turns, "outline": outline}


def _card(t: Tables, card: int, place: str | None = None) -> dict[str, Any] | None:
    """A card for a page; None for none."""
    if card == NONE:
        return None
    where = {} if place is None else {"slot": place}
    if t.cards[card] in (WOUND, RIFT_CARD):
        return {**where, "id": t.cards[card], "sort": t.cards[card]}
    spell = t.spells[card]
    return {
        **where,
        "id": spell.id,
        "name": Message(t.card_names[card]),
        "sort": "spell",
        "element": spell.element.value,
        "damage": spell.damage,
        "fuel": None if spell.fuel is None else spell.fuel.value,
        "boost": spell.boost,
        "price": spell.price,
    }


def _temple(t: Tables, s: State, index: int) -> dict[str, Any]:
    temple, corner = t.temples[index], s.temples[index]
    where = "hidden" if corner == NONE else "on the map"
    carrier = next((seat.name for seat in t.seats if s.mages[seat].relics >> index & 1), None)
    if s.taken >> index & 1:
        where = "destroyed" if s.destroyed >> index & 1 else "carried"
    return {
        "element": RESOURCES[index].value,
        "where": where,
        "slot": None if corner == NONE else t.grid.corner_names[corner],
        "carrier": carrier,
        "health": list(temple.health),
        "coins": list(temple.coins),
    }


def _fight(t: Tables, s: State, fight: Fight) -> dict[str, Any]:
    weak, offer = weakness(t, s, fight), fight.offer
    names = [t.seats[seat].name for seat in fight.fighters]
    return {
        "foe": fight.foe.value,
        "slot": t.grid.names[s.mages[s.current].cell],
        "element": None if fight.element == NONE else RESOURCES[fight.element].value,
        "level": fight.level + 1,
        "health": foe_health(t, s, fight),
        "weakness": None if weak is None else weak.value,
        "fighters": names,
        "asked": [t.seats[seat].name for seat in cells_of(fight.asked)],
        "damage": fight.damage,
        "played": [
            {
                "seat": name, "cards": [t.cards[card] for card in fight.played[seat]],
                "names": [Message(t.card_names[card]) for card in fight.played[seat]],
            }
            for name, seat in zip(names, fight.fighters, strict=True)
        ],
        "done": [t.seats[seat].name for seat in cells_of(fight.done)],
        "won": fight.won,
        "gold": None if fight.gold == NONE else fight.gold,
        "offer": None
        if offer is None
        else {
            "gold": list(offer.gold),
            "taker": None if offer.taker == NONE else t.seats[offer.taker].name,
        },
    }


def _seat(t: Tables, s: State, score: SeatScore, viewer: Seat | None) -> dict[str, Any]:
    """`hand`: of the viewer's own seat only, null where the companion does not know it either (R-N17); what is in hand
    and deck together is no secret, the split is."""
    seat, mage = score.seat, s.mages[score.seat]
    own = viewer is not None and seat == viewer
    hand = [_card(t, card) for card, count in enumerate(mage.hand) for _ in range(count)]
    paid = prices_paid(t, s, mage.cell) if mage.cell != NONE else (0, 0, 0)
    return {
        "seat": seat.name,
        "name": t.setup.seats[seat].name,
        "colour": t.setup.seats[seat].colour,
        "affinity": t.affinities[seat].value,
        "space": None if mage.cell == NONE else t.grid.names[mage.cell],
        "resources": {element.value: n for element, n in zip(RESOURCES, mage.resources, strict=True)},
        "gold": mage.gold,
        "vanquished": mage.vanquished,
        "items": [item.value for item, owned in zip(ITEMS, mage.items, strict=True) if owned],
        "relics": elements(mage.relics),
        "down": mage.down,
        "sells": {element.value: gold for element, gold in zip(RESOURCES, paid, strict=True) if gold},
        "hand_count": mage.hand_size,
        "hand": hand if own and not t.real_hands else None,
        "deck_count": mage.deck_size,
        "unseen": counted(t, added(mage.hand, mage.deck)),
        "discard": counted(t, mage.discard),
        "score": {"lines": [line_view(line) for line in score.lines], "total": score.total},
    }


def _supply(t: Tables, s: State) -> dict[str, Any]:
    """What nobody has seen yet: location tiles, the spell deck, enemy tokens."""
    return {
        "locations": s.stack.bit_count(),
        "aside": [t.tiles[tile].id for tile in cells_of(s.aside)],
        "spell_deck": sum(s.book),
        "spells": counted(t, s.book),
        "rift_cards": s.book[t.rift_card],
        "enemies": supply(s) - (s.phase is Phase.GOLD),
        "enemy_gold": {str(gold): n for gold, n in zip(t.gold, s.tokens, strict=True)},
    }
