"""What holds in every position of Spyrium that play can reach: nothing is lost and nothing comes from nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.types import Problem
from companion.games.spyrium.edition.designs import EVENTS, Technique
from companion.games.spyrium.edition.tables import (
    POUNDS_AT_START,
    SPYRIUM_AT_START,
    TOKENS_OF_A_VALUE,
    TURNS,
    WORKERS,
    WORKERS_AT_START,
    Tables,
)
from companion.games.spyrium.play.gains import FIRST_BONUS_AT, MOST_KEPT_TOKENS, SECOND_BONUS_AT, one_token
from companion.games.spyrium.play.turns import slot_to_fill, tokens_wanted
from companion.games.spyrium.state import CHANCE_PHASES, NONE, Phase, Player, State, Step


def state_problems(t: Tables, s: State) -> tuple[Problem, ...]:
    """Every invariant that `s` breaks."""
    return (*_workers(t, s), *_bank(s), *_tokens(t, s), *_cards(t, s), *_course(t, s), *_seats(t, s))


def _workers(t: Tables, s: State) -> Iterator[Problem]:
    for seat, p in zip(t.seats, s.players, strict=True):
        placed = sum(here[seat] for here in s.gaps)
        total = p.active + p.inactive + p.reserve + placed + sum(b.workers for b in p.buildings)
        if total != WORKERS or p.reserve > WORKERS - WORKERS_AT_START:
            facts = (("seat", seat.name), ("got", total), ("expected", WORKERS))
            yield Problem("players", "{seat} has {got} workers, not {expected}", facts, "S1")
        if placed and p.step is Step.PASSED:
            yield Problem("gaps", "{seat} has passed with workers in the market", (("seat", seat.name),), "S47")


def _bank(s: State) -> Iterator[Problem]:
    """S1, S11: what the players have is what they began with and what the bank has paid out."""
    money, spyrium = sum(p.money for p in s.players), sum(p.spyrium for p in s.players)
    for name, got, expected in (
        ("money", money, POUNDS_AT_START * len(s.players) + s.paid_money),
        ("Spyrium", spyrium, SPYRIUM_AT_START * len(s.players) + s.paid_spyrium),
    ):
        if got != expected:
            facts = (("what", name), ("got", got), ("expected", expected))
            yield Problem("players", "the players have {got} {what}, not {expected}", facts, "S11")
    if any(p.money < 0 or p.spyrium < 0 or p.active < 0 for p in s.players):
        yield Problem("players", "somebody has less than nothing", (), "S48")


def _tokens(t: Tables, s: State) -> Iterator[Problem]:
    heaps = (s.stock, s.discard, one_token(s.event_token), one_token(s.future_token), *s.tokens)
    heaps += tuple(p.kept for p in s.players)
    for value in range(3):
        got = sum(heap[value] for heap in heaps)
        if got != TOKENS_OF_A_VALUE or any(heap[value] < 0 for heap in heaps):
            facts = (("value", value + 1), ("got", got), ("expected", TOKENS_OF_A_VALUE))
            yield Problem("tokens", "{got} tokens of {value}, not {expected}", facts, "S1")
    for slot, kind, here in zip(t.slots, s.market, s.tokens, strict=True):
        if sum(here) > (tokens_wanted(t, kind) if kind != NONE else 0):
            yield Problem("tokens", "too many tokens at {slot}", (("slot", slot),), "S22")
    for seat, p in zip(t.seats, s.players, strict=True):
        if sum(p.kept) > MOST_KEPT_TOKENS:
            yield Problem("kept", "{seat} keeps more than seven tokens", (("seat", seat.name),), "S96")


def _cards(t: Tables, s: State) -> Iterator[Problem]:
    seen = [sum(counts) for counts in zip(*s.decks, s.gone, strict=True)]
    for kind in s.market:
        if kind != NONE:
            seen[kind] += 1
    for p in s.players:
        for kind in (*p.techniques, *(b.kind for b in p.buildings)):
            seen[kind] += 1
    for card, got in zip(t.cards, seen, strict=True):
        if got != card.copies:
            facts = (("card", card.id), ("got", got), ("expected", card.copies))
            yield Problem("cards", "{got} cards {card}, not {expected}", facts, "S1")
    open_events = [event for event in (s.event, s.future, *s.events_left) if event != NONE]
    if len(set(open_events)) != len(open_events) or len(s.events_left) > len(EVENTS):
        yield Problem("events", "an event lies in two places", (), "S1")
    for seat, p in zip(t.seats, s.players, strict=True):
        techniques = all(isinstance(t.designs[kind], Technique) for kind in p.techniques)
        buildings = not any(isinstance(t.designs[b.kind], Technique) for b in p.buildings)
        if not techniques or not buildings or not set(p.inclined) <= set(p.techniques):
            yield Problem("techniques", "{seat} has a card in the wrong place", (("seat", seat.name),), "S44")


def _course(t: Tables, s: State) -> Iterator[Problem]:
    """The phase fits what lies open."""
    empty = s.market == (NONE,) * len(s.market)
    fits = {
        Phase.FUTURE: s.future == NONE and bool(s.events_left) and empty and (s.turn == 0) == (s.event == NONE),
        Phase.FUTURE_TOKEN: s.future != NONE and empty,
        Phase.FIRST: s.turn == 0 and s.first == NONE and s.future != NONE,
        Phase.DEAL: NONE in s.market and s.turn > 0,
        Phase.TOKEN: NONE not in s.market and slot_to_fill(t, s) != NONE,
        Phase.PLAY: s.turn > 0 and s.current != NONE and s.event != NONE,
        Phase.BONUS: s.turn > 0 and s.current != NONE and _bonus_due(s.players[s.current]),
        Phase.OVER: s.turn == TURNS and s.current == NONE and empty,
    }
    if not fits[s.phase] or (s.first == NONE) != (s.turn == 0):
        yield Problem("phase", "{phase} does not fit what lies open", (("phase", s.phase.value),), "S24")
    if s.phase in CHANCE_PHASES and any(any(here) for here in s.gaps):
        yield Problem("gaps", "workers stand in a market that is not laid out", (), "S22")
    if s.phase is Phase.PLAY and s.current != NONE and s.players[s.current].step is Step.PASSED:
        yield Problem("current", "has passed", (), "S47")


def _bonus_due(p: Player) -> bool:
    return p.points >= FIRST_BONUS_AT and p.worker_bonus and p.money_bonus


def _seats(t: Tables, s: State) -> Iterator[Problem]:
    for seat, p in zip(t.seats, s.players, strict=True):
        facts = (("seat", seat.name),)
        left = p.worker_bonus + p.money_bonus
        waits = s.phase is Phase.BONUS and s.current == seat
        if left != 2 - (p.points >= FIRST_BONUS_AT) - (p.points >= SECOND_BONUS_AT) and not waits:
            yield Problem("bonus", "{seat} has not the bonus tokens that its points leave", facts, "S52")
        if p.residence >= len(t.track):
            yield Problem("residence", "{seat} is beyond the track", facts, "S53")
