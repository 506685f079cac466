"""Every legal action of a position of Rifts of N'Norya: what could be meant and passes the check."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.types import Action, Seat
from companion.games.rifts import actions as a
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import ITEMS, RESOURCES, Terrain
from companion.games.rifts.legality.check import check_action, seats_to_act
from companion.games.rifts.legality.check_combat import FOES
from companion.games.rifts.play.combat import has_token, may_hold
from companion.games.rifts.play.geography import geography, sites
from companion.games.rifts.play.growth import spawn_sites
from companion.games.rifts.play.moving import reach
from companion.games.rifts.state import Fight, Phase, State


def legal_actions(t: Tables, s: State) -> tuple[Action, ...]:
    """Every action that passes the check, seat by seat in the order of the lists below; empty at chance and the end."""
    found: list[Action] = []
    for seat in seats_to_act(t, s):
        if s.phase is Phase.PLACE:  # already known to be legal, and many
            names = t.grid.names
            found += [a.Place(seat, names[anchor], turn) for anchor, turn in sites(t, s.land, s.tile).legal]
        else:
            found += [action for action in _candidates(t, s, seat) if check_action(t, s, action) is None]
    return tuple(found)


def _candidates(t: Tables, s: State, seat: Seat) -> Iterator[Action]:
    names, fight = t.grid.names, s.fight
    if s.phase is Phase.START:
        yield from (a.Start(seat, names[cell]) for cell in t.start)
    elif s.phase is Phase.SPAWN:
        yield from (a.Spawn(seat, names[cell]) for cell in spawn_sites(t, s, s.rifts[s.spawning[0]].cell))
    elif s.phase is Phase.TEMPLE:
        yield from (a.Temple(seat, t.grid.corner_names[corner]) for corner in s.corners)
    elif s.phase is Phase.ACT:
        yield from _acts(t, s, seat)
    elif s.phase is Phase.JOIN:
        yield from (a.Join(seat), a.Stay(seat))
    elif s.phase is Phase.CAST:
        yield from _casts(t, s, seat)
    elif s.phase is Phase.WOUNDS:
        yield from (a.Fall(seat), a.Stand(seat))
    elif fight is not None:
        yield from _agreements(t, fight, seat)


def _acts(t: Tables, s: State, seat: Seat) -> Iterator[Action]:
    yield from (a.Move(seat, t.grid.names[cell]) for cell in sorted(reach(t, s, seat)))
    yield from (a.Attack(seat, foe) for foe in FOES)
    yield a.Seek(seat)
    if geography(t, s.land).terrain(s.mages[seat].cell) is Terrain.VILLAGE:
        yield from (a.Buy(seat, place) for place in t.places)
        yield a.Clear(seat)
        yield from (a.Equip(seat, item.value) for item in ITEMS)
        yield from (a.Trade(seat, element.value) for element in RESOURCES)
    yield a.End(seat)


def _casts(t: Tables, s: State, seat: Seat) -> Iterator[Action]:
    for card in range(t.wound):
        if may_hold(t, s.mages[seat], card):
            yield a.Cast(seat, t.cards[card])
            yield a.Cast(seat, t.cards[card], a.YES)
    yield a.Done(seat)


def _agreements(t: Tables, fight: Fight, seat: Seat) -> Iterator[Action]:
    if fight.offer is not None:
        yield from (a.Agree(seat), a.Refuse(seat))
        return
    names = [t.seats[other].name for other in fight.fighters]
    if not fight.won:
        yield from (a.TakeWound(seat, t.seats[other]) for other in fight.fighters)
        return
    for gold in divisions(max(0, fight.gold), len(names)):
        parts = tuple(f"{name}{part}" for name, part in zip(names, gold, strict=True))
        if not has_token(fight):
            yield a.Share(seat, parts)
        for taker in range(len(names)) if has_token(fight) else ():
            yield a.Share(seat, tuple(f"{part}+token" if i == taker else part for i, part in enumerate(parts)))


def divisions(gold: int, among: int) -> Iterator[tuple[int, ...]]:
    """Every way to divide so much gold among so many, the first getting most first."""
    if among == 1:
        yield (gold,)
        return
    for first in range(gold, -1, -1):
        yield from ((first, *rest) for rest in divisions(gold - first, among - 1))
