"""Where print is as bright as a picture goes a piece as bright shows nowhere, and nobody is sure that none is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from three_spaces import SPACES, scans, standing

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PlacedFace
from vision.pieces.finder import FoundPiece
from vision.tables.maps.standing.burnt_out import not_shown
from vision.tables.maps.standing.space_search import OnSpace

COLOURS = PieceColours(("white", "blue"), ((240.0, 240.0, 240.0), (180.0, 60.0, 30.0)))
NOON = PictureLight((6.0, 6.0, 6.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0)


def canvas(print_level: float, burnt_share: float, light: PictureLight = NOON) -> Canvas:
    """A face of 100 x 100 px of which a share is as bright as can be, the rest so bright."""
    bare = np.full((100, 100, 3), print_level, np.float32)
    bare[: round(100 * burnt_share)] = 254.0
    face = PlacedFace(np.zeros(2), 0.0, 40.0, next(iter(scans().values())))
    window = Window.around(np.array([[-20.0, -20.0], [20.0, 20.0]]), 1.0)
    return Canvas(window, bare, bare, np.zeros_like(bare), np.zeros((100, 100), np.int16), light, (1.0,), (face,))


@pytest.mark.parametrize(
    ("level", "share", "names"),
    [(245.0, 0.1, ("white",)), (120.0, 0.6, ("white",)), (120.0, 0.2, ()), (215.0, 0.2, ())],
)
def test_a_piece_as_bright_as_most_of_the_print_does_not_show(level: float, share: float, names: object) -> None:
    assert not_shown(canvas(level, share), COLOURS) == names


def test_in_a_light_in_which_no_piece_is_burnt_out_all_show() -> None:
    assert not_shown(canvas(250.0, 1.0, replace(NOON, gain=(0.5, 0.5, 0.5))), COLOURS) == ()


@pytest.mark.parametrize(("found", "doubted"), [([], (("white", 0.5),)), (["white"], ())])
def test_a_count_of_what_would_not_show_is_asked_about_unless_it_is_seen(found: list[str], doubted: object) -> None:
    on_spaces = standing(colours=COLOURS, tokens=()).on_spaces
    pieces = [FoundPiece(name, (0.0, 0.0), 0.0, 200.0, 200.0) for name in found]
    space = OnSpace(pieces, {}, 0.0, 0.9, (), 2.0, not_shown=("white",))
    on_spaces.search.in_best_light = lambda *_: space  # type: ignore[method-assign]
    (count,) = on_spaces.read(None, SPACES, NOON, ["east"]).values()  # type: ignore[arg-type]
    assert count.doubted == doubted
