"""`companion identify`: which pictures are learnt and which share a light."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from drawn_faces import drawn_tiles

from companion.app.commands.eyes.identify import TOGETHER, identify, photographs, reference_files
from companion.core.errors import DataError


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["t-1.png", "t-2.png", "u-1.png"], [2, 1]),
        (["t__r1c2.png", "t__r1c3.png", "t__x.png"], [3]),
        (["cube_003_7.png", "cube_003_8.png", "cube_004_1.png"], [2, 1]),
        (["IMG12.png", "IMG13.png", "other.png"], [2, 1]),
        (["one.png", "two.png"], [1, 1]),
        (["a/t-1.png", "b/t-2.png"], [1, 1]),
        ([f"t-{n}.png" for n in range(TOGETHER + 2)], [TOGETHER, 2]),
    ],
)
def test_names_tell_which_crops_come_from_one_photograph(names: list[str], groups: list[int]) -> None:
    found = photographs([Path(n) for n in names], None)
    assert [len(g) for g in found] == groups
    assert [str(p) for g in found for p in g] == names


def test_the_light_may_be_said_to_be_shared_or_not() -> None:
    pictures = [Path("one.png"), Path("two.png")]
    assert photographs(pictures, same_light=True) == [tuple(pictures)]
    assert photographs([Path("t-1.png"), Path("t-2.png")], same_light=False) == [(Path("t-1.png"),), (Path("t-2.png"),)]


def written(folder: Path, count: int) -> dict[str, np.ndarray]:
    tiles = dict(list(drawn_tiles(2).items())[:count])
    folder.mkdir()
    for kind, picture in tiles.items():
        cv2.imwrite(str(folder / f"{kind}.png"), picture)
    return tiles


def test_a_folder_is_a_kind_with_several_pictures(tmp_path: Path) -> None:
    tiles = written(tmp_path / "refs", 4)
    first = next(iter(tiles))
    (tmp_path / "refs" / first).mkdir()
    for n in range(2):
        cv2.imwrite(str(tmp_path / "refs" / first / f"{n}.png"), tiles[first])
    found = reference_files(tmp_path / "refs")
    assert list(found) == sorted(tiles)
    assert len(found[first]) == 3
    crop = tmp_path / "crop.png"
    cv2.imwrite(str(crop), tiles[first])
    result = CliRunner().invoke(identify, ["--references", str(tmp_path / "refs"), str(crop)])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout.splitlines()[-1])["name"] == first


def test_a_file_that_is_no_picture_is_told_and_the_others_are_named(tmp_path: Path) -> None:
    tiles = written(tmp_path / "refs", 3)
    crops = [str(tmp_path / "refs" / f"{kind}.png") for kind in tiles]
    broken = tmp_path / "broken-1.jpg"
    broken.write_bytes(b"no picture")
    result = CliRunner().invoke(identify, ["--references", str(tmp_path / "refs"), crops[0], str(broken), *crops[1:]])
    assert [json.loads(line)["name"] for line in result.stdout.splitlines()] == list(tiles)
    assert isinstance(result.exception, DataError)
    assert str(broken) in str(result.exception)
    assert "The other pictures were named." in str(result.exception)


def test_references_that_cannot_be_used_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(DataError, match="found none"):
        reference_files(tmp_path / "none")
    tiles = written(tmp_path / "twice", 1)
    kind = next(iter(tiles))
    cv2.imwrite(str(tmp_path / "twice" / f"{kind}.bmp"), tiles[kind])
    with pytest.raises(DataError, match=kind):
        reference_files(tmp_path / "twice")
    (tmp_path / "twice" / "empty").mkdir()
    with pytest.raises(DataError, match="empty"):
        reference_files(tmp_path / "twice")
