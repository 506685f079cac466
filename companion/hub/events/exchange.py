"""Players and results as CSV and JSON: a bad row is told with its line and what is wrong, and nothing is taken."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from companion.core.files import parse_json
from companion.core.messages import Message
from companion.hub.events.games import games
from companion.hub.events.model import NAME_MOST, PLAYERS_MOST, EventError, HallEvent, Player
from companion.hub.events.standings import decimal, standings

YES, NO = ("1", "yes", "true", "áno", "ano"), ("", "0", "no", "false", "nie", "ne")
COLUMNS = ("name", "club", "anonymous")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins so for a formula (OWASP, CSV injection): exports put an apostrophe first."""


class ImportRefusedError(EventError):
    """Lists every bad row."""


def read_players(text: str, first_number: int) -> tuple[Player, ...]:
    """Players of a CSV (name, club, anonymous; with a head or without; comma or semicolon) or JSON text (an array of
    objects or names), numbered from `first_number` on. Raises ImportRefusedError with every bad row."""
    stripped = text.lstrip("\ufeff").strip()
    if not stripped:
        raise ImportRefusedError("no player is in it")
    rows = _json_rows(stripped) if stripped[0] in "[{" else _csv_rows(stripped)
    if len(rows) > PLAYERS_MOST:
        raise ImportRefusedError(Message("an event has at most {most} players", most=PLAYERS_MOST))
    bad: list[tuple[str, Mapping[str, Any]]] = []
    players, seen = list[Player](), dict[str, int]()
    for line, row in rows:
        name = row.get("name", "").strip()
        key = " ".join(name.casefold().split())
        hidden = row.get("anonymous", "").strip().casefold()
        if not 1 <= len(name) <= NAME_MOST:
            bad.append(("line {line}: a name has 1 to {most} letters", {"line": line, "most": NAME_MOST}))
        elif len(row.get("club", "").strip()) > NAME_MOST:
            bad.append(("line {line}: a club has at most {most} letters", {"line": line, "most": NAME_MOST}))
        elif key in seen:
            bad.append(("line {line}: {name} is in line {first} already",
                        {"line": line, "name": name, "first": seen[key]}))
        elif hidden not in YES + NO:
            bad.append(("line {line}: anonymous is yes or no, not {word}", {"line": line, "word": hidden}))
        else:
            seen[key] = line
            players.append(Player(first_number + len(players), name, row.get("club", "").strip(), hidden in YES))
    if bad:
        raise ImportRefusedError("; ".join(text.format_map(facts) for text, facts in bad), parts=bad)
    return tuple(players)


def _csv_rows(text: str) -> list[tuple[int, dict[str, str]]]:
    head = text.splitlines()[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if head.count(";") > head.count(",") else ",")
    found: list[tuple[int, dict[str, str]]] = []
    columns: tuple[str, ...] = COLUMNS
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            lowered = tuple(cell.strip().casefold() for cell in row)
            if not found and columns is COLUMNS and "name" in lowered:
                columns = lowered
                continue
            if len(row) > len(columns):
                raise ImportRefusedError(
                    Message("line {line}: more cells than {columns}", line=reader.line_num, columns=", ".join(columns))
                )
            found.append((reader.line_num, dict(zip(columns, row, strict=False))))
    except csv.Error as error:
        raise ImportRefusedError(Message("line {line}: {error}", line=reader.line_num, error=str(error))) from error
    return found


def _json_rows(text: str) -> list[tuple[int, dict[str, str]]]:
    try:
        data = parse_json(text)
    except ValueError as error:
        raise ImportRefusedError(Message("this is no JSON: {error}", error=str(error))) from error
    listed = data.get("players") if isinstance(data, dict) else data
    if not isinstance(listed, list):
        raise ImportRefusedError("expected a list of players")
    found = []
    for line, each in enumerate(listed, start=1):
        row = {"name": each} if isinstance(each, str) else each
        if not isinstance(row, dict) or not all(isinstance(v, str | bool | int | None) for v in row.values()):
            raise ImportRefusedError(Message("line {line}: expected a name, or an object with a name", line=line))
        words = {True: "yes", False: "no", None: ""}
        found.append((line, {
            str(k): words.get(v, "") if isinstance(v, bool) or v is None else str(v) for k, v in row.items()
        }))  # fmt: skip
    return found


def standings_csv(event: HallEvent) -> str:
    """The standings, a line a player; for the organiser: with names."""
    order = [kind.value for kind in event.rules.order]
    lines: list[list[Any]] = [["rank", "number", "name", "club", "games", "byes", *order]]
    lines += [
        [row.rank, row.player.number, row.player.name, row.player.club, row.games, row.byes, *map(decimal, row.values)]
        for row in standings(event)
    ]
    return _csv(lines)


def results_csv(event: HallEvent) -> str:
    """Every game's results, a line a player."""
    source = {
        (each.number, table.number): table.result.source.value
        for each in event.rounds for table in each.tables if table.result is not None
    }  # fmt: skip
    lines: list[list[Any]] = [["round", "table", "number", "name", "place", "points", "score", "source"]]
    for game in games(event):
        for part in game.parts:
            lines.append([game.round, game.table, part.player, event.player(part.player).name, part.place,
                          decimal(part.points), "" if part.score is None else part.score,
                          source[game.round, game.table]])  # fmt: skip
    return _csv(lines)


def event_json(event: HallEvent) -> dict[str, Any]:
    """Players, results and standings in one object."""
    return {
        "event": event.name,
        "game": event.rules.game,
        "players": [
            {"number": p.number, "name": p.name, "club": p.club, "anonymous": p.anonymous, "here": p.here}
            for p in event.players
        ],
        "results": list(csv.DictReader(io.StringIO(results_csv(event)))),
        "standings": list(csv.DictReader(io.StringIO(standings_csv(event)))),
    }  # fmt: skip


def _csv(lines: list[list[Any]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(
        [f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in line] for line in lines
    )
    return written.getvalue()
