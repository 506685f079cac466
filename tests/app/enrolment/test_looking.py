"""The eyes of learning a box, on a rendered table: pieces are cut out as a flat scan would show them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET, scene

from companion.app.enrolment.looking import LooseEyes
from companion.core.errors import DataError
from companion.games.envyra.edition.form import FORM
from vision.locate.markers import MarkerLayout, find_markers
from vision.scenes.scene_set import SceneSet


def without_markers(image: np.ndarray, markers: MarkerLayout) -> np.ndarray:
    """The picture with every marker painted over as the table beside it is."""
    out = image.copy()
    for one in find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), markers):
        middle = one.corners_px.mean(0)
        around = middle + 1.6 * (one.corners_px - middle)
        beside = image[int(around[:, 1].min()) - 3, int(middle[0])]
        cv2.fillConvexPoly(out, np.round(around).astype(np.int32), beside.tolist())
    return out


@pytest.mark.parametrize("by", ["markers", "pieces"])
def test_cuts_have_the_colours_of_flat_scans_in_any_light(by: str) -> None:
    scenes, shown = SceneSet(SMALL_SET), scene("grid", "001")
    image = shown.image if by == "markers" else without_markers(shown.image, scenes.plan.markers)
    eyes = LooseEyes(lambda: image, lambda: scenes.plan.markers, lambda _: (None, None))
    found = eyes.found(FORM)
    assert found is not None
    assert found.loose.by == by
    scans = scenes.references()
    occupied = {(cube["row"], cube["col"]) for cube in shown.truth["cubes"]}
    cells = [c for c in shown.truth["cells"] if c["tile"] and (c["row"], c["col"]) not in occupied]
    middles = {c["tile"]: np.mean(c["corners_px"], axis=0) for c in cells}
    off, off_as_seen = [], []
    for piece, cut in zip((p for p, f in zip(found.loose.pieces, found.faults, strict=True) if f is None),
                          eyes.cut(FORM), strict=True):
        tile = min(middles, key=lambda name: float(np.linalg.norm(middles[name] - piece.corners_px.mean(0))))
        if np.linalg.norm(middles[tile] - piece.corners_px.mean(0)) > 5:
            continue
        assert found.loose.plane is not None
        seen = found.loose.plane.crop(image, piece.corners_mm, (256, 256), 0.0)
        whole = np.median(scans[tile][0], axis=(0, 1))
        off.append(np.abs(np.median(cut.picture, axis=(0, 1)) - whole).mean())
        off_as_seen.append(np.abs(np.median(seen, axis=(0, 1)) - whole).mean())
    assert len(off) >= 2
    assert np.mean(off) < 0.6 * np.mean(off_as_seen)


def test_a_dark_picture_is_called_dark_and_an_empty_table_empty() -> None:
    scenes, shown = SceneSet(SMALL_SET), scene("grid", "001")
    night = (0.12 * shown.image).astype(np.uint8)
    bare = np.full_like(shown.image, 120)
    cv2.circle(bare, (400, 300), 200, (235, 235, 235), -1)  # a plate
    said = {}
    for name, image in (("night", night), ("bare", bare)):
        eyes = LooseEyes(lambda image=image: image, lambda: scenes.plan.markers, lambda _: (None, None))
        said[name] = eyes.look(FORM)
        assert said[name].pieces == ()
        with pytest.raises(DataError, match="dark" if name == "night" else "found"):
            eyes.cut(FORM)
    assert said["night"].trouble == "The picture is too dark."
    assert said["bare"].trouble == "No tile or card is found."
