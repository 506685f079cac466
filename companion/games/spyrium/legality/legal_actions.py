"""Every legal action of a position of Spyrium: what could be meant is listed, and what passes the check is legal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.core.types import Action, Seat
from companion.games.spyrium.actions import (
    MOVE,
    NEW_SPACE,
    SCORE,
    YES,
    Activate,
    Bonus,
    Money,
    Pass,
    Place,
    Reuse,
    Start,
    Use,
    UseEvent,
)
from companion.games.spyrium.edition.designs import (
    COMMERCE,
    EVENTS,
    LOBBYING,
    TAYLORISM,
    Building,
    Character,
    EventKind,
)
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.legality.check import BONUSES, check_action
from companion.games.spyrium.legality.check_cards import TOKEN_VALUES
from companion.games.spyrium.play.activation import space_name, technique_ready, token_on
from companion.games.spyrium.play.acts import EVENT_CHOICES, NO_CARD
from companion.games.spyrium.state import NONE, Phase, Player, State, Step


@lru_cache(maxsize=64)  # whoever asks what may come next in a position asks several times
def legal_actions(t: Tables, s: State) -> tuple[Action, ...]:
    """Every action that passes the check, in the order of the lists below; empty at chance and at the end."""
    if s.phase is Phase.BONUS:
        return tuple(Bonus(t.seats[s.current], choice) for choice in BONUSES)
    if s.phase is not Phase.PLAY:
        return ()
    seat = t.seats[s.current]
    candidates = _placement(t, s, seat) if s.players[seat].step is Step.PLACEMENT else _activation(t, s, seat)
    return tuple(action for action in candidates if check_action(t, s, action) is None)


def _placement(t: Tables, s: State, seat: Seat) -> Iterator[Action]:
    if s.players[seat].active:
        yield from (Place(seat, gap) for gap in t.gaps)
    yield from _event(t, s, seat)
    yield Start(seat)


def _activation(t: Tables, s: State, seat: Seat) -> Iterator[Action]:
    player = s.players[seat]
    for gap, name in enumerate(t.gaps):
        if not s.gaps[gap][seat]:
            continue
        lying = [slot for slot in t.gap_cards[gap] if s.market[slot] != NONE]
        if not lying:
            yield Money(seat, name, NO_CARD)
        for slot in lying:
            yield Money(seat, name, t.slots[slot])
            yield from _activations(t, s, seat, name, slot)
    for place, built in enumerate(player.buildings):
        for way in _ways(t, built.kind):
            yield Use(seat, space_name(place), way)
            if technique_ready(t, player, TAYLORISM):
                yield from _second_uses(t, player, Use(seat, space_name(place), way))
    yield from _event(t, s, seat)
    yield Pass(seat)


def _second_uses(t: Tables, player: Player, first: Use) -> Iterator[Action]:
    """What Taylorism might do: a use of its own, or by the option one that goes along with `first` (R-S6)."""
    if not t.taylorism_rides:
        yield Reuse(first.seat, first.space, first.way)
        return
    for place, built in enumerate(player.buildings):
        if built.inclined or space_name(place) == first.space:
            for way in _ways(t, built.kind):
                yield Use(first.seat, first.space, first.way, space_name(place), way)


def _ways(t: Tables, kind: int) -> range:
    design = t.designs[kind]
    return range(1, len(design.uses) + 1) if isinstance(design, Building) else range(0)


def _activations(t: Tables, s: State, seat: Seat, gap: str, slot: int) -> Iterator[Action]:
    """Every way in which the worker in `gap` might activate the card in `slot`."""
    player, design, tokens = s.players[seat], t.designs[s.market[slot]], s.tokens[slot]
    spaces, chosen, residence = [""], [0], [""]
    if isinstance(design, Building):
        spaces = [NEW_SPACE, *(space_name(i) for i in range(len(player.buildings)))]
    if isinstance(design, Character) and design.has_token:
        chosen = [value for value in TOKEN_VALUES if tokens[value - 1]]
    if isinstance(design, (Building, Character)) and design.residence:
        residence = [MOVE, SCORE]
    lobbying = ["", YES] if technique_ready(t, player, LOBBYING) else [""]
    for space in spaces:
        for token in chosen:
            for value in _values(t, player, token or (token_on(tokens) if spaces[0] else 0)):
                for act in residence:
                    yield from (Activate(seat, gap, t.slots[slot], space, token, value, act, x) for x in lobbying)


def _values(t: Tables, player: Player, shows: int) -> tuple[int, ...]:
    """What a token that shows a value may count as: 0 for what it shows, and by Commerce the other values (S96)."""
    if not shows or not technique_ready(t, player, COMMERCE):
        return (0,)
    return (0, *(value for value in TOKEN_VALUES if value != shows))


def _event(t: Tables, s: State, seat: Seat) -> Iterator[Action]:
    """Every way in which the event might be used."""
    player, kind = s.players[seat], EVENTS[s.event]
    if player.used_event:
        return
    for choice in EVENT_CHOICES[kind]:
        if kind is EventKind.STRAIGHTEN:
            for place, built in enumerate(player.buildings):
                yield from (UseEvent(seat, choice, space_name(place), way) for way in _ways(t, built.kind))
        elif kind is EventKind.PLACE:
            yield from (UseEvent(seat, choice, gap=gap) for gap in t.gaps)
        elif kind is EventKind.TOKEN:
            yield from (UseEvent(seat, choice, value=value) for value in _values(t, player, s.event_token))
        else:
            yield UseEvent(seat, choice)
