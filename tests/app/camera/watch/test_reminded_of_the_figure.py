"""The reminder of the starting figure: open when it has a new holder, closed when the game is over."""

from __future__ import annotations

from pathlib import Path

from web_kit import hosting, play_on

from companion.app.camera.watch.reminders import Reminders
from companion.table.tracking.appearance import board_look
from companion.table.tracking.overdue import TEXTS, Duty, Pending
from web.roles.access import Client, Role
from web.speaker import Speaker
from web.views import update_json


def test_nobody_is_reminded_of_the_figure_once_the_game_is_over(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        table = host.table
        assert table is not None
        session, reminders = table.session, Reminders(table.spec, table.session)
        play_on(host, 0)
        first = session.rules.view(session.state, None)["first"]
        reminders.settled(board_look(session.rules, session.state), 0, moved=True, silent=False)
        while session.rules.view(session.state, None)["first"] == first:
            play_on(host, 1)
        reminders.settled(board_look(session.rules, session.state), 10, moved=True, silent=False)
        assert Pending(Duty.FIGURE).name in reminders.alerts.shown
        play_on(host, 2000)
        assert session.rules.result(session.state) is not None
        reminders.settled(board_look(session.rules, session.state), 20, moved=True, silent=False)
        assert Pending(Duty.FIGURE).name not in reminders.alerts.shown


def test_what_nobody_saw_done_is_not_called_done_and_the_record_says_what_ended(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        table = host.table
        assert table is not None
        session, reminders, speaker = table.session, Reminders(table.spec, table.session), Speaker(table, "en")
        heard = session.subscribe()
        reminders.alerts.open(Pending(Duty.FIGURE).name, TEXTS[Duty.FIGURE], facts={"players": ["Ján"]}, slots=[])
        reminders.settled(board_look(session.rules, session.state), 0, moved=True, silent=True)
        reminders.alerts.open(Pending(Duty.LIFT).name, TEXTS[Duty.LIFT], facts={"places": ["r1c1"]}, slots=["r1c1"])
        reminders.settled(board_look(session.rules, session.state), 10, moved=True, silent=False)
        updates = [heard.get(1.0) for _ in range(4)]
        told = [update_json(table, one, Client(Role.SPECTATOR), speaker)["sentence"] for one in updates if one]
        assert told[1] == f"{told[0]} The reminder ends."
        assert told[3] == f"{told[2]} This is done."
