"""Sessions as the record keeps them: the store, a session's rules, its history read without playing it."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.app.files import paths
from companion.app.files.settings import Settings
from companion.core.errors import DataError, RecordError
from companion.core.game import GameSpec, Rules
from companion.core.game_code import GameCodeError, game_code
from companion.games import find_game
from companion.table.record.history import History
from companion.table.record.records import SessionHeader, check_chain
from companion.table.record.store import Store

CATALOGUE_MOST_BYTES = 4_000_000
"""A catalogue goes into every session's record; the largest known one has 60 kB."""


def open_store(settings: Settings) -> Store:
    """The record's store that the settings name. Raises as `Store`."""
    return Store(paths.store_address(settings), busy_s=settings.store_wait_s, may_read=True)


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
        if not path.is_file() or path.stat().st_size > CATALOGUE_MOST_BYTES:
            raise OSError(f"expected a file of at most {CATALOGUE_MOST_BYTES // 10**6} MB")
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        names = ", ".join(sorted(p.stem for p in shipped.glob("*.toml")))
        raise DataError(
            f"no catalogue {catalogue!r} can be read ({error})",
            remedy=f"Give a file, or one of those that come with {spec.title}: {names}.",
        ) from error


@dataclass(frozen=True, slots=True)
class ReadSession:
    """A session as its record has it, read without playing it."""

    spec: GameSpec
    rules: Rules
    header: SessionHeader
    history: History


def read_session(store: Store, session: str) -> ReadSession:
    """Read a session without opening it for writing; its chain is checked. Raises as `rules_of`, and RecordError."""
    header = store.session(session).header
    spec, rules = rules_of(header)
    history = History(rules)
    for record in check_chain(header, store.records(session)):
        if record.number > 1:
            try:
                with game_code():
                    history.follow(record)
            except (ValueError, KeyError, TypeError, GameCodeError) as error:
                raise RecordError(
                    f"record {record.number} does not fit the rules: {error}",
                    where=f"session {session}",
                    remedy=f"`companion replay {session}` shows the first difference.",
                ) from error
    return ReadSession(spec, rules, header, history)


def session_rows(store: Store) -> list[dict[str, Any]]:
    """All sessions, the newest first; of a damaged one its name and what is wrong with it."""
    rows: list[dict[str, Any]] = []
    for name in store.names():
        try:
            stored = store.session(name)
        except RecordError as error:
            rows.append({"session": name, "damage": str(error)})
            continue
        setup = stored.header.setup
        players = [seat.name for seat in setup.seats]
        created_ms = stored.header.created_ms
        row = {"game": setup.game, "players": players, "created_ms": created_ms, "records": stored.records}
        rows.append({"session": name} | row)
    return rows
