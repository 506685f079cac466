"""Import of players with every bad row told, export of results and standings that spreadsheets may open."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from event_kit import PlayedEvent
from hypothesis import given
from hypothesis import strategies as st

from companion.hub.events.changes import PlayerChanged
from companion.hub.events.exchange import ImportRefusedError, event_json, read_players, results_csv, standings_csv


@pytest.mark.parametrize(
    "text",
    [
        "Anna,Club,yes\nBert\n",
        "name,club,anonymous\nAnna,Club,yes\nBert,,\n",
        "\ufeffname;anonymous;club\r\nAnna;1;Club\r\n\r\nBert;0;\r\n",
        '[{"name": "Anna", "club": "Club", "anonymous": true}, "Bert"]',
        '{"players": [{"name": "Anna", "club": "Club", "anonymous": "áno"}, {"name": "Bert"}]}',
    ],
)
def test_players_come_from_csv_and_json(text: str) -> None:
    players = read_players(text, 5)
    read = [(p.number, p.name, p.club, p.anonymous) for p in players]
    assert read == [(5, "Anna", "Club", True), (6, "Bert", "", False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name\nAnna\n\nanna\n", ["line 4: anna is in line 2 already"]),
        ("Anna,x,maybe\n,y\n", ["line 1: anonymous is yes or no, not maybe", "line 2: a name has 1 to 60 letters"]),
        ("Anna,a,1,more\n", ["line 1: more cells than name, club, anonymous"]),
        (f"Anna,{'x' * 61}", ["line 1: a club has at most 60 letters"]),
        ("", ["no player is in it"]),
        ("[1]", ["line 1: expected a name"]),
        ("[{]", ["this is no JSON"]),
        ('{"people": []}', ["expected a list of players"]),
    ],
)
def test_every_bad_row_is_told_with_its_line_and_why(text: str, expected: list[str]) -> None:
    with pytest.raises(ImportRefusedError) as refused:
        read_players(text, 1)
    assert all(each in str(refused.value) for each in expected)


@given(st.text(max_size=200))
def test_no_text_is_anything_but_players_or_a_refusal(text: str) -> None:
    try:
        players = read_players(text, 1)
    except ImportRefusedError:
        return
    assert all(player.name == player.name.strip() != "" for player in players)


def test_exported_results_and_standings_have_every_player_once_a_game() -> None:
    played = PlayedEvent(8)
    played.play()
    played.give(1, [1, 2, 3, 4], [40, 30, 20, 10], reason="scores added")
    rows = list(csv.DictReader(io.StringIO(results_csv(played.event))))
    assert len(rows) == 8
    assert {(row["place"], row["points"], row["score"]) for row in rows if row["table"] == "1"} == {
        ("1", "6", "40"), ("2", "4", "30"), ("3", "2", "20"), ("4", "0", "10"),
    }  # fmt: skip
    ranked = list(csv.DictReader(io.StringIO(standings_csv(played.event))))
    assert sorted(int(row["number"]) for row in ranked) == list(range(1, 9))
    assert json.loads(json.dumps(event_json(played.event)))["results"] == rows


def test_a_name_that_a_spreadsheet_would_compute_is_text() -> None:
    played = PlayedEvent(4)
    played.change(PlayerChanged(replace(played.event.player(1), name="=1+1")))
    assert "'=1+1" in standings_csv(played.event)
