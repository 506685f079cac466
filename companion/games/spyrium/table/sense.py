"""Which of two acts of Spyrium is plainly better: nobody who wants to win does the other one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from companion.core.types import Seat
from companion.games.spyrium.state import NO_TOKENS, Player, State

_MORE_IS_BETTER = ("active", "reserve", "money", "spyrium", "points", "residence")
"""Of each of these a player would rather have more, whatever comes later: `reserve` are workers still to be had."""


def make_sense(before: State, ends: Sequence[State], seat: Seat) -> list[bool]:
    """Of each act that leads from `before` to one of `ends` whether none of the others is plainly better for `seat`,
    all else being equal but which tokens are left to others."""
    alike: defaultdict[tuple[Any, ...], list[Player]] = defaultdict(list)
    keys = [(_without(end, seat), _rest(end.players[seat])) for end in ends]
    for key, end in zip(keys, ends, strict=True):
        alike[key].append(end.players[seat])
    had = before.players[seat]
    return [
        not any(_plainly_better(had, other, end.players[seat]) for other in alike[key])
        for key, end in zip(keys, ends, strict=True)
    ]


def _plainly_better(had: Player, mine: Player, theirs: Player) -> bool:
    """Whether it is plainly better for a player, from what they `had`, to come to `mine` than to `theirs`.

    It leaves them more of something and less of nothing, as when the other card paid more (S40); or it brings
    something for what is no money, where the other one brings nothing at all: a worker taken back for £0 (S40) beside
    a character who gives points for Spyrium (S42).
    """
    more, less = _freedom(mine), _freedom(theirs)
    if more != less and all(a >= b for a, b in zip(more, less, strict=True)):
        return True
    came = [getattr(mine, name) > getattr(had, name) for name in ("spyrium", "points", "residence")]
    nothing = all(getattr(theirs, name) <= getattr(had, name) for name in ("spyrium", "points", "residence"))
    return any(came) and nothing and mine.money >= theirs.money


def _freedom(p: Player) -> tuple[int, ...]:
    """What a player would rather have more of; S32: who may still place workers may begin Phase II at any time; S31,
    S46: and who has not used the event may use it in either."""
    return (*(int(getattr(p, name)) for name in _MORE_IS_BETTER), -int(p.step), -int(p.used_event))


def _rest(p: Player) -> tuple[Any, ...]:
    """What more of is not plainly better."""
    told = {*_MORE_IS_BETTER, "step", "used_event"}
    return tuple(value for name, value in zip(p._fields, p, strict=True) if name not in told)


def _without(s: State, seat: Seat) -> State:
    """The position without what lies before `seat`, the tokens, and what the bank has paid for them."""
    others = (*s.players[:seat], *s.players[seat + 1 :])
    return s._replace(
        players=others, tokens=(), stock=NO_TOKENS, discard=NO_TOKENS, paid_money=0, paid_spyrium=0
    )
