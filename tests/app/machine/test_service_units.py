"""The units of the companion: what they say, that systemd takes them, and what is run to start and end them."""

from __future__ import annotations

import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from run_companion import Companion

from companion.app.machine import service_units
from companion.app.machine.service_units import ServicePlan, command_line, kiosk_unit, service_unit, user_unit
from companion.core.errors import DataError

DOCS = Path(__file__).parents[3] / "docs"
PLAN = ServicePlan(Path("/bin/true"), ("--camera", "rtsp://u:p%40x@cam/$1"), 8000)
WORDS = [  # a word, and how it stands in a unit
    ("auto", '"auto"'),
    ("two words", '"two words"'),
    ("100%", '"100%%"'),
    ("$HOME", '"$$HOME"'),
    ('say "no"', '"say \\"no\\""'),
    ("back\\slash", '"back\\\\slash"'),
]


@pytest.mark.parametrize(("word", "written"), WORDS)
def test_words_of_a_command_line_are_escaped(word: str, written: str) -> None:
    assert command_line([word]) == written


def test_a_line_break_cannot_begin_another_setting() -> None:
    with pytest.raises(DataError, match="one line"):
        command_line(["0\nUser=root"])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize(("name", "text", "scope"), [
    ("tabletop-companion.service", service_unit(PLAN), "--system"),
    ("tabletop-companion.service", user_unit(PLAN), "--user"),
])
def test_systemd_finds_nothing_wrong(tmp_path: Path, name: str, text: str, scope: str) -> None:
    unit = tmp_path / name
    unit.write_text(text, encoding="utf-8")
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path), "SYSTEMD_LOG_LEVEL": "warning"}
    done = subprocess.run(
        ["systemd-analyze", scope, "verify", "--man=no", str(unit)], capture_output=True, text=True, env=environment
    )
    # Other units of the machine may have troubles of their own.
    assert [line for line in done.stderr.splitlines() if "tabletop-companion" in line] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_screen_but_for_programs_that_are_not_here(tmp_path: Path) -> None:
    for name, text in (("tabletop-companion.service", service_unit(PLAN)), ("kiosk.service", kiosk_unit(PLAN))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "kiosk.service")], capture_output=True, text=True
    )
    told = [line for line in done.stderr.splitlines() if "kiosk.service" in line]
    assert [line for line in told if "/usr/bin/cage is not executable" not in line
            and "Command" not in line] == []


def test_an_unknown_setting_would_be_found(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    unit = tmp_path / "tabletop-companion.service"
    unit.write_text(service_unit(PLAN).replace("PrivateTmp=yes", "PrivateTemp=yes"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert "PrivateTemp" in done.stderr


def folders(text: str) -> tuple[str, str]:
    """The folder that is given to the program, and the data folder, in a unit or the container's file."""
    own = re.search(r"(?:StateDirectory=|STATE_DIRECTORY=/)(\S+)", text)
    data = re.search(r"COMPANION_DATA_DIR=(\S+)", text)
    assert own is not None
    assert data is not None
    return own[1], data[1]


@pytest.mark.parametrize("text", [service_unit(PLAN), (DOCS / "install" / "Containerfile").read_text(encoding="utf-8")])
def test_data_folder_lies_in_the_programs_own_so_that_a_restore_can_write_beside_it(text: str) -> None:
    own, data = folders(text)
    assert Path(data).parent.name == Path(own).name


@pytest.fixture
def machine(tmp_path: Path) -> Companion:
    """A companion on a machine whose systemctl writes down what it is told."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("systemctl", "systemd-sysusers"):
        program = bin_folder / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/told\n', encoding="utf-8")
        program.chmod(0o755)
    return Companion(
        tmp_path / "data", PATH=f"{bin_folder}:{os.environ['PATH']}", XDG_CONFIG_HOME=str(tmp_path / "config")
    )


def test_user_service_is_written_started_and_removed(machine: Companion, tmp_path: Path) -> None:
    unit = tmp_path / "config" / "systemd" / "user" / "tabletop-companion.service"
    done = machine("install-service", "--user", "--box", "auto")
    assert (done.code, done.err) == (0, "")
    assert '"serve" "--port" "8000" "--https-port" "8443" "--box" "auto"' in unit.read_text(encoding="utf-8")
    assert machine("uninstall-service", "--user").code == 0
    assert not unit.exists()
    assert (tmp_path / "told").read_text(encoding="utf-8").splitlines() == [
        "systemctl --user daemon-reload",
        "systemctl --user enable tabletop-companion.service",
        "systemctl --user restart tabletop-companion.service",
        "systemctl --user disable --now tabletop-companion.service",
        "systemctl --user daemon-reload",
    ]
    assert "No service" in machine("uninstall-service", "--user").out


def test_image_gets_every_file_and_nothing_is_run(machine: Companion, tmp_path: Path) -> None:
    image = tmp_path / "image"
    assert machine("install-service", "--kiosk", "--into", str(image)).code == 0
    written = {str(path.relative_to(image)) for path in image.rglob("*") if path.is_file()}
    assert written == {
        "etc/sysusers.d/tabletop-companion.conf", "etc/tmpfiles.d/tabletop-companion.conf",
        "etc/systemd/system/tabletop-companion.service", "etc/systemd/system/tabletop-companion-kiosk.service",
        "etc/polkit-1/rules.d/60-tabletop-companion.rules",
    }
    assert machine("uninstall-service", "--into", str(image)).code == 0
    assert [path for path in image.rglob("*") if path.is_file()] == []
    assert not (tmp_path / "told").exists()


def test_print_changes_nothing(machine: Companion, tmp_path: Path) -> None:
    done = machine("install-service", "--print", "--kiosk")
    assert done.code == 0
    assert "ProtectSystem=strict" in done.out
    assert not (tmp_path / "told").exists()


def test_a_python_in_a_home_is_refused_since_the_unit_hides_homes(
    machine: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "home" / "versions" / "python3"
    python.parent.mkdir(parents=True)
    python.touch()
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment" / "python").symlink_to(python)
    (tmp_path / "environment" / "companion").touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "environment" / "python"))
    monkeypatch.setattr("companion.app.commands.machine.install_service.HOMES", (tmp_path / "home",))
    done = machine("install-service")
    assert done.code == 3
    assert str(python) in done.err
    assert not (tmp_path / "told").exists()


def test_systemctl_that_fails_is_told(machine: Companion, tmp_path: Path) -> None:
    (tmp_path / "bin" / "systemctl").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    done = machine("install-service", "--user")
    assert done.code == 1
    assert "systemctl --user daemon-reload failed" in done.err


def test_wait_ends_when_the_pages_answer(machine: Companion) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert machine("wait-for-pages", f"http://127.0.0.1:{server.server_port}/").code == 0


def test_wait_gives_up_with_the_place_to_look_at(machine: Companion) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        done = machine("wait-for-pages", f"http://127.0.0.1:{unused.getsockname()[1]}/", "--seconds", "1")
    assert done.code == 5
    assert "systemctl status" in done.err


def test_a_screen_is_refused_while_a_program_that_it_needs_is_missing(
    machine: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "compositor"
    here.touch(mode=0o755)
    monkeypatch.setattr("companion.app.commands.machine.install_service.HOMES", ())
    monkeypatch.setattr(service_units, "SCREEN", {str(here): "cage", str(tmp_path / "Xwayland"): "xwayland"})
    done = machine("install-service", "--kiosk")
    assert done.code == 3
    assert f"the screen needs {tmp_path / 'Xwayland'}" in done.err
    assert "sudo apt install xwayland" in done.err
    assert not (tmp_path / "told").exists()
