"""Twin sessions that differ in secrets only: all that everybody else may ask them must be answered alike.

Two tables are played alike, but one seat gets or does something else in secret. Then every client that may not know it
sends the same requests to both: looks, acts, batches of acts that can be played, cannot, or are no acts at all, undoing
and overruling. An answer that differs tells the secret to whoever sent the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from companion.app.dashboard.host import Host
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.core.errors import CompanionError
from companion.core.secrecy import told_by_its_seat_only
from companion.core.types import Event, Seat
from companion.table.commands import Play
from web.ports.tables import SetupChoice
from web.routes import ROUTES

if TYPE_CHECKING:
    from companion.lab.simulators.page_client import PageClient

BESIDE = re.compile(r'"(time_ms|created_ms|now_ms)": ?\d+|"times": ?\[[^\]]*\]|"commitment": ?"[0-9a-f]{64}"')
"""What differs between any two games: the clock, and what the bag commits itself to."""
NO_ACT = "zzz"
NOT_COMPARED = ("openapi", "setup_steps", "sheets", "doctor_look", "doctor_report")
"""What is of no game: the machine's own state, which changes by itself, and sheets to print, with their date."""
PAGES = ("/", "/table", "/referee", "/draws", "/record", "/charts", "/sheet", "/setup", "/tally")
ENDLESS = "text/event-stream"
"""Of the streams the clients' own is compared, by its beginning."""
STEPS = 400
"""Events of a game before an owner that gets no secret in it is given up."""

NEVER_PLAYED = 0.8
"""The share of probes that end in what is no act: nothing of them may be played, all of them may be looked at."""
STATES = 0.1
"""The share of requests after which the client's whole state is compared, too."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A game in which the seat `owner` shall have a secret; `after`: events to be played before it may begin; `until`:
    the verb that somebody can do when the questions begin ("": as soon as the secret is there)."""

    name: str
    choice: SetupChoice
    owner: Seat
    after: int = 0
    until: str = ""


ENVYRA = (("Žofia", "pink"), ("Ján", "gray"), ("Mária", "purple"))
RIFTS = (("Žofia", "yellow"), ("Ján", "green"))
SPYRIUM = (("Žofia", "red"), ("Ján", "blue"))
SCENARIOS = (
    Scenario("envyra, cubes behind the shield", SetupChoice("envyra", ENVYRA), Seat.A),
    Scenario("envyra, cubes in a later round", SetupChoice("envyra", ENVYRA), Seat.C, 40),
    Scenario("envyra, cards dealt by hand", SetupChoice("envyra", ENVYRA, (("equilibrium", "b"),)), Seat.A),
    Scenario("envyra, cards picked",
             SetupChoice("envyra", ENVYRA, (("card_choice", "pick"), ("equilibrium", "c"))), Seat.B),
    Scenario("rifts, cards being drawn", SetupChoice("rifts", RIFTS), Seat.A),
    Scenario("rifts, cards in hand in a fight", SetupChoice("rifts", RIFTS), Seat.A, until="cast"),
    Scenario("rifts, another one's cards in a fight", SetupChoice("rifts", RIFTS), Seat.B, until="cast"),
    Scenario("spyrium, where nothing is secret", SetupChoice("spyrium", SPYRIUM), Seat.A, 30),
)


@dataclass(slots=True)
class TwinReport:
    """What was compared, and every answer that differed: who asked what, and both answers."""

    compared: int = 0
    accepted: int = 0
    differences: list[tuple[str, str, str, str]] = field(default_factory=list)


