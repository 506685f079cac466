"""What a player or a spectator may know of a position of Envyra, as JSON for a page."""

from __future__ import annotations

from typing import Any

from companion.core.game_kit.score_views import line_view, result_view
from companion.core.types import Json, Seat, SeatScore
from companion.games.envyra.edition.components import THEMES, Card, Tile
from companion.games.envyra.edition.names import symbol_name
from companion.games.envyra.edition.tables import Tables, bits
from companion.games.envyra.legality.chance import chance_outcomes
from companion.games.envyra.legality.check import awaited_seats, expected_now, seats_to_act
from companion.games.envyra.play.new_round import can_go_on_for_ever, end_is_allowed
from companion.games.envyra.play.scoring import result, seat_scores
from companion.games.envyra.state import CHANCE_PHASES, NONE, Phase, State


def state_view(t: Tables, s: State, viewer: Seat | None) -> Json:
    """The position for `viewer` (None: a spectator).

    Left out for others: the places chosen in Phase I until the reveal (their number too) and secret Equilibrium
    cards until the end. Keys: docs/reference/envyra.md.
    """
    clause, expected = expected_now(s)
    return {
        "game": "envyra",
        "sample": t.catalogue.has_sample_values,
        "edition": t.catalogue.title,
        "phase": s.phase.value,
        "clause": clause,
        "expected": expected,
        "round": s.round,
        "last_round": s.last_round,
        "first": _seat(t, s.first),
        "to_act": [seat.name for seat in seats_to_act(t, s)],
        "awaited": [seat.name for seat in awaited_seats(t, s)],
        "order": _order(t, s),
        "rows": t.rows,
        "columns": t.columns,
        "corner": t.setup.option("corner", "tl"),
        "cells": [_cell(t, s, index) for index in range(len(t.slots))],
        "seats": [_seat_view(t, s, score, viewer) for score in seat_scores(t, s)],
        "supply": _supply(t, s),
        "end_tile": _end_tile(t, s),
        "drawable": _drawable(t, s),
        "open_cards": [
            {**_card(t.cards[card]), "taken": _seat(t, holder)}
            for card, holder in zip(s.cards.open, s.cards.taken, strict=True)
        ],
        "endless": {"clause": "R-12", "agreed": [t.seats[x].name for x in bits(s.agreed)]}
        if can_go_on_for_ever(t, s)
        else None,
        "result": result_view(result(t, s)),
    }


def _seat(t: Tables, seat: int) -> str | None:
    return None if seat == NONE else t.seats[seat].name


