"""Activating a card of Spyrium: what it costs, and calling a character, building or patenting a technique."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.spyrium.actions import NEW_SPACE, YES, Activate
from companion.games.spyrium.edition.designs import COMMERCE, CRANE, LOBBYING, Building, Character, Gain
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.play.gains import (
    add_tokens,
    dispose_of_token,
    gain,
    new_workers,
    one_token,
    residence_action,
    take_from_gap,
    with_player,
)
from companion.games.spyrium.play.turns import after_action, put
from companion.games.spyrium.state import NO_TOKENS, NONE, Built, Player, State, Tokens

SHARED_SYMBOL_DISCOUNT = 3  # S43
CRANE_DISCOUNT = 3  # S94


class Cost(NamedTuple):
    """What an activation costs in pounds, part by part."""

    price: int
    surcharge: int
    space: int = 0
    token: int = 0

    @property
    def total(self) -> int:
        """All the pounds to be paid."""
        return self.price + self.surcharge + self.space + self.token


def has_technique(t: Tables, player: Player, name: str) -> bool:
    """Whether the player has patented the technique."""
    return t.techniques[name] in player.techniques


def technique_ready(t: Tables, player: Player, name: str) -> bool:
    """Whether the player has a once-a-turn technique and has not used it this turn."""
    return has_technique(t, player, name) and t.techniques[name] not in player.inclined


def incline_technique(t: Tables, s: State, seat: int, name: str) -> State:
    """S50, S93, S95, S96: the technique is used for this turn."""
    p = s.players[seat]
    return with_player(s, seat, p._replace(inclined=(*p.inclined, t.techniques[name])))


def workers_beside(t: Tables, s: State, slot: int) -> int:
    """R-S3: the workers of all players in all gaps around the card."""
    return sum(sum(s.gaps[gap]) for gap in t.card_gaps[slot])


def space_index(player: Player, space: str) -> int:
    """The place of the building in space "b1", "b2", ...; NONE when the player has none there."""
    names = [space_name(i) for i in range(len(player.buildings))]
    return names.index(space) if space in names else NONE


def space_name(index: int) -> str:
    """The name of a space of the neighbourhood, counted from the start card."""
    return f"b{index + 1}"


def building_cost(t: Tables, player: Player, kind: int, space: str) -> tuple[int, int]:
    """(price, cost of the space) of a building of this kind put into `space`."""
    price, design = t.cards[kind].price, t.designs[kind]
    assert isinstance(design, Building)
    if space == NEW_SPACE:  # S43 (a)
        owned = len(player.buildings)
        return price, max(0, owned - CRANE_DISCOUNT) if has_technique(t, player, CRANE) else owned  # S94
    replaced = t.designs[player.buildings[space_index(player, space)].kind]
    assert isinstance(replaced, Building)
    if set(replaced.symbols) & set(design.symbols):  # S43 (c); S82: two shared symbols count once
        return max(0, price - SHARED_SYMBOL_DISCOUNT), 0
    return price, 0  # S43 (b)


def token_used(s: State, slot: int, action: Activate) -> int:
    """The value shown by the token that the activation uses: the chosen one, or the only one on a building; 0: none."""
    return action.token or token_on(s.tokens[slot])


def token_on(tokens: Tokens) -> int:
    """The value of the only token in a heap of at most one; 0 when it is empty."""
    return tokens.index(1) + 1 if any(tokens) else 0


def activation_cost(t: Tables, s: State, action: Activate) -> Cost:
    """S41: the cost of an activation whose parts fit each other."""
    slot = t.slot_index[action.card]
    kind, player = s.market[slot], s.players[action.seat]
    surcharge = 0 if action.lobbying else workers_beside(t, s, slot) - 1  # S93
    design = t.designs[kind]
    if isinstance(design, Building):
        price, space = building_cost(t, player, kind, action.space)
        return Cost(price, surcharge, space)
    token = 0
    if isinstance(design, Character) and design.token_price:
        token = action.value or action.token  # S70, S96
    return Cost(t.cards[kind].price, surcharge, 0, token)


def activate(t: Tables, s: State, action: Activate) -> State:
    """S41: the worker leaves, the cost is paid, the card does what it does."""
    seat, slot = action.seat, t.slot_index[action.card]
    kind, cost = s.market[slot], activation_cost(t, s, action)
    s = gain(take_from_gap(s, seat, t.gap_index[action.gap]), seat, pounds=-cost.total)
    if action.lobbying == YES:
        s = incline_technique(t, s, seat, LOBBYING)
    if action.value:
        s = incline_technique(t, s, seat, COMMERCE)
    design = t.designs[kind]
    if isinstance(design, Character):
        s = _call(t, s, action, slot, design)
    elif isinstance(design, Building):
        s = _build(t, s, action, slot, design)
    else:  # S44
        p = s.players[seat]
        s = with_player(_leave_market(s, slot), seat, p._replace(techniques=(*p.techniques, kind)))
    return after_action(t, s)


def _leave_market(s: State, slot: int) -> State:
    return s._replace(
        market=(*s.market[:slot], NONE, *s.market[slot + 1 :]),
        tokens=(*s.tokens[:slot], NO_TOKENS, *s.tokens[slot + 1 :]),
    )


def _token_gain(s: State, seat: int, gained: Gain | None, value: int) -> State:
    if gained is Gain.SPYRIUM:
        return gain(s, seat, spyrium=value)
    return gain(s, seat, points=value) if gained is Gain.POINTS else s


def _call(t: Tables, s: State, action: Activate, slot: int, design: Character) -> State:
    """S42: the effect once; the card stays."""
    seat = action.seat
    if action.token:
        here = add_tokens(s.tokens[slot], one_token(action.token), -1)
        s = s._replace(tokens=(*s.tokens[:slot], here, *s.tokens[slot + 1 :]))
        s = dispose_of_token(t, s, seat, action.token)
        s = _token_gain(s, seat, design.token_gain, action.value or action.token)
    s = gain(s, seat, spyrium=design.gain_spyrium - design.spyrium, points=design.points)
    return residence_action(t, s, seat, action.residence) if design.residence else s


def _build(t: Tables, s: State, action: Activate, slot: int, design: Building) -> State:
    """S43: the building stands in its space; S80, S83, S84: what it gives at once."""
    seat, shown = action.seat, token_used(s, slot, action)
    built = Built(s.market[slot])
    s = _leave_market(s, slot)
    p = s.players[seat]
    if action.space == NEW_SPACE:
        p = p._replace(buildings=(*p.buildings, built))
    else:
        place = space_index(p, action.space)
        old = p.buildings[place]
        # the workers on the replaced building have worked this turn (S48)
        p = p._replace(
            buildings=(*p.buildings[:place], built, *p.buildings[place + 1 :]), inactive=p.inactive + old.workers
        )
        s = s._replace(gone=put(s.gone, old.kind, 1))
    s = with_player(s, seat, p)
    if shown:
        s = dispose_of_token(t, s, seat, shown)
        s = _token_gain(s, seat, design.token, action.value or shown)
    s = new_workers(s, seat, design.new_workers)
    return residence_action(t, s, seat, action.residence) if design.residence else s
