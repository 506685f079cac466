"""The composition root: puts store, game, session and digital bag together; devices and pages join a Table here."""

from __future__ import annotations

import re
import tempfile
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app import paths
from companion.app.settings import Settings
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.game import GameSpec, Rules
from companion.core.types import SeatInfo, Setup
from companion.draws.bag import DigitalBag
from companion.draws.desk import BagDesk
from companion.draws.keeper import SecretFiles
from companion.games import find_game
from companion.table.commands import Prove
from companion.table.history import History
from companion.table.ledger import now_ms
from companion.table.records import SessionHeader, check_chain, check_session_id
from companion.table.session import Session
from companion.table.store import Store

NAME_LENGTH = 40
"""Characters of a player's name: more fits no line of the dashboard."""


WRONG_NUMBER = "{game} is for {least} to {most} players, got {got}"
WRONG_NAME = "a name has 1 to {most} characters on one line, got {got}"
SAME_NAME = "two players are called {name}"
SAME_COLOUR = "two players have {colour}"
NO_OPTION = "{game} has no option {key}; it has {known}"
NO_VALUE = "option {key} is one of {known}, got {got}"
TWICE = "option {key} is given twice"


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the people chose: everything `begin_table` needs. `catalogue` is a name or a path; empty: the game's own."""

    game: str
    seats: tuple[SeatInfo, ...]
    options: tuple[tuple[str, str], ...] = ()
    catalogue: str = ""
    session: str = ""


@dataclass(slots=True)
class Table:
    """A game being played with all that belongs to it. `close` ends what `on_close` holds, last added first."""

    spec: GameSpec
    session: Session
    bag: DigitalBag
    desk: BagDesk = field(init=False)  # where the bag is filled; each step is in the record before the next
    on_close: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = BagDesk(self.bag, self._prove)

    @property
    def rules(self) -> Rules:
        """The rules of the game being played."""
        return self.session.rules

    def _prove(self, body: dict[str, object]) -> None:
        answer = self.session.ask(Prove(body=body))
        if not answer.accepted:
            raise CompanionError(f"the bag's step was not recorded: {answer.message}")

    def close(self) -> None:
        """End devices and pages, then the session."""
        while self.on_close:
            self.on_close.pop()()
        self.session.close()


def open_store(settings: Settings) -> Store:
    """The record's store that the settings name. Raises as `Store`."""
    return Store(paths.store_address(settings), busy_s=settings.store_wait_s)


def rules_of(header: SessionHeader) -> tuple[GameSpec, Rules]:
    """The game and the rules of a session, built from what the record itself holds.

    Raises DataError when this companion does not have the game or refuses the catalogue.
    """
    spec = find_game(header.setup.game)
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        path = Path(folder) / "catalogue.toml"
        path.write_text(header.catalogue_text, encoding="utf-8", newline="")
        catalogue = spec.load_catalogue(path)
    return spec, spec.make_rules(header.setup, catalogue)


def catalogue_text(spec: GameSpec, catalogue: str) -> str:
    """The text of a game's catalogue, by the name of a shipped one or by path. Raises DataError when there is none."""
    shipped = spec.locale_dir.parent / "catalogues"
    path = shipped / f"{catalogue}.toml"
    if not re.fullmatch(r"[a-z0-9-]+", catalogue) or not path.exists():
        path = Path(catalogue).expanduser()
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        names = ", ".join(sorted(p.stem for p in shipped.glob("*.toml")))
        raise DataError(
            f"no catalogue {catalogue!r} can be read ({error})",
            remedy=f"Give a file, or one of those that come with {spec.title}: {names}.",
        ) from error


