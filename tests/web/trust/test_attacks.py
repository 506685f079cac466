"""What a page may name, and what it may not: ways back, catalogues, contributions, consents, box files."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from web_kit import NAMES, Caller, deal, fresh_key, hosting, make_app

from calibration import box_file
from calibration.box_file import read_box
from companion.app.dashboard.host import Host
from companion.core.errors import DataError
from companion.draws.bag import MOST_OF_A_SEAT


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosting(tmp_path) as host:
        yield host


@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/table", "/table"), ("/seat/A", "/seat/A"), ("/", "/"),
        ("/%09/evil.example", "/"), ("/%0a/evil.example", "/"), ("//evil.example", "/"), ("/%5cevil.example", "/"),
        ("https://evil.example", "/"), ("/%2f/evil.example", "/"), ("/..//evil.example", "/"), ("table", "/"),
        ("/table%0d%0aSet-Cookie:%20a=b", "/"), ("/nothing", "/"), ("/table?x=//evil.example", "/"), ("", "/"),
        ("/@evil.example", "/"), ("/table%00", "/"), ("/api/nothing", "/"),
    ],
)
def test_the_language_leads_back_to_a_page_of_ours_only(host: Host, back: str, leads: str) -> None:
    answer = make_app(host).test_client().get(f"/language/en?back={back}")
    assert answer.headers["Location"] == leads


@pytest.mark.parametrize("catalogue", ["/dev/zero", "/etc/passwd", "../sample", "nothing", "sample.toml", "~"])
def test_a_page_begins_with_an_offered_catalogue_only(host: Host, catalogue: str) -> None:
    referee = Caller(make_app(host), "referee")
    seats = [{"name": name, "colour": colour} for name, colour in NAMES[:2]]
    answer = referee.post("/api/begin", **{"as": "referee"}, game="envyra", seats=seats, catalogue=catalogue)
    assert answer.status_code == 409
    assert "root:" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("which", ["camera", "box", "tiles"])
@pytest.mark.parametrize("source", ["/dev/zero", "/etc/passwd", "rtsp://10.0.0.1/", "replay:/", "virtual:/x", "../x"])
def test_a_page_chooses_offered_devices_only(host: Host, which: str, source: str) -> None:
    referee = Caller(make_app(host), "referee")
    answer = referee.post("/api/setup/choose", **{"as": "referee"}, which=which, source=source)
    assert answer.status_code == 409


def test_a_seat_adds_to_the_bag_so_often_and_no_more(host: Host) -> None:
    app = make_app(host)
    referee, seat, other = Caller(app, "referee"), Caller(app, "A", host), Caller(app, "B", host)
    referee.post("/api/bag", **{"as": "referee"}, step="commit")
    add = {"as": "A", "step": "add", "seat": "A", "how": "phrase"}
    told = [seat.post("/api/bag", **add, value=f"a phrase {n}").status_code for n in range(MOST_OF_A_SEAT + 2)]
    assert told == [200] * MOST_OF_A_SEAT + [409] * 2
    assert other.post("/api/bag", **{**add, "as": "B", "seat": "B"}, value="mine").status_code == 200


def test_consents_that_the_referee_gives_for_others_are_named_so_in_the_record(host: Host) -> None:
    deal(host)
    app = make_app(host)
    referee = Caller(app, "referee")
    for letter in "AB":
        referee.play(f"{letter} confirm")
    undo = {"as": "referee", "to": 2, "expected": referee.state()["number"], "key": fresh_key()}
    assert referee.post("/api/undo", **undo, consents=["A", "B", "C"]).status_code == 200
    record = referee.get("/api/records?after=1").get_json()["records"][-1]
    assert record["body"]["noted"] == ["A", "B", "C"]
    assert "agreed according to the referee: Žofia, Ján and Mária" in record["sentence"]


def test_an_overruling_says_who_agreed_on_the_own_page_and_who_by_the_referee(host: Host) -> None:
    deal(host)
    app = make_app(host)
    referee, seat = Caller(app, "referee"), Caller(app, "A", host)
    propose = {"as": "referee", "expected": referee.state()["number"], "key": fresh_key(), "why": "as it lies"}
    assert referee.post("/api/overrule", **propose, slots=[]).status_code == 200
    assert seat.post("/api/overrule/agree", **{"as": "A"}).status_code == 200
    assert referee.post("/api/overrule/agree", **{"as": "referee"}, seats=["A", "B", "C"]).status_code == 200
    body = referee.get("/api/records?after=1").get_json()["records"][-1]["body"]
    assert (body["consents"], body["noted"]) == (["A", "B", "C"], ["B", "C"])


def box(path: Path, faces: dict[str, list[str]], side: int = 32, level: int = zipfile.ZIP_DEFLATED) -> Path:
    """A box file with the listing `faces`, every member a picture of side x side."""
    picture = cv2.imencode(".png", np.zeros((side, side, 3), np.uint8))[1].tobytes()
    with zipfile.ZipFile(path, "w", level) as archive:
        archive.writestr("box.json", json.dumps({"schema": 1, "game": "envyra", "faces": faces}))
        archive.writestr("catalogue.toml", "")
        for name in {name for names in faces.values() for name in names}:
            archive.writestr(name, picture)
    return path


def test_a_box_file_that_lists_a_picture_often_or_too_many_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="more than once"):
        read_box(box(tmp_path / "twice.zip", {"a": ["x.png"] * 4}))
    with pytest.raises(DataError, match="more than once"):
        read_box(box(tmp_path / "shared.zip", {f"f{n}": ["x.png"] for n in range(2000)}))
    with pytest.raises(DataError, match="expected at most"):
        read_box(box(tmp_path / "many.zip", {f"f{n}": [f"{n}.png"] for n in range(box_file.MOST_FACES + 1)}))


def test_a_box_file_with_too_many_pixels_is_refused_before_they_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_file, "MOST_TOTAL_PX", 3 * 32 * 32)
    assert read_box(box(tmp_path / "three.zip", {f"f{n}": [f"{n}.png"] for n in range(3)})).references
    with pytest.raises(DataError, match="megapixels"):
        read_box(box(tmp_path / "four.zip", {f"f{n}": [f"{n}.png"] for n in range(4)}))


@pytest.mark.parametrize("index", [b"[" * 100_000, b"{}", b"\xff", b'{"schema": 1, "game": 1, "faces": {}}', b"null"])
def test_a_box_file_with_a_broken_index_is_refused(tmp_path: Path, index: bytes) -> None:
    with zipfile.ZipFile(tmp_path / "broken.zip", "w") as archive:
        archive.writestr("box.json", index)
    with pytest.raises(DataError):
        read_box(tmp_path / "broken.zip")


def test_a_box_file_with_any_byte_changed_is_read_or_refused(tmp_path: Path) -> None:
    whole = box(tmp_path / "whole.zip", {"a": ["a.png"], "b": ["b.png"]}).read_bytes()
    for place in range(0, len(whole), 5):
        (tmp_path / "changed.zip").write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            read_box(tmp_path / "changed.zip")
        except DataError:
            continue
