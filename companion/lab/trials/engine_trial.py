"""Random games of any game, timed call by call and checked state by state, beside random chess in the same run."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter_ns, process_time
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game import GameSpec, Rules, State
from companion.core.types import ChanceOutcome, Draw, Event, SeatInfo, Setup
from companion.games import find_game

CHUNKS = 10  # the games are played in so many parts, with chess between them, so that both meet the same machine
WARM_UP = 50  # games before the timing, which fill the rules' lists
LONGEST = 20_000  # events after which a random game counts as endless; Envyra's longest in 100,000 has under 2,000
CHESS_SHARE = 0.5  # process time given to chess, as a share of that of the game
CHESS_LONGEST = 300  # moves after which a random game of chess is left
TIMED_STATES = 20_000


class EngineError(CompanionError):
    """An invariant does not hold, or a game does not end."""


@cache
def _spec_and_edition(game: str) -> tuple[GameSpec, Any]:
    """The game and its own edition."""
    spec = find_game(game)
    return spec, spec.load_catalogue(spec.default_catalogue)


def make_rules(players: int, game: str = "envyra", **options: str) -> Rules:
    """The rules of the game's own edition for so many players."""
    spec, edition = _spec_and_edition(game)
    colours = [*spec.colours, *(f"colour {n}" for n in range(players))][:players]
    seats = tuple(SeatInfo(f"player {n}", colour) for n, colour in enumerate(colours, start=1))
    setup = Setup(game, seats, spec.default_catalogue, tuple(sorted(options.items())))
    return spec.make_rules(setup, edition)


def any_rules(rng: random.Random, game: str = "envyra") -> Rules:
    """Rules with a random number of players and random options."""
    spec, _ = _spec_and_edition(game)
    players = rng.randint(spec.min_seats, spec.max_seats)
    return make_rules(players, game, **{option.key: rng.choice(option.values) for option in spec.options})


def sample_draw(outcomes: tuple[ChanceOutcome, ...], ticket: float) -> Draw:
    """The draw whose share of [0, 1) holds `ticket`."""
    for outcome in outcomes:
        chance = outcome.probability
        ticket -= chance.numerator / chance.denominator
        if ticket < 0:
            return outcome.draw
    return outcomes[-1].draw


def random_game(rules: Rules, rng: random.Random) -> list[tuple[State, Event | None]]:
    """A whole game: every state with the event that follows. Each action is generated, checked and then applied."""
    draw_ticket = rng.random
    state, game = rules.initial(), list[tuple[State, Event | None]]()
    while rules.result(state) is None:
        actions = rules.legal_actions(state)
        event: Event
        if actions:
            event = actions[int(draw_ticket() * len(actions))]
            if rules.check(state, event) is not None:
                raise EngineError(f"{rules.format(event)} is offered and refused", where=str(rules.dump(state)))
        else:
            event = sample_draw(rules.chance_outcomes(state), draw_ticket())
        game.append((state, event))
        state = rules.apply(state, event)
        if len(game) > LONGEST:
            raise EngineError(f"no end after {LONGEST} events", where=str(rules.setup.options))
    game.append((state, None))
    return game


@dataclass(slots=True)
class EngineCount:
    """What a number of random games amounted to."""

    games: int = 0
    acts: int = 0
    actions: int = 0
    seconds: float = 0.0
    longest: int = 0
    checked_states: int = 0
    endings: Counter[str] = field(default_factory=Counter)


def play_games(
    count: EngineCount, games: int, seed: int, rules: Rules | None, *, invariants: bool, game: str = "envyra"
) -> None:
    """Play `games` more games by `rules` (None: random ones of `game`); the time counts play only.

    Raises EngineError for a broken invariant.
    """
    for number in range(count.games, count.games + games):
        rng = random.Random(f"{seed} {number}")
        mine = rules or any_rules(rng, game)
        began = process_time()
        played = random_game(mine, rng)
        count.seconds += process_time() - began
        count.games += 1
        count.acts += len(played) - 1
        count.actions += sum(1 for _, event in played if event is not None and not isinstance(event, Draw))
        count.longest = max(count.longest, len(played) - 1)
        ended = mine.result(played[-1][0])
        count.endings[ended.clause if ended else ""] += 1
        for state, _ in played if invariants else ():
            problems = mine.problems(state)
            if problems:
                raise EngineError(f"game {number}: {problems[0]}", where=str(mine.dump(state)))
            count.checked_states += 1