def begin_table(store: Store, settings: Settings, chosen: NewGame) -> Table:
    """Begin a session and open its table. Raises DataError with everything that is wrong with the choice."""
    spec = find_game(chosen.game)
    problems = _choice_problems(spec, chosen)
    if problems:
        told = "; ".join(message.format_map(facts) for message, facts in problems)
        raise DataError(told, remedy=f"`companion new --help` shows how to begin {spec.title}.", parts=problems)
    catalogue = chosen.catalogue or spec.default_catalogue
    text = catalogue_text(spec, catalogue)
    setup = Setup(spec.name, chosen.seats, Path(catalogue).stem, tuple(sorted(chosen.options)))
    created_ms = now_ms()
    session = chosen.session or _free_name(store, spec.name, created_ms)
    check_session_id(session)
    header = SessionHeader(session, created_ms, setup, text)
    _, rules = rules_of(header)
    bag = _bag(store, settings, session)
    return Table(spec, Session.create(store, header, rules, bag=bag), bag)


@dataclass(frozen=True, slots=True)
class Look:
    """A session as its record tells it, read without playing it."""

    spec: GameSpec
    rules: Rules
    header: SessionHeader
    history: History


def look_at(store: Store, session: str) -> Look:
    """Read a session without opening it for writing; its chain is checked. Raises as `rules_of`, and RecordError."""
    header = store.session(session).header
    spec, rules = rules_of(header)
    history = History(rules)
    for record in check_chain(header, store.records(session)):
        if record.number > 1:
            try:
                history.follow(record)
            except (ValueError, KeyError, TypeError) as error:
                raise RecordError(
                    f"record {record.number} does not fit the rules: {error}",
                    where=f"session {session}",
                    remedy=f"`companion replay {session}` shows the first difference.",
                ) from error
    return Look(spec, rules, header, history)


def resume_table(store: Store, settings: Settings, session: str) -> Table:
    """Open the table of a session where its record ends. Raises as `Session.resume` and `rules_of`."""
    spec, rules = rules_of(store.session(session).header)
    bag = _bag(store, settings, session)
    return Table(spec, Session.resume(store, session, rules, bag=bag), bag)


def _bag(store: Store, settings: Settings, session: str) -> DigitalBag:
    return DigitalBag(session, SecretFiles(paths.secrets_dir(settings)), lambda n: store.records(session, n + 1))


def _choice_problems(spec: GameSpec, chosen: NewGame) -> list[tuple[str, dict[str, Any]]]:
    """What is wrong with the choice: message ids with their facts."""
    problems: list[tuple[str, dict[str, Any]]] = []
    if not spec.min_seats <= len(chosen.seats) <= spec.max_seats:
        facts = {"game": spec.title, "least": spec.min_seats, "most": spec.max_seats, "got": len(chosen.seats)}
        problems.append((WRONG_NUMBER, facts))
    names = [unicodedata.normalize("NFC", seat.name) for seat in chosen.seats]
    for name in names:
        if not name.strip() or len(name) > NAME_LENGTH or any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
            problems.append((WRONG_NAME, {"most": NAME_LENGTH, "got": repr(name)}))
    problems += [(SAME_NAME, {"name": name}) for name in sorted({n for n in names if names.count(n) > 1})]
    colours = [seat.colour for seat in chosen.seats]
    problems += [(SAME_COLOUR, {"colour": colour}) for colour in sorted({c for c in colours if colours.count(c) > 1})]
    known = {option.key: option for option in spec.options}
    for key, value in chosen.options:
        if key not in known:
            facts = {"game": spec.title, "key": repr(key), "known": ", ".join(known) or "-"}
            problems.append((NO_OPTION, facts))
        elif value not in known[key].values:
            facts = {"key": key, "known": ", ".join(known[key].values), "got": repr(value)}
            problems.append((NO_VALUE, facts))
    keys = [key for key, _ in chosen.options]
    problems += [(TWICE, {"key": key}) for key in sorted({k for k in keys if keys.count(k) > 1})]
    return problems


def _free_name(store: Store, game: str, created_ms: int) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(created_ms / 1000))
    taken = set(store.names())
    number = 1
    while f"{game}-{day}-{number}" in taken:
        number += 1
    return f"{game}-{day}-{number}"
