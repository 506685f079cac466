"""Random walks over what the pages offer, one client a person, without a browser: every offer is taken at its word.

A page shows the acts, draws and ways back that its state lists; a walk takes one of them by chance, on the page of one
person by chance, and nothing that was offered may be refused. `python tests/evenings/offer_walk.py --walks 1000` walks
many and prints each seed that found a fault.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path.extend(map(str, (Path(__file__).parents[1] / "support").iterdir()))

from web_kit import NAMES, Caller, fresh_key, hosting, make_app

from companion.app.dashboard.host import Host
from companion.games import find_game
from web.ports.tables import SetupChoice

GAMES: dict[str, tuple[int, ...]] = {"envyra": (2, 3, 4), "spyrium": (2, 3, 4), "rifts": (1, 2, 3, 4)}
LANGUAGES = ("en", "sk", "cs")
OTHERS = 0.25
"""How often somebody who is not awaited looks too."""
BACK = 0.06
"""How often somebody takes something back or pauses, where that is offered, instead of playing on."""

TOLD_EVERY = 25
"""Walks after which the command line says how far it is."""
MOST_IDLE = 60
"""So often one or two of at most five people are asked, by chance, before nobody is offered anything."""


@dataclass
class Walk:
    """What was taken by its kind, and what was wrong."""

    seed: int
    taken: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def choice_of(game: str, random: Random) -> SetupChoice:
    """A set-up by chance: players, options, draws by hand or from a digital bag."""
    spec = find_game(game)
    players = random.choice(GAMES[game])
    colours = list(spec.colours)
    random.shuffle(colours)
    seats = tuple((NAMES[i][0], colours[i]) for i in range(players))
    options = tuple((option.key, random.choice(option.values)) for option in spec.options if random.random() < 0.3)
    return SetupChoice(game, seats, options, draws=random.choice(("physical", "digital")))


def walk(host: Host, game: str, seed: int, steps: int) -> Walk:
    """So many offers taken, or until the game is over; what was refused although it was offered is a fault."""
    random, done = Random(seed), Walk(seed)
    choice = choice_of(game, random)
    host.begin(choice)
    app = make_app(host)
    referee = Caller(app, "referee")
    seats = [Caller(app, "ABCDE"[i], host) for i in range(len(choice.seats))]
    if choice.draws == "digital":
        _seal(referee, seats)
    people, awaited, idle = [referee, *seats], [referee], 0
    while done.taken.total() < steps:
        looking = {random.choice(awaited)} | ({random.choice(people)} if random.random() < OTHERS else set())
        states = {caller: _state(caller, random) for caller in people if caller in looking}
        state = next(iter(states.values()))
        if state["over"]:
            break
        done.faults += _wrong(states)
        awaited = [one for one in seats if one.role in state["to_act"]] or [referee]
        offers = [(caller, offer) for caller in states for offer in _offers(caller, states[caller])]
        forward = [one for one in offers if one[1][0] not in ("back", "pause")]
        aside = [one for one in offers if one not in forward]
        offers = aside if aside and (state["paused"] or random.random() < BACK) else forward
        if offers:
            caller, offer = random.choice(offers)
            _take(caller, states[caller]["number"], offer, done, people)
            idle = 0
            continue
        idle, awaited = idle + 1, people
        if idle == MOST_IDLE:
            done.faults.append(f"a dead end after record {state['number']}: nobody is offered anything")
            break
    return done


def _seal(referee: Caller, seats: list[Caller]) -> None:
    """Everybody adds a phrase to the bag; then it draws by itself."""
    steps: list[tuple[Caller, dict[str, Any]]] = [
        (one, {"step": "add", "seat": one.role, "how": "phrase", "value": f"words of {one.role}"}) for one in seats
    ]
    steps += [(referee, {"step": "close"}), (referee, {"step": "seal"})]
    for caller, body in steps:
        answer = caller.post("/api/bag", **{"as": caller.role}, **body)
        assert answer.status_code == 200, answer.get_json()
    assert referee.post("/api/bag/automatic", **{"as": "referee"}, on=True).status_code == 200


def _state(caller: Caller, random: Random) -> dict[str, Any]:
    data: dict[str, Any] = caller.get(f"/api/state?lang={random.choice(LANGUAGES)}").get_json()
    return data


def _wrong(states: dict[Caller, dict[str, Any]]) -> Iterator[str]:
    """Offers that read alike, and people who are awaited and are not told what they can do."""
    for caller, state in states.items():
        twice = [text for text, n in Counter(act["sentence"] for act in state["actions"]).items() if n > 1]
        yield from (f"{caller.role}, after record {state['number']}: two offers read {text!r}" for text in twice)
        awaited = caller.role in state["to_act"]
        if awaited and not state["turn"]:
            yield f"{caller.role}, after record {state['number']}: is awaited and not told what to do"
        if awaited and not state["actions"]:
            yield f"{caller.role}, after record {state['number']}: is awaited and offered nothing"


Offer = tuple[str, str, dict[str, Any]]


def _offers(caller: Caller, state: dict[str, Any]) -> Iterator[Offer]:
    """What this person's page offers now: kind, path of the request, its body."""
    if state["paused"]:
        yield "pause", "/api/note", {"topic": "resume"}
        return
    for act in state["actions"]:
        yield act["kind"], "/api/play", {"texts": [act["text"]]}
    if state["tells_draw"]:
        for outcome in state["outcomes"]:
            yield "draw", "/api/play", {"texts": [outcome["text"]]}
    yield "pause", "/api/note", {"topic": "pause"}
    if caller.role == "referee":
        if state["number"] > 3 and caller.get("/api/undo").status_code == 200:
            yield "back", "/api/undo/ask", {}
    elif state["undo"]:
        yield "back", "/api/undo/ask", {}


