"""The portable box file: what is written is read, and what is damaged is named."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.box_file import SCHEMA, EnrolledBox, read_box, write_box
from companion.core.errors import DataError


def box() -> EnrolledBox:
    rng = np.random.default_rng(1)
    pictures = [rng.integers(0, 255, (24, 24, 3), dtype=np.uint8) for _ in range(3)]
    return EnrolledBox("envyra", "# Krabička č. 1\n", {"flora-1-a": pictures[:2], "koniec": pictures[2:]})


def test_a_box_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_box(tmp_path / "box.zip", box())
    again = read_box(tmp_path / "box.zip")
    assert (again.game, again.catalogue) == ("envyra", box().catalogue)
    assert {face: len(p) for face, p in again.references.items()} == {"flora-1-a": 2, "koniec": 1}
    for face, pictures in box().references.items():
        for one, other in zip(pictures, again.references[face], strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_box_says_whether_the_companion_cut_its_pictures(tmp_path: Path) -> None:
    write_box(tmp_path / "scanned.zip", box())
    write_box(tmp_path / "cut.zip", replace(box(), cut_at_edges=True))
    assert read_box(tmp_path / "scanned.zip").loose is None  # older files, too: it is measured
    assert read_box(tmp_path / "cut.zip").loose is False


def test_the_same_box_gives_the_same_bytes(tmp_path: Path) -> None:
    write_box(tmp_path / "a.zip", box())
    write_box(tmp_path / "b.zip", box())
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


@pytest.mark.parametrize("name", ["../evil", "a/b", ".hidden", ""])
def test_a_name_that_would_leave_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    with pytest.raises(DataError, match="expected letters"):
        write_box(tmp_path / "box.zip", EnrolledBox("envyra", "", {name: [picture]}))


def test_every_missing_or_damaged_member_is_named(tmp_path: Path) -> None:
    write_box(tmp_path / "good.zip", box())
    with zipfile.ZipFile(tmp_path / "good.zip") as good, zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad:
        for name in good.namelist():
            if name == "reference/koniec.1.png":
                bad.writestr(name, b"not a picture")
            elif name != "catalogue.toml":
                bad.writestr(name, good.read(name))
    with pytest.raises(DataError, match=r"(?s)catalogue\.toml.*koniec\.1\.png"):
        read_box(tmp_path / "bad.zip")


@pytest.mark.parametrize("index", ["[]", '{"schema": 0, "game": "x", "faces": {"a": ["b"]}}', '{"faces": {}}', "{"])
def test_an_index_of_another_form_is_refused(tmp_path: Path, index: str) -> None:
    with zipfile.ZipFile(tmp_path / "box.zip", "w") as archive:
        archive.writestr("box.json", index)
    with pytest.raises(DataError, match=r"box\.json"):
        read_box(tmp_path / "box.zip")


def test_a_file_of_a_newer_schema_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "box.zip", "w") as archive:
        archive.writestr("box.json", json.dumps({"schema": SCHEMA + 1, "all": "else may be otherwise"}))
    with pytest.raises(DataError, match=f"of schema {SCHEMA} at most, got schema {SCHEMA + 1}"):
        read_box(tmp_path / "box.zip")


def test_a_file_that_is_no_zip_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "box.zip").write_text(json.dumps({}))
    with pytest.raises(DataError, match=r"box\.zip"):
        read_box(tmp_path / "box.zip")


def test_the_colours_of_a_box_are_numbers(tmp_path: Path) -> None:
    text = json.dumps({"colours": {"pink": {"linear_bgr": [0.2, 0.1, 0.6]}}, "overexposed": [], "pairs": []})
    write_box(tmp_path / "box.zip", replace(box(), colours=text))
    learnt = read_box(tmp_path / "box.zip").piece_colours()
    assert learnt is not None
    assert learnt.names == ("pink",)
    # IEC 61966-2-1: linear 0.2 is 123.5 of 255
    assert learnt.bgr[0][0] == pytest.approx(123.5, abs=0.5)
    assert box().piece_colours() is None


@pytest.mark.parametrize(("value", "match"), [
    ('"/etc/passwd"', "pink: expected linear_bgr"),
    ('{"picture": "secret.png", "boxes": [[0, 0, 9, 9]]}', "pink: expected linear_bgr"),
    ('{"linear_bgr": [0.1, NaN, 0.3]}', "pink: expected three numbers from 0 to 1"),
    ('{"linear_bgr": [0.1, 7, 0.3]}', "pink: expected three numbers from 0 to 1"),
    (f'{{"linear_bgr": [{"9" * 400}, 0, 0]}}', "pink: int too large"),
    ("[1", "cannot be read"),
    (f'{{}}, {", ".join(f"{chr(34)}c{n}{chr(34)}: 1" for n in range(40))}', "expected 1 to 32"),
])
def test_colours_of_a_shared_box_that_are_no_numbers_are_refused(tmp_path: Path, value: str, match: str) -> None:
    write_box(tmp_path / "box.zip", replace(box(), colours=f'{{"colours": {{"pink": {value}}}}}'))
    with pytest.raises(DataError, match=match):
        read_box(tmp_path / "box.zip")
