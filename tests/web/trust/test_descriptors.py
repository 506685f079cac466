"""Out of descriptors: one warning, the open pages live on, and new ones come in when there are descriptors again."""

from __future__ import annotations

import errno
import http.client
import logging
import socket
from pathlib import Path
from typing import Any

import pytest
from browser_kit import served

from companion.app.dashboard.server.listening import Listener
from companion.app.dashboard.server.serve import NO_DESCRIPTORS

FAILURES = 2
"""Each is tried again after a second (asyncio's own delay)."""
ANSWER_S = 120.0


def test_without_descriptors_there_is_one_warning_and_open_pages_live_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    accept, failed = Listener.accept, []

    def without_descriptors(listener: Listener) -> Any:
        if len(failed) < FAILURES:
            failed.append(1)
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listener)

    with served(tmp_path) as (_, where), caplog.at_level(logging.WARNING, "companion.web"):
        kept = http.client.HTTPConnection("127.0.0.1", where.port, timeout=ANSWER_S)
        kept.request("GET", "/api/state")
        assert kept.getresponse().read()
        monkeypatch.setattr(Listener, "accept", without_descriptors)
        with socket.create_connection(("127.0.0.1", where.port), timeout=ANSWER_S) as new:
            new.sendall(b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            kept.request("GET", "/api/words")
            assert kept.getresponse().status == 200
            assert new.recv(12) == b"HTTP/1.1 200"
        kept.close()
    assert len(failed) == FAILURES
    assert [record.message for record in caplog.records if record.name == "companion.web"] == [NO_DESCRIPTORS]