def _take(caller: Caller, number: int, offer: Offer, done: Walk, people: list[Caller]) -> None:
    kind, path, body = offer
    seen = {} if path == "/api/note" else {"expected": number}
    answer = caller.post(path, **{"as": caller.role}, key=fresh_key(), **seen, **body)
    done.taken[kind] += 1
    wrong = answer.get_json().get("error") or answer.get_json().get("refused")
    if wrong:
        done.faults.append(f"{caller.role}: {body} was offered and refused: {wrong['message']}")
    elif kind == "back":
        proposal = answer.get_json().get("proposal")
        for other in people[1:] if proposal else ():
            if other.role not in proposal["agreed"]:
                agreed = other.post("/api/overrule/agree", **{"as": other.role})
                if agreed.status_code != 200:
                    done.faults.append(f"{other.role}: agreeing was refused: {agreed.get_json()['error']['message']}")


def main() -> int:
    """Walk as the command line says; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=100, help="walks a game")
    parser.add_argument("--steps", type=int, default=60, help="offers taken in a walk, at most")
    parser.add_argument("--game", choices=sorted(GAMES), action="append", help="this game only (may be repeated)")
    parser.add_argument("--seed", type=int, default=1, help="of the first walk; each further one adds 1")
    chosen = parser.parse_args()
    wrong = 0
    for game in chosen.game or sorted(GAMES):
        taken: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as folder, hosting(Path(folder), game=False) as host:
            for count, seed in enumerate(range(chosen.seed, chosen.seed + chosen.walks)):
                if count and count % TOLD_EVERY == 0:
                    print(f"{game}: {count} walks, {taken.total()} offers taken, {wrong} faults", flush=True)
                done = walk(host, game, seed, chosen.steps)
                taken += done.taken
                for fault in dict.fromkeys(done.faults):
                    wrong += 1
                    print(f"{game}, seed {seed}: {fault}", flush=True)
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(taken.items()))
        print(f"{game}: {chosen.walks} walks, {taken.total()} offers taken ({kinds})", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
