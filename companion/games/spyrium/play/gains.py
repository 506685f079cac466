"""What players of Spyrium get and pay: every pound, Spyrium, point, worker and token that changes hands."""

from __future__ import annotations

from companion.games.spyrium.actions import MOVE
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.state import Player, State, Tokens

FIRST_BONUS_AT, SECOND_BONUS_AT = 8, 20  # S52
BONUS_POUNDS = 5
MOST_KEPT_TOKENS = 7  # S96


def one_token(value: int) -> Tokens:
    """A single token of the value 1, 2 or 3; none for 0."""
    return (int(value == 1), int(value == 2), int(value == 3))


def add_tokens(a: Tokens, b: Tokens, sign: int = 1) -> Tokens:
    """a + b, or a - b with sign -1."""
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2])


def with_player(s: State, seat: int, player: Player) -> State:
    """The state with another value for one player."""
    return s._replace(players=(*s.players[:seat], player, *s.players[seat + 1 :]))


def gain(s: State, seat: int, *, pounds: int = 0, spyrium: int = 0, points: int = 0) -> State:
    """The seat gets this from the bank, or pays what is negative."""
    p = s.players[seat]
    p = p._replace(money=p.money + pounds, spyrium=p.spyrium + spyrium, points=p.points + points)
    s = s._replace(paid_money=s.paid_money + pounds, paid_spyrium=s.paid_spyrium + spyrium)
    return with_player(s, seat, p)


def new_workers(s: State, seat: int, count: int) -> State:
    """S52, S65, S84: new workers come active from the reserve; R-S1: as many as are there."""
    p = s.players[seat]
    came = min(count, p.reserve)
    return with_player(s, seat, p._replace(active=p.active + came, reserve=p.reserve - came))


def residence_action(t: Tables, s: State, seat: int, choice: str) -> State:
    """S53: one space to the right, or the value of the space as points."""
    p = s.players[seat]
    if choice == MOVE:
        return with_player(s, seat, p._replace(residence=p.residence + 1))
    return gain(s, seat, points=t.track[p.residence])


def grant_bonus(s: State, seat: int, choice: str) -> State:
    """S52: the bonus and its token are used up."""
    p = s.players[seat]
    if choice == "worker":
        return new_workers(with_player(s, seat, p._replace(worker_bonus=False)), seat, 1)
    return gain(with_player(s, seat, p._replace(money_bonus=False)), seat, pounds=BONUS_POUNDS)


def take_from_gap(s: State, seat: int, gap: int) -> State:
    """S40, S41: the worker leaves the market and is inactive."""
    here = s.gaps[gap]
    here = (*here[:seat], here[seat] - 1, *here[seat + 1 :])
    p = s.players[seat]
    s = s._replace(gaps=(*s.gaps[:gap], here, *s.gaps[gap + 1 :]))
    return with_player(s, seat, p._replace(inactive=p.inactive + 1))


def put_in_gap(s: State, seat: int, gap: int) -> State:
    """S30: an active worker goes into the market."""
    here = s.gaps[gap]
    here = (*here[:seat], here[seat] + 1, *here[seat + 1 :])
    p = s.players[seat]
    s = s._replace(gaps=(*s.gaps[:gap], here, *s.gaps[gap + 1 :]))
    return with_player(s, seat, p._replace(active=p.active - 1))


def dispose_of_token(t: Tables, s: State, seat: int, value: int) -> State:
    """S54: a used token is discarded; S96: who has Commerce keeps it, seven at most."""
    p, token = s.players[seat], one_token(value)
    if t.techniques["commerce"] in p.techniques and sum(p.kept) < MOST_KEPT_TOKENS:
        return with_player(s, seat, p._replace(kept=add_tokens(p.kept, token)))
    return s._replace(discard=add_tokens(s.discard, token))
