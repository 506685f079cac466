"""A mage that plays Rifts of N'Norya with some care, so that whole games are seen that people could have played.

It knows its own hand only, as its player does; it fights what it can beat, buys what it can pay, goes for temples when
its deck is strong, and carries relics home.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from typing import Any

from contract_kit import random_event

from companion.core.types import Event
from companion.games.rifts.actions import (
    Agree,
    Attack,
    Buy,
    Cast,
    Clear,
    Done,
    End,
    Equip,
    Join,
    Move,
    Place,
    Seek,
    Trade,
)
from companion.games.rifts.edition.hexes import cells_of, distance
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import HAND, RESOURCES, RIFT_HEALTH, Terrain
from companion.games.rifts.play.combat import damage_of, foe_health, temple_near, weakness
from companion.games.rifts.play.geography import geography, movement, temple_corners, temple_group
from companion.games.rifts.rules import RiftsRules
from companion.games.rifts.state import NONE, Fight, Foe, Mage, Phase, State, tracker

TEMPLE_POWER = 1.15  # damage of an ordinary hand, as a share of the hardest encounter, with which a temple is sought


def careful(rules: Any, state: State, rng: random.Random) -> Event:
    """The next event: what the mage does, or what chance brings."""
    legal = rules.legal_actions(state)
    if not legal:
        return random_event(rules, state, rng)
    if state.phase is Phase.PLACE:
        return max(legal, key=lambda action: _worth_laying(rules, state, action))
    if state.phase is Phase.ACT:
        return _act(rules, state, legal)
    if state.phase is Phase.CAST:
        return _cast(rules.tables, state, legal)
    wanted = (Join, Agree)
    return next((action for action in legal if isinstance(action, wanted)), legal[int(rng.random() * len(legal))])


def _worth_laying(rules: RiftsRules, s: State, action: Place) -> float:
    """Temples are wanted, enemies' neighbourhood is not, and the land should stay together."""
    t = rules.tables
    after = rules.apply(s, action)
    temples = sum(corner != NONE for corner in after.temples) + bool(after.corners)
    cells = t.laid[s.tile][action.turn][t.grid.name_index[action.slot]].cells
    far = sum(distance((0, 0), t.grid.cells[cell]) for cell in cells)
    enemies = after.enemies.bit_count() - s.enemies.bit_count()
    pairs = sum(len(temple_corners(t, after.land, (1 << len(t.grid.cells)) - 1, i)) for i in range(len(RESOURCES)))
    return 30 * temples + pairs - 4 * enemies - far / 3


def _spells(t: Tables, counts: Iterable[int]) -> list[int]:
    return [kind for kind, n in enumerate(counts) if kind < t.wound for _ in range(n)]


def hand_damage(t: Tables, s: State, mage: Mage, foe: Foe, element: int = NONE) -> int:
    """The most that the whole hand does, with the fuel there is."""
    weak = weakness(t, s, Fight(foe, (s.current,), element=element))
    stock, total = list(mage.resources), 0
    for kind in _spells(t, mage.hand):
        spell = t.spells[kind]
        total += spell.damage + (spell.element is weak)
        if spell.fuel is not None and stock[RESOURCES.index(spell.fuel)]:
            stock[RESOURCES.index(spell.fuel)] -= 1
            total += spell.boost
    return total


def power(t: Tables, mage: Mage) -> float:
    """The damage of an ordinary hand of the mage's whole deck."""
    owned = _spells(t, map(sum, zip(mage.hand, mage.deck, mage.discard, strict=True)))
    return HAND * sum(t.spells[kind].damage for kind in owned) / max(1, len(owned))