class Twins:
    """Two tables of one scenario, played alike to where only the secret of the owner differs."""

    def __init__(self, hosts: tuple[Host, Host], scenario: Scenario, random: Random) -> None:
        """Raises CompanionError when the owner gets no secret in this game."""
        self.hosts, self.scenario, self.random = hosts, scenario, random
        self.texts: dict[str, None] = {NO_ACT: None}
        self.differ = False
        for host in hosts:
            host.begin(scenario.choice)
        self._play()

    @property
    def over(self) -> bool:
        """Whether the game is over at one of the tables: then nothing is secret any more."""
        return any(session.rules.result(session.state) is not None for session in self._sessions())

    @property
    def secret_game(self) -> bool:
        """Whether anything in this game is secret."""
        return self.scenario.choice.game != "spyrium"

    def _sessions(self) -> tuple[Any, Any]:
        first, second = (host.table for host in self.hosts)
        assert first is not None
        assert second is not None
        return first.session, second.session

    def _play(self) -> None:
        for step in range(STEPS):
            if self._begins() or (not self.secret_game and step >= self.scenario.after):
                return
            pair = self._next(secretly=step >= self.scenario.after)
            if pair is None:
                break
            for session, event in zip(self._sessions(), pair, strict=True):
                answer = session.ask(Play(texts=(session.rules.format(event),)))
                if not answer.accepted:
                    raise CompanionError(f"the twins of {self.scenario.name} do not play {event}: {answer}")
            self.differ = self.differ or pair[0] != pair[1]
        if not self._begins():
            raise CompanionError(f"{self.scenario.owner.name} gets no secret in {self.scenario.name}")

    def _begins(self) -> bool:
        """Whether the secret is there and the questions can begin."""
        session = self._sessions()[0]
        verbs = {session.rules.format(act).split()[1] for act in session.rules.legal_actions(session.state)}
        return self.differ and (not self.scenario.until or self.scenario.until in verbs)

    def possible(self) -> tuple[list[Event], list[Event]]:
        """What can happen next at both tables; the texts of it are remembered for the questions."""
        found: tuple[list[Event], list[Event]] = ([], [])
        for session, events in zip(self._sessions(), found, strict=True):
            rules, state = session.rules, session.state
            events += [outcome.draw for outcome in rules.chance_outcomes(state)] or rules.legal_actions(state)
            for event in events:
                self.texts.setdefault(rules.format(event))
        return found

    def _next(self, *, secretly: bool) -> tuple[Event, Event] | None:
        """The next event at both tables; another one at each where the owner's secret begins."""
        first, second = self.possible()
        own = [self._own(session, events) for session, events in zip(self._sessions(), (first, second), strict=True)]
        if secretly and own[0] and own[1] and (len(own[0]) > 1 or self.differ):
            one = self.random.choice(own[0])
            return one, self.random.choice([e for e in own[1] if e != one] or own[1])
        common = [event for event in first if event in set(second)]
        if not common:
            return None
        event = self.random.choice(common)
        return event, event

    def _own(self, session: Any, events: list[Event]) -> list[Event]:
        """Those of `events` that are secrets of the owner and show nothing to anybody."""
        rules = session.rules
        return [
            e for e in events
            if rules.is_secret(e) and getattr(e, "seat", None) is self.scenario.owner
            and not rules.is_reveal(session.state, e)
        ]

    def changed_words(self) -> str:
        """An act of the game with a word of another one, so that it says what nobody may have thought of."""
        one, other = (text.split() for text in self.random.choices(list(self.texts), k=2))
        one[self.random.randrange(len(one))] = self.random.choice(other)
        return " ".join(one)

    def probe(self, client: str) -> list[str]:
        """Acts that could follow each other at one of the tables, often through a reveal, the last of them perhaps at
        that one only; mostly with something behind them that makes sure that none is played."""
        session = self.random.choice(self._sessions())
        rules, state, texts = session.rules, session.state, []
        done = {self.scenario.owner}
        for _ in range(self.random.randrange(4)):
            acts = [
                a for a in rules.legal_actions(state)
                if a.seat not in done and (client == "referee" or a.seat.name == client)
            ]
            if not acts:
                break
            texts.append(rules.format(act := self.random.choice(acts)))
            done.add(act.seat)
            shown, state = rules.is_reveal(state, act), rules.apply(state, act)
            if shown:
                break
        events = [outcome.draw for outcome in rules.chance_outcomes(state)] or list(rules.legal_actions(state))
        own = [e for e in events if getattr(e, "seat", None) is self.scenario.owner]
        texts += [rules.format(self.random.choice(own or events))] if events else []
        return [*texts, NO_ACT] if self.random.random() < NEVER_PLAYED else texts

    def reveals(self, texts: list[str]) -> bool:
        """Whether one of these acts, played now, would lay the secret open to everybody."""
        for session in self._sessions():
            for text in texts:
                try:
                    event = session.rules.parse(text)
                except CompanionError:
                    return False
                if session.rules.is_reveal(session.state, event):
                    return True
        return False

    def may_know(self, client: str) -> bool:
        """Whether the rules let `client` know the secret now: its owner, and who picks a card from those left."""
        if client == self.scenario.owner.name:
            return True
        table = self.hosts[0].table
        assert table is not None
        rules, state = table.session.rules, table.session.state
        acts = [a for a in rules.legal_actions(state) if a.seat.name == client]
        return any(rules.is_secret(a) and told_by_its_seat_only(table.spec, rules, a) for a in acts)


