"""Whether a hub has what its tables have: every record once and in order, openings true, results as recounted."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app.files.sessions import rules_of
from companion.hub.delivery.protocol import FIRST_LINK, SEAL, commitment_of, line_of, link_after, salt_of
from companion.hub.store.database import Database
from companion.table.record.records import SessionHeader, record_from_json
from companion.table.record.replay import replay
from companion.table.record.store import Store


@dataclass(slots=True)
class Checked:
    """What was found: all counts but `records`, `sessions`, `opened` and `results` must be 0."""

    sessions: int = 0
    records: int = 0
    opened: int = 0
    results: int = 0
    lost: int = 0
    doubled: int = 0
    disordered: int = 0
    false: int = 0
    wrong_results: int = 0
    told: list[str] = field(default_factory=list)


def check(database: Database, folders: list[Path]) -> Checked:
    """Compare the hub's database with the stores of the tables."""
    found = Checked()
    for folder in folders:
        with Store(folder / "sessions.sqlite", may_read=True) as store:
            for name in store.names():
                _check_session(database, store, name, found)
    extra = database.rows("SELECT count(*) AS n FROM (SELECT origin FROM hall_sessions WHERE put_aside_ms IS NULL"
                          " GROUP BY origin HAVING count(*) > 1) twice")
    found.doubled += extra[0]["n"]
    return found


def _check_session(database: Database, store: Store, name: str, found: Checked) -> None:
    header = store.session(name).header
    lines = [line_of(record) for record in store.records(name)]
    origin = json.loads(lines[0])["hash"]
    there = database.rows(
        "SELECT r.number, r.commitment, r.link, r.line, s.number AS head, s.link AS head_link FROM hall_records r"
        " JOIN hall_sessions s ON s.id = r.session_id WHERE s.origin = :origin AND s.put_aside_ms IS NULL"
        " ORDER BY r.number", origin=origin,
    )
    seal = bytes.fromhex(store.kept(SEAL.format(session=name)) or "")
    found.sessions += 1
    found.records += len(lines)
    numbers = [row["number"] for row in there]
    found.lost += len(set(range(1, len(lines) + 1)) - set(numbers))
    found.doubled += len(numbers) - len(set(numbers))
    link = FIRST_LINK
    for row, line in zip(there, lines, strict=False):
        commitment = commitment_of(salt_of(seal, row["number"]), line)
        link = link_after(link, commitment)
        found.disordered += (commitment, link) != (row["commitment"], row["link"])
        if row["line"] is not None:
            found.opened += 1
            found.false += row["line"] != line
    found.disordered += bool(there) and (there[-1]["head"], there[-1]["head_link"]) != (len(lines), link)
    whole = [row["line"] for row in there if row["line"] is not None]
    mine = _result(header, lines)
    if mine is not None:
        found.results += 1
        if len(whole) != len(lines) or _result(header, whole) != mine:
            found.wrong_results += 1
            found.told.append(f"{name}: {len(whole)} of {len(lines)} records are open")


def _result(header: SessionHeader, lines: list[str]) -> Any:
    """Who won with how many points, counted by the rules from the record; None while a game is not over."""
    records = [record_from_json(json.loads(line)) for line in lines]
    if not records:
        return None
    rules = rules_of(header)[1]
    result = rules.result(replay(rules, records).history.state)
    return None if result is None else (
        [seat.name for seat in result.winners], [(score.seat.name, score.total) for score in result.scores]
    )