def chess_moves_per_s(seconds: float, rng: random.Random) -> tuple[int, float]:
    """(moves, process time) of random chess with the `chess` package: legal moves listed, one pushed.

    No check of legality and no test for the end but the lack of moves, so the figure is kind to chess.
    """
    import chess

    moves, began = 0, process_time()
    while process_time() - began < seconds:
        board = chess.Board()
        for _ in range(CHESS_LONGEST):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves, process_time() - began


def has_chess() -> bool:
    """Whether the `chess` package is installed (it comes with the extra `test`)."""
    from importlib.util import find_spec

    return find_spec("chess") is not None


def _median_us(call: Callable[..., object], arguments: Iterable[tuple[object, ...]]) -> float:
    """Median time of the call over the arguments, in microseconds."""
    times = []
    for each in arguments:
        began = perf_counter_ns()
        call(*each)
        times.append(perf_counter_ns() - began)
    return statistics.median(times) / 1000


def call_medians(seed: int, players: int, game: str = "envyra") -> dict[str, float]:
    """Median time of `check`, `apply` and, where one seat is to act (Envyra: Phase II), `legal_actions`, over the
    states of random games."""
    rules, steps = make_rules(players, game), list[tuple[State, Event]]()
    number = 0
    while len(steps) < TIMED_STATES:
        played = random_game(rules, random.Random(f"{seed} timed {number}"))
        steps += [(state, event) for state, event in played if event is not None]
        number += 1
    actions = [(s, e) for s, e in steps if not isinstance(e, Draw)]
    one_to_act = [(s,) for s, _ in steps if len(rules.to_act(s)) == 1]
    other_events = ((s, other) for (s, _), (_, other) in zip(actions, actions[7:], strict=False))
    refused = [(s, other) for s, other in other_events if rules.check(s, other) is not None]
    return {
        "check_us": _median_us(rules.check, actions),
        "check_refused_us": _median_us(rules.check, refused),
        "apply_us": _median_us(rules.apply, steps),
        "legal_actions_us": _median_us(rules.legal_actions, one_to_act),
    }


def engine_bench(
    games: int, seed: int, players: int, *, invariants: bool, progress: Callable[[int], None], game: str = "envyra"
) -> dict[str, Any]:
    """The whole benchmark as one JSON object; `progress` is told the number of games played since."""
    timed, mixed, rules = EngineCount(), EngineCount(), make_rules(players, game)
    play_games(EngineCount(), WARM_UP, seed - 1, rules, invariants=False)
    chess_moves, chess_seconds = 0, 0.0
    chess_rng = random.Random(f"{seed} chess")
    chunks = [games // CHUNKS + (part < games % CHUNKS) for part in range(CHUNKS)]
    for part in (size for size in chunks if size):
        before = timed.seconds
        play_games(timed, (part + 1) // 2, seed, rules, invariants=invariants)
        if has_chess():
            share = min(2.0, CHESS_SHARE * (timed.seconds - before))
            moves, seconds = chess_moves_per_s(max(0.05, share), chess_rng)
            chess_moves, chess_seconds = chess_moves + moves, chess_seconds + seconds
        play_games(mixed, part // 2, seed + 1, None, invariants=invariants, game=game)
        progress(part)
    acts_per_s = timed.acts / timed.seconds
    chess_rate = chess_moves / chess_seconds if chess_seconds else None
    return {
        "game": game,
        "games": timed.games + mixed.games,
        "timed_games": timed.games,
        "players": players,
        "games_per_s": round(timed.games / timed.seconds, 1),
        "acts_per_s": round(acts_per_s),
        "actions_per_s": round(timed.actions / timed.seconds),
        "acts_per_game": round(timed.acts / timed.games, 1),
        "chess_moves_per_s": chess_rate and round(chess_rate),
        "ratio": chess_rate and round(acts_per_s / chess_rate, 2),
        **{name: round(value, 2) for name, value in call_medians(seed, players, game).items()},
        "mixed_games": mixed.games,
        "checked_states": timed.checked_states + mixed.checked_states,
        "longest": max(timed.longest, mixed.longest),
        "endings": dict(sorted((timed.endings + mixed.endings).items())),
    }
