"""A position of Spyrium as JSON and back, by the names that people know, with every wrong key reported."""

from __future__ import annotations

from typing import Any

from companion.core.game_kit.state_reader import StateReader
from companion.core.types import Json
from companion.games.spyrium.edition.designs import EVENTS
from companion.games.spyrium.edition.tables import TOKENS_OF_A_VALUE, TURNS, WORKERS, Tables
from companion.games.spyrium.play.invariants import state_problems
from companion.games.spyrium.state import NONE, Built, Phase, Player, State, Step, Tokens

MOST = 1_000_000
STEPS = {"placement": Step.PLACEMENT, "activation": Step.ACTIVATION, "passed": Step.PASSED}
_PLAYER_COUNTS = ("active", "inactive", "reserve", "money", "spyrium", "points", "residence")
_PLAYER_FLAGS = ("used_event", "worker_bonus", "money_bonus")


def dump_state(t: Tables, s: State) -> Json:
    """The whole position."""

    def cards(kinds: tuple[int, ...]) -> list[str]:
        return [t.cards[kind].id for kind in kinds]

    def counted(counts: tuple[int, ...]) -> dict[str, int]:
        return {t.cards[kind].id: n for kind, n in enumerate(counts) if n}

    def seat(index: int) -> str | None:
        return None if index == NONE else t.seats[index].name

    def event(index: int) -> str | None:
        return None if index == NONE else EVENTS[index].value

    def player(p: Player) -> dict[str, Any]:
        return {
            "step": next(name for name, step in STEPS.items() if step is p.step),
            **{key: getattr(p, key) for key in (*_PLAYER_COUNTS, *_PLAYER_FLAGS)},
            "buildings": [
                {"card": t.cards[b.kind].id, "inclined": b.inclined, "workers": b.workers} for b in p.buildings
            ],
            "techniques": cards(p.techniques),
            "inclined": cards(p.inclined),
            "kept": list(p.kept),
        }

    return {
        "phase": s.phase.value,
        "turn": s.turn,
        "first": seat(s.first),
        "current": seat(s.current),
        "decks": [counted(deck) for deck in s.decks],
        "gone": counted(s.gone),
        "market": [None if kind == NONE else t.cards[kind].id for kind in s.market],
        "tokens": [list(here) for here in s.tokens],
        "gaps": [list(here) for here in s.gaps],
        "events_left": [event(i) for i in s.events_left],
        "event": event(s.event),
        "event_token": s.event_token,
        "future": event(s.future),
        "future_token": s.future_token,
        "stock": list(s.stock),
        "discard": list(s.discard),
        "players": [player(p) for p in s.players],
        "paid_money": s.paid_money,
        "paid_spyrium": s.paid_spyrium,
    }


def load_state(t: Tables, data: Json) -> State:
    """The position that `dump_state` wrote. Raises DataError naming every key that is wrong."""
    x = StateReader(data)
    seats = {seat.name: int(seat) for seat in t.seats}
    events = {event.value: i for i, event in enumerate(EVENTS)}
    phases = {p.value: i for i, p in enumerate(Phase)}
    kinds = dict(t.kind_index)
    players, places = len(t.seats), len(t.slots)
    state = State(
        phase=tuple(Phase)[max(0, x.named("phase", data.get("phase"), phases))],
        turn=x.whole("turn", data.get("turn"), TURNS),
        first=x.named("first", data.get("first"), seats, optional=True),
        current=x.named("current", data.get("current"), seats, optional=True),
        decks=x.per("decks", len(t.decks), lambda k, v: _counts(t, x, k, v)),
        gone=_counts(t, x, "gone", data.get("gone")),
        market=x.per("market", places, lambda k, v: x.named(k, v, kinds, optional=True)),
        tokens=x.per("tokens", places, lambda k, v: _tokens(x, k, v)),
        gaps=x.per("gaps", len(t.gaps), lambda k, v: _numbers(x, k, v, players, WORKERS)),
        events_left=x.many("events_left", data.get("events_left"), events),
        event=x.named("event", data.get("event"), events, optional=True),
        event_token=x.whole("event_token", data.get("event_token"), 3),
        future=x.named("future", data.get("future"), events, optional=True),
        future_token=x.whole("future_token", data.get("future_token"), 3),
        stock=_tokens(x, "stock", data.get("stock")),
        discard=_tokens(x, "discard", data.get("discard")),
        players=x.per("players", players, lambda k, v: _player(t, x, k, v)),
        paid_money=x.get("paid_money", int, "a whole number"),
        paid_spyrium=x.get("paid_spyrium", int, "a whole number"),
    )
    x.refuse(State._fields, lambda: state_problems(t, state))
    return state


