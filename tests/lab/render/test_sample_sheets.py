"""The printable sample edition: every piece on the sheets, true to size, and said to be invented."""

from __future__ import annotations

import re
import zlib

import pytest
from click.testing import CliRunner

from calibration.rifts_edition.art import draw_space, tile_size_mm
from calibration.sample_edition.art import draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.sheets import CARD_MM, NOTICE, TILE_MM, Paper
from calibration.sample_edition.style import sample_style
from calibration.spyrium_edition.art import edition_faces
from companion.app.commands.game.sample import sample
from companion.games.rifts.edition.catalogue import load_catalogue as load_rifts
from companion.games.spyrium.edition.catalogue import load_catalogue as load_spyrium
from companion.games.spyrium.edition.form import CARD_MM as SPYRIUM_CARD_MM

POINTS_PER_MM = 72 / 25.4


def page_texts(pdf: bytes) -> list[str]:
    """The drawing commands of every page, from the PDF's compressed streams."""
    pages = []
    for stream in re.findall(rb"stream\r?\n(.*?)\nendstream", pdf, re.S):
        try:
            content = zlib.decompress(stream).decode("latin-1")
        except zlib.error:
            continue
        if " Tf" in content:
            pages.append(content)
    return pages


@pytest.fixture(scope="module", params=list(Paper), ids=lambda paper: paper.name)
def sheets(request, tmp_path_factory):
    """A paper, and the PDF that the command prints on it."""
    out = tmp_path_factory.mktemp("sheets") / "sheets.pdf"
    result = CliRunner().invoke(sample, ["print", "--paper", request.param.name.lower(), "--out", str(out)])
    assert result.exit_code == 0
    assert "invented" in result.output
    return request.param, out.read_bytes()


def test_every_piece_is_printed_true_to_size(sheets):
    _, pdf = sheets
    assert pdf.startswith(b"%PDF")
    sizes = sizes_placed(pdf)
    assert sizes.count((TILE_MM, TILE_MM)) == len(sample_tiles()) + 1  # the tiles and the corner card
    assert sizes.count(CARD_MM) == 9  # E4


def sizes_placed(pdf: bytes) -> list[tuple[float, float]]:
    placed = re.findall(r"q\s([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm\s/I\d+ Do", "\n".join(page_texts(pdf)))
    return [(round(float(w) / POINTS_PER_MM, 1), round(float(h) / POINTS_PER_MM, 1)) for w, h in placed]


def test_pages_have_the_size_of_the_paper(sheets):
    paper, pdf = sheets
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert boxes
    for width, height in boxes:
        assert (float(width) / POINTS_PER_MM, float(height) / POINTS_PER_MM) == pytest.approx(paper.value, abs=0.1)


def test_every_page_says_that_the_values_are_invented(sheets):
    _, pdf = sheets
    pages = page_texts(pdf)
    assert pages
    assert all(NOTICE in page for page in pages)


def test_faces_differ_exactly_where_the_catalogue_does():
    style = sample_style()
    looks: dict[bytes, set[tuple[object, ...]]] = {}
    for tile in sample_tiles():
        facts = (tile.theme, tile.symbol, tile.vp, tile.cubes, tile.requires, tile.start, tile.min34)
        looks.setdefault(draw_tile(tile, style, 110).tobytes(), set()).add(facts)
    assert all(len(facts) == 1 for facts in looks.values())
    assert len(looks) == len({facts for group in looks.values() for facts in group})


def test_spyrium_cards_are_printed_true_to_size_in_the_copies_of_a_box(tmp_path):
    out = tmp_path / "cards.pdf"
    result = CliRunner().invoke(sample, ["print", "--game", "spyrium", "--out", str(out)])
    assert result.exit_code == 0
    pdf = out.read_bytes()
    assert sizes_placed(pdf) == [SPYRIUM_CARD_MM] * (59 + 7)  # S1, S2: 59 cards; S60-S66: seven events
    assert all(NOTICE in page for page in page_texts(pdf))


def test_spyrium_cards_differ_exactly_where_the_catalogue_does():
    catalogue = load_spyrium("sample")
    faces = edition_faces(catalogue, 3.0)
    by_picture: dict[bytes, set[tuple[object, ...]]] = {}
    for card in catalogue.cards:
        by_picture.setdefault(faces[card.id].tobytes(), set()).add(card.look)
    assert all(len(looks) == 1 for looks in by_picture.values())
    assert len(by_picture) == len({card.look for card in catalogue.cards})
    assert len({picture.tobytes() for picture in faces.values()}) == len(by_picture) + 7


def test_location_tiles_are_printed_true_to_size_once_each(tmp_path):
    out = tmp_path / "tiles.pdf"
    result = CliRunner().invoke(sample, ["print", "--game", "rifts", "--out", str(out)])
    assert result.exit_code == 0
    pdf = out.read_bytes()
    catalogue = load_rifts("sample")
    wanted = sorted(tuple(round(s, 1) for s in tile_size_mm(t)) for t in (catalogue.start, *catalogue.tiles))
    assert sorted(sizes_placed(pdf)) == wanted
    assert all(NOTICE in page for page in page_texts(pdf))


def test_no_two_location_tiles_look_the_same():
    catalogue = load_rifts("sample")
    looks = {tuple(draw_space(t, k, 2.0).tobytes() for k in range(len(t.spaces))) for t in catalogue.tiles}
    assert len(looks) == len({t.look for t in catalogue.tiles})
