"""The routes about games that are over: who played and won, and the same people once more."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Response, jsonify

from companion.core.errors import CompanionError
from web.calls import Calls
from web.errors import ApiError
from web.roles.access import Role


class PlayedGames(Calls):
    """The methods of these routes."""

    def history(self) -> Response:
        """Who played what, who won, and how each player has done."""
        rows, unread = self.gate.host.played()
        titles = {spec.name: spec.title for spec in self.gate.host.games()}
        games = [{**row, "title": titles.get(row["game"], row["game"])} for row in rows if "game" in row]
        damaged = sum("game" not in row for row in rows)
        return jsonify({"games": games, "players": player_rows(games), "unread": unread, "damaged": damaged})

    def again(self, body: dict[str, Any]) -> Response:
        """The same people begin the same game once more: their phones keep their seats."""
        self.gate.change(body["as"], Role.REFEREE)
        before, access = self.gate.table().session.header.session, self.gate.access
        try:
            # the seats first: a phone that hears of the new game before would be sent to join
            self.gate.host.again(lambda session: access.follow(session, before))
        except CompanionError as error:
            raise ApiError(409, str(error), remedy=error.remedy) from error
        return jsonify({"session": self.gate.table().session.header.session})


def player_rows(games: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each player of the finished games, whoever played most first: games, won, points and best per game, opponents.

    There are no accounts: who writes the name alike, whatever the case, is the same person.
    """
    found: dict[str, dict[str, Any]] = {}
    for game in games:
        if not game["over"]:
            continue
        people = game["players"]
        for one in people:
            row = found.setdefault(_same(one["name"]), {
                "name": one["name"], "games": 0, "won": 0, "by_game": {}, "against": {},
            })  # fmt: skip
            row["games"] += 1
            row["won"] += one["won"]
            own = row["by_game"].setdefault(game["title"], {"games": 0, "won": 0, "points": 0, "best": one["total"]})
            own["games"] += 1
            own["won"] += one["won"]
            own["points"] += one["total"]
            own["best"] = max(own["best"], one["total"])
            for other in people:
                if _same(other["name"]) != _same(one["name"]):
                    name = found.get(_same(other["name"]), other)["name"]
                    met = row["against"].setdefault(name, {"games": 0, "ahead": 0})
                    met["games"] += 1
                    met["ahead"] += one["place"] < other["place"]
    return sorted(found.values(), key=lambda row: (-row["games"], -row["won"], row["name"]))


def _same(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().strip()
