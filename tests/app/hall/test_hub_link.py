"""What a table says of an address at which no hub answers."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from companion.app.hall.hub_link import HubLink, HubLinkError


class Other(BaseHTTPRequestHandler):
    """Some other program's server."""

    def do_POST(self) -> None:
        """Nothing is here."""
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


def test_an_address_of_another_program_is_told_as_such() -> None:
    with HTTPServer(("127.0.0.1", 0), Other) as other:
        answering = threading.Thread(target=other.handle_request)
        answering.start()
        with pytest.raises(HubLinkError, match="no hub of a hall") as caught:
            HubLink(f"http://127.0.0.1:{other.server_port}").post("/api/table/join", {})
        answering.join()
    assert "organiser's page" in caught.value.remedy
