"""A port or an address that cannot be had ends the start, and what was opened for it is closed."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.app.dashboard.access_file import AccessFile
from companion.app.dashboard.server import serve
from companion.app.dashboard.server.listening import Callers, listen
from companion.core.errors import DataError, DeviceError


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield int(other.getsockname()[1])


@pytest.mark.parametrize("which", ["--port", "--https-port"])
def test_devices_are_closed_when_a_port_is_taken(
    which: str, taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "create_app", lambda *_: None)
    closed: list[str] = []
    host = SimpleNamespace(close=lambda: closed.append("host"))
    ports = {"--port": (taken, None), "--https-port": (0, taken)}[which]
    with (
        pytest.raises(DeviceError, match=which),
        serve.serving(host, tmp_path, bind="127.0.0.1", port=ports[0], https_port=ports[1]),  # type: ignore[arg-type]
    ):
        pass
    assert closed == ["host"]


def test_a_taken_port_is_answered_with_the_companion_that_may_run_already(taken: int) -> None:
    with pytest.raises(DeviceError) as caught:
        listen("127.0.0.1", taken, Callers(), where="--port")
    assert "runs already" in caught.value.remedy


def test_address_of_no_interface_is_not_called_a_port() -> None:
    with pytest.raises(DeviceError) as caught:
        listen("192.0.2.77", 0, Callers(), where="--port")
    assert caught.value.where == "--bind"
    assert "192.0.2.77" in caught.value.message


def test_folder_that_takes_no_key_is_not_answered_with_removing_it(tmp_path: Path) -> None:
    (tmp_path / "web").write_text("", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        AccessFile(tmp_path / "web")
    assert "Remove" not in caught.value.remedy
    assert "data_dir" in caught.value.remedy
