"""The doctor names what is wrong and what mends it, and its report holds no secret."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from run_companion import Companion

import companion.app
from companion.app.machine.checks import MachineFacts, Severity, machine_lines, without_passwords

NOW = datetime.datetime(2026, 3, 14, 18, 0, tzinfo=datetime.UTC)
YEAR = datetime.timedelta(days=365)
SOUND = MachineFacts(lambda _path: 10**10, NOW, "192.168.1.7", NOW + YEAR, lambda name: f"/usr/bin/{name}",
                     lambda _path: True)
FILM = Path(companion.app.__file__).parent / "demo" / "film" / "game"
TROUBLES = [
    ("disk", {"free_bytes": lambda _path: 10**6}, Severity.TROUBLE, "data_dir"),
    ("disk", {"writable": lambda _path: False}, Severity.TROUBLE, "rights"),
    ("clock", {"now": datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)}, Severity.TROUBLE, "timedatectl"),
    ("network", {"lan_address": "127.0.0.1"}, Severity.ADVICE, "network"),
    ("https", {"certificate_ends": NOW - YEAR}, Severity.ADVICE, "Start the dashboard"),
    ("browser", {"program": lambda _name: None}, Severity.ADVICE, "phone"),
]


def test_sound_machine_has_nothing_to_mend(tmp_path: Path) -> None:
    assert {(line.verdict, line.remedy) for line in machine_lines(SOUND, tmp_path)} == {(Severity.GOOD, "")}


@pytest.mark.parametrize(("what", "changed", "verdict", "remedy"), TROUBLES)
def test_each_trouble_is_told_alone_with_its_remedy(
    tmp_path: Path, what: str, changed: dict[str, object], verdict: Severity, remedy: str
) -> None:
    told = [x for x in machine_lines(replace(SOUND, **changed), tmp_path / "no" / "folder") if x.remedy]  # type: ignore[arg-type]
    assert [(line.what, line.verdict) for line in told] == [(what, verdict)]
    assert remedy in told[0].remedy


def test_passwords_and_the_home_are_left_out() -> None:
    text = without_passwords("rtsp://me:secret@cam/1 in /home/jan/data, http://host/a@b", Path("/home/jan"))
    assert text == "rtsp://…@cam/1 in ~/data, http://host/a@b"


def test_report_holds_pictures_findings_and_no_secret(tmp_path: Path) -> None:
    run = Companion(tmp_path / "data", COMPANION_STORE="postgresql://me:secret@host/db")
    (tmp_path / "data" / "web").mkdir()
    (tmp_path / "data" / "web" / "access.json").write_text('{"key": "abcdef", "pin": "987654"}', encoding="utf-8")
    done = run("doctor", "--camera", str(FILM), "--report", str(tmp_path / "report.json"))
    assert "camera: pictures of 1280 x 720" in done.out
    assert "markers: " in done.out
    text = (tmp_path / "report.json").read_text(encoding="utf-8")
    assert {"camera", "markers", "light", "disk", "browser"} <= {row["what"] for row in json.loads(text)["lines"]}
    assert not [word for word in ("secret", "987654", "abcdef", str(tmp_path / "data")) if word in text]


def test_camera_that_is_not_there_is_trouble(tmp_path: Path) -> None:
    done = Companion(tmp_path / "data")("doctor", "--camera", "/dev/video-none")
    assert done.code == 5
    assert "trouble camera: " in done.out


def test_box_that_is_not_there_is_trouble_with_its_remedy(tmp_path: Path) -> None:
    done = Companion(tmp_path / "data")("doctor", "--box", "/dev/tty-none", "--json")
    assert done.code == 5
    rows = [row for row in json.loads(done.out)["lines"] if row["what"] == "box"]
    assert [row["verdict"] for row in rows] == ["trouble"]
    assert "/dev/tty-none" in rows[0]["text"]