def _order(t: Tables, s: State) -> list[dict[str, Any]]:
    """Phase II in its order: who moved a cube, was passed over, is next, or is still to come."""
    if s.first == NONE:
        return []
    rows = []
    for place, seat in enumerate(t.order[s.first]):
        if s.phase is not Phase.MOVE or place > s.turn:
            status = "to come"
        elif place == s.turn:
            status = "next"
        else:
            status = "moved" if s.moved >> place & 1 else "passed over"
        rows.append({"seat": t.seats[seat].name, "pass": 1 + place // len(t.seats), "status": status})
    return rows


def _tile(t: Tables, tile: Tile) -> dict[str, Any]:
    return {
        "id": tile.id,
        "theme": tile.theme.value,
        "symbol": tile.symbol,
        "symbol_name": symbol_name(t.catalogue, tile.theme, tile.symbol) if tile.symbol else "",
        "vp": tile.vp,
        "cubes": tile.cubes,
        "requires": [theme.value for theme in tile.requires],
        "start": tile.start,
        "players_3_4": tile.players_3_4,
    }


def _drawable(t: Tables, s: State) -> dict[str, Any]:
    """The tiles that can be drawn now, by their ids, as a page draws them."""
    tiles = [getattr(outcome.draw, "tile", "") for outcome in chance_outcomes(t, s)]
    return {tile: _tile(t, t.tiles[t.tile_index[tile]]) for tile in tiles if tile}


def _cell(t: Tables, s: State, index: int) -> dict[str, Any]:
    tile, here = s.grid[index], s.cubes[index]
    free = [seat.name for seat in t.seats if tile != NONE and s.unlocked[seat] >> tile & 1]
    return {
        "slot": t.slots[index],
        "tile": None if tile == NONE else _tile(t, t.tiles[tile]),
        "cubes": [t.seats[seat].name for seat in here],
        "free_for": free,
        "awaits_draw": s.phase in CHANCE_PHASES and s.slot == index,
    }


def _seat_view(t: Tables, s: State, score: SeatScore, viewer: Seat | None) -> dict[str, Any]:
    seat = score.seat
    secret_now = s.phase is Phase.CHOOSE and seat is not viewer
    boards = None if secret_now else [t.slots[x] for x in s.boards[seat]]
    over = s.phase is Phase.OVER
    hand = s.cards.hands[seat] if s.cards.hands else NONE
    hand_known = hand != NONE and (over or seat is viewer or s.phase is Phase.SHOW)
    counts = t.themes_owned(s.owned[seat])
    return {
        "seat": seat.name,
        "name": t.setup.seats[seat].name,
        "colour": t.setup.seats[seat].colour,
        "plays": bool(s.playing >> seat & 1),
        "ready": bool(s.ready >> seat & 1) and s.phase in (Phase.CHOOSE, Phase.REVEAL),
        "reserve": s.reserve[seat],
        "board": boards,
        "captured": [_tile(t, t.tiles[i]) for i in bits(s.owned[seat])],
        "themes": {theme.value: count for theme, count in zip(THEMES, counts, strict=True)},
        "secret_card": _card(t.cards[hand]) if hand_known else None,
        "has_secret_card": bool(s.cards.hands) and (hand != NONE or t.hidden_cards),
        "score": _score(score, hide_secret=not hand_known),
    }


def _score(score: SeatScore, *, hide_secret: bool) -> dict[str, Any]:
    lines = [line for line in score.lines if not (hide_secret and line.clause == "E72")]
    hidden = sum(line.points for line in score.lines) - sum(line.points for line in lines)
    return {
        "lines": [line_view(line) for line in lines],
        "total": score.total - hidden,
        "set_points": score.tiebreaks[0],
        "owns_end": bool(score.tiebreaks[1]),
    }


def _card(card: Card) -> dict[str, Any]:
    symbols = [{"theme": theme.value, "symbol": symbol} for theme, symbol in card.symbols]
    return {"id": card.id, "points": card.points, "symbols": symbols}


def _supply(t: Tables, s: State) -> dict[str, Any]:
    """The bag: how many tiles, and of each theme how many are known to be in it and how many may be."""
    supply = s.supply
    unseen = (supply.pool_start if supply.start_in_bag else 0) | (supply.pool_basic if supply.basic_in_bag else 0)
    themes: dict[str, dict[str, int]] = {}
    for i in bits(supply.known | unseen):
        entry = themes.setdefault(t.tiles[i].theme.value, {"known": 0, "possible": 0})
        entry["known" if supply.known >> i & 1 else "possible"] += 1
    return {
        "count": supply.in_bag,
        "start_in_bag": supply.start_in_bag,
        "basic_in_bag": supply.basic_in_bag,
        "themes": themes,
        "aside": [t.tiles[i].id for i in bits(supply.aside)],
        "removed": [t.tiles[i].id for i in bits(supply.removed)],
        "possible": [t.tiles[i].id for i in bits(supply.known | unseen)],
    }


def _end_tile(t: Tables, s: State) -> dict[str, Any]:
    """Where the End tile is, who could capture it, and the chance that the next draw brings it."""
    end, chance = t.end, "0"
    if s.supply.known >> end & 1:
        where = "bag"
        chance = f"1/{s.supply.in_bag}"
    elif end in s.grid:
        where = "grid"
    elif s.supply.aside >> end & 1:
        where = "aside"
    else:
        where = "captured"
    return {
        "where": where,
        "slot": t.slots[s.grid.index(end)] if where == "grid" else None,
        "tile": _tile(t, t.tiles[end]),
        "can_enter": end_is_allowed(t, s),
        "free_for": [seat.name for seat in t.seats if s.unlocked[seat] >> end & 1],
        "chance": chance,
    }