def _act(rules: RiftsRules, s: State, legal: tuple[Event, ...]) -> Event:
    t, mage = rules.tables, s.mages[s.current]
    for foe, needed in ((Foe.RIFT, RIFT_HEALTH), (Foe.ENEMY, tracker(s))):
        fight = Attack(t.seats[s.current], foe.value)
        if fight in legal and hand_damage(t, s, mage, foe) >= needed:
            return fight
    near = temple_near(t, s, s.current)
    if near != NONE and _strong_enough(t, mage, near) and any(isinstance(action, Seek) for action in legal):
        return Seek(t.seats[s.current])
    bought = _trade(t, s, legal)
    if bought is not None:
        return bought
    step = _step(rules, s, legal)
    return step if step is not None else End(t.seats[s.current])


def _strong_enough(t: Tables, mage: Mage, element: int) -> bool:
    return power(t, mage) >= TEMPLE_POWER * max(t.temples[element].health)


def _trade(t: Tables, s: State, legal: tuple[Event, ...]) -> Event | None:
    """The dearest spell that can be paid, a horse, and resources sold that are many."""
    spells = [action for action in legal if isinstance(action, Buy)]
    if spells:
        return max(spells, key=lambda action: t.spells[s.market[t.place_index[action.slot]]].price)
    stock = dict(zip((element.value for element in RESOURCES), s.mages[s.current].resources, strict=True))
    for action in legal:
        if isinstance(action, Equip) and action.item == "horse":
            return action
        if isinstance(action, Trade) and stock[action.element] > 1:
            return action
    # nothing in the market is worth its money any more
    rich = s.mages[s.current].gold >= 9
    return next((action for action in legal if isinstance(action, Clear) and rich), None)


def _targets(t: Tables, s: State) -> list[int]:
    """Where to go, the most wanted places first, as bit masks."""
    mage, geo = s.mages[s.current], geography(t, s.land)
    found = []
    if mage.relics:
        return [sum(1 << cell for cell in t.start)]
    for index, corner in enumerate(s.temples):
        if corner != NONE and _strong_enough(t, mage, index):
            found.append(temple_group(t, s.land, corner))
    rifts = sum(1 << rift.cell for rift in s.rifts if rift.active)
    if hand_damage(t, s, mage, Foe.RIFT) >= RIFT_HEALTH:
        found.append(rifts)
    if mage.gold >= 3:
        found.append(sum(1 << i for i in cells_of(geo.mask) if geo.terrain(i) is Terrain.VILLAGE))
    if hand_damage(t, s, mage, Foe.ENEMY) >= tracker(s):
        found.append(s.enemies)
    found.append(sum(1 << i for i in cells_of(geo.mask) if geo.terrain(i) not in (Terrain.VILLAGE, Terrain.RIVER)))
    return [mask & ~(1 << mage.cell) for mask in found]


def _step(rules: RiftsRules, s: State, legal: tuple[Event, ...]) -> Event | None:
    t, mage = rules.tables, s.mages[s.current]
    steps = [action for action in legal if isinstance(action, Move)]
    for mask in _targets(t, s) if steps else ():
        if not mask:
            continue
        first = {t.grid.name_index[action.slot]: action for action in steps}
        queue, seen = deque((cell, cell) for cell in first), set(first) | {mage.cell}
        while queue:
            cell, began = queue.popleft()
            if mask >> cell & 1:
                return first[began]
            for near, _ in movement(t, s.land, cell, mage.items[1]):
                if near not in seen:
                    seen.add(near)
                    queue.append((near, began))
    return None


def _cast(t: Tables, s: State, legal: tuple[Event, ...]) -> Event:
    """The strongest card while the foe stands; then no more."""
    fight = s.fight
    assert fight is not None
    done = next((action for action in legal if isinstance(action, Done)), None)
    casts = [action for action in legal if isinstance(action, Cast)]
    if done is not None and (fight.damage >= foe_health(t, s, fight) or not casts):
        return done
    return max(
        casts, key=lambda a: damage_of(t, s, fight, t.card_index[a.card], fuelled=bool(a.fuel)) - 0.1 * bool(a.fuel)
    )
