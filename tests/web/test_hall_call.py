"""The button by which a table of a hall calls one of the hall's referees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from web_kit import Caller, hosting, make_app

from companion.app.hall.hub_link import HubLinkError
from companion.app.hall.join_file import Joined
from companion.app.hall.referee_call import RefereeCall


class DeadLink:
    """A link that is down."""

    def post(self, path: str, body: Any, key: str = "") -> Any:  # noqa: ARG002 - the link's own form
        raise HubLinkError(f"{path} cannot be reached")

    def close(self) -> None:
        pass


def test_a_seat_calls_by_its_name_and_may_take_it_back_and_a_spectator_may_not(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        host.deliver(None, RefereeCall(Joined("http://hub", 1, "7", "k", "", 0), DeadLink()))
        app = make_app(host)
        seat, spectator = Caller(app, "A", host), Caller(app)
        assert spectator.post("/api/hall/call", **{"as": "A", "do": "call"}).status_code == 401
        told = seat.post("/api/hall/call", **{"as": "A"}, do="call").get_json()
        assert told["call"] == {"who": "Žofia", "sent": False, "person": ""}
        assert spectator.get("/api/devices").get_json()["hall"]["call"]["who"] == "Žofia"
        assert seat.post("/api/hall/call", **{"as": "A"}, do="withdraw").get_json()["call"] is None
        told = Caller(app, "referee", host).post("/api/hall/call", **{"as": "referee"}, do="call").get_json()
        assert told["call"]["who"] == ""


def test_a_table_of_no_hall_calls_nobody(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        seat = Caller(make_app(host), "A", host)
        assert seat.post("/api/hall/call", **{"as": "A"}, do="call").status_code == 409
        assert seat.get("/api/devices").get_json()["hall"] is None