def compare(folder: Path, scenario: Scenario, seed: int, requests: int, *, look_again: bool = True) -> TwinReport:
    """Ask the twins of `scenario` so many requests and compare the answers, byte for byte but for the clock.

    All pages are compared before the first request, and with `look_again` after the last one.
    """
    from companion.lab.simulators.page_client import PageClient, app_over

    report, random = TwinReport(), Random(seed)
    settings = [Settings(data_dir=str(folder / name)) for name in ("one", "two")]
    with open_store(settings[0]) as here, open_store(settings[1]) as there:
        hosts = (open_host(here, settings[0]), open_host(there, settings[1]))
        try:
            twins = Twins(hosts, scenario, random)
            apps = [app_over(host) for host in hosts]
            seats = [Seat(i).name for i in range(len(scenario.choice.seats))]
            clients = {
                name: tuple(PageClient(app, host, name) for app, host in zip(apps, hosts, strict=True))
                for name in ("", "referee", *(s for s in seats if s != scenario.owner.name))
            }
            for client in clients:
                if not twins.may_know(client):
                    _look(report, client, clients[client])
            for number in range(requests):
                client = random.choice(list(clients))
                if twins.may_know(client):
                    continue
                if not _ask(report, twins, client, clients[client], f"twin-key-{number:06d}"):
                    return report
            for client in clients if look_again else ():
                if not twins.may_know(client):
                    _look(report, client, clients[client])
        finally:
            for host in hosts:
                host.close()
    return report


def _look(report: TwinReport, client: str, pair: tuple[PageClient, ...]) -> None:
    """Every page and every route that looks, for one client."""
    for path in looks(pair[0].number()):
        _compare(report, client, path, [one.get(path) for one in pair])
    _compare(report, client, "the stream", [(200, one.stream()) for one in pair])


def looks(number: int) -> Iterator[str]:
    """Every address that can be asked for by GET at a table whose last record is `number`."""
    for route in ROUTES:
        if route.method != "GET" or route.call in NOT_COMPARED or route.answers == ENDLESS:
            continue
        path = route.path.replace("<name>", "envyra")
        if "<int:number>" in path:
            yield from (path.replace("<int:number>", str(n)) for n in range(max(1, number - 3), number + 1))
        else:
            yield path
    yield from (f"/api/undo?to={n}" for n in range(max(1, number - 3), number + 1))
    yield "/api/records?after=0"
    yield from PAGES
    yield from (f"/seat/{seat.name}" for seat in Seat)


def _ask(report: TwinReport, twins: Twins, client: str, pair: tuple[PageClient, ...], key: str) -> bool:
    """One request that may change something; False when the secret is open from now on."""
    random = twins.random
    number = pair[0].number()
    path, body = _request(twins, client, number, key)
    texts = body.get("texts", [])
    reveals = twins.reveals(texts)
    answers = [one.post(path, body) for one in pair]
    _compare(report, client, f"{path} {json.dumps(body)}", answers)
    accepted = answers[0][0] == 200 and '"refused"' not in answers[0][1]
    report.accepted += accepted
    if accepted and path == "/api/play" and (reveals or twins.over):
        return False
    twins.possible()
    if random.random() < STATES:
        _compare(report, client, "/api/state", [one.get("/api/state") for one in pair])
    return True


def _request(twins: Twins, client: str, number: int, key: str) -> tuple[str, dict[str, Any]]:
    """A request of a client: mostly acts told, one by one and several at once."""
    random, common = twins.random, {"as": client or "A", "key": key}
    kind = random.random()
    if kind < 0.4:
        return "/api/play", {**common, "texts": twins.probe(client) or [NO_ACT], "expected": number}
    if kind < 0.8:
        texts = [
            twins.changed_words() if random.random() < 0.4 else random.choice(list(twins.texts))
            for _ in range(random.choice((1, 1, 2, 2, 3)))
        ]
        texts += [NO_ACT] if random.random() < 0.3 else []
        return "/api/play", {**common, "texts": texts, "expected": number}
    if kind < 0.86:
        return "/api/undo", {**common, "expected": number, "to": random.randrange(1, number + 1)}
    if kind < 0.9:
        return "/api/undo", {**common, "expected": number}
    if kind < 0.93:
        return "/api/draw", {**common, "expected": number}
    if kind < 0.94:
        topic = random.choice(("pause", "resume", "dispute", "count", "remark"))
        return "/api/note", {**common, "topic": topic, "text": twins.changed_words()}
    if kind < 0.97:
        slots = [{"slot": word, "face": "", "pieces": []} for word in twins.changed_words().split()[:1]]
        return "/api/overrule", {**common, "expected": number, "why": "as it lies", "slots": slots}
    return "/api/bag", {"as": client or "A", "step": random.choice(("commit", "add", "close", "reveal"))}


def _compare(report: TwinReport, client: str, asked: str, answers: list[tuple[int, str]]) -> None:
    one, other = ((status, BESIDE.sub("", text)) for status, text in answers)
    report.compared += 1
    if one != other:
        report.differences.append((client or "spectator", asked, f"{one[0]} {one[1]}", f"{other[0]} {other[1]}"))

