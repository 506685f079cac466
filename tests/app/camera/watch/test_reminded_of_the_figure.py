"""The reminder of the starting figure: open when it has a new holder, closed when the game is over."""

from __future__ import annotations

from pathlib import Path

from web_kit import hosting, play_on

from companion.app.camera.watch.reminders import Reminders
from companion.table.tracking.appearance import board_look
from companion.table.tracking.overdue import Duty, Pending


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