def _numbers(x: StateReader, key: str, value: object, count: int, most: int) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != count:
        x.fail(key, f"a list of {count} numbers", value)
        return (0,) * count
    return tuple(x.whole(f"{key}[{i}]", n, most) for i, n in enumerate(value))


def _tokens(x: StateReader, key: str, value: object) -> Tokens:
    one, two, three = _numbers(x, key, value, 3, TOKENS_OF_A_VALUE)
    return (one, two, three)


def _counts(t: Tables, x: StateReader, key: str, value: object) -> tuple[int, ...]:
    """Counts by kind from an object of card names."""
    if not isinstance(value, dict):
        x.fail(key, "an object of card names and counts", value)
        return (0,) * len(t.cards)
    x.wrong += [f"{key}.{name}: no such card" for name in sorted(set(value) - set(t.kind_index))]
    return tuple(x.whole(f"{key}.{card.id}", value.get(card.id, 0), card.copies) for card in t.cards)


def _player(t: Tables, x: StateReader, key: str, value: object) -> Player:
    if not isinstance(value, dict):
        x.fail(key, "an object", value)
        value = {}
    for name in sorted(set(value) - set(Player._fields)):
        x.wrong.append(f"{key}.{name}: unknown key")
    kinds = dict(t.kind_index)
    counts: dict[str, Any] = {name: x.whole(f"{key}.{name}", value.get(name), MOST) for name in _PLAYER_COUNTS}
    step = value.get("step")
    if not isinstance(step, str) or step not in STEPS:
        x.fail(f"{key}.step", f"one of {', '.join(STEPS)}", step)
    for name in _PLAYER_FLAGS:
        if not isinstance(value.get(name), bool):
            x.fail(f"{key}.{name}", "true or false", value.get(name))
    built = value.get("buildings")
    if not isinstance(built, list):
        x.fail(f"{key}.buildings", "a list", built)
        built = []
    return Player(
        step=STEPS.get(step, Step.PLACEMENT) if isinstance(step, str) else Step.PLACEMENT,
        used_event=value.get("used_event") is True,
        worker_bonus=value.get("worker_bonus") is True,
        money_bonus=value.get("money_bonus") is True,
        **counts,
        buildings=tuple(_built(x, f"{key}.buildings[{i}]", b, kinds) for i, b in enumerate(built)),
        techniques=x.many(f"{key}.techniques", value.get("techniques"), kinds),
        inclined=x.many(f"{key}.inclined", value.get("inclined"), kinds),
        kept=_tokens(x, f"{key}.kept", value.get("kept")),
    )


def _built(x: StateReader, key: str, value: object, kinds: dict[str, int]) -> Built:
    if (
        not isinstance(value, dict)
        or set(value) != {"card", "inclined", "workers"}
        or type(value["inclined"]) is not bool
    ):
        x.fail(key, "an object of card, inclined (true or false) and workers", value)
        return Built(0)
    kind = max(0, x.named(f"{key}.card", value["card"], kinds))
    return Built(kind, value["inclined"], x.whole(f"{key}.workers", value["workers"], WORKERS))
