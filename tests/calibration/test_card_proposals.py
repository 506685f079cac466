"""What is proposed of cards of a made-up edition: sure of a picture that was confirmed, never of one that was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from calibration.face_print.face_view import RIM, SIDE, PrintView
from calibration.face_print.figures import glyph
from calibration.face_print.names import figure_likeness
from calibration.proposals.faces import Proposal
from calibration.proposals.learnt import PART_BOXES, PARTS
from calibration.proposals.read import FaceReader
from companion.games.spyrium import GAME
from companion.games.spyrium.edition.catalogue import DECK_SIZES
from companion.games.spyrium.edition.form import FORM
from companion.games.spyrium.edition.names import CARD_NAMES
from companion.lab.scenes.spyrium.made_up_cards import batches_of, made_up_cards, values_of

SEED = 7
CARD_PX = (125, 193)  # as a camera with 1080 lines shows a card between the markers
EDITION = made_up_cards(SEED)
CARDS = EDITION.catalogue.cards


@lru_cache(maxsize=1)
def views() -> dict[str, PrintView]:
    """Each kind of card as a camera shows it: small, soft, noisy, cut a pixel off; `again-` another picture of it."""
    rng = np.random.default_rng(SEED)
    return {f"{again}{card.id}": PrintView.of(photographed(EDITION.faces[card.id], rng))
            for again in ("", "again-") for card in CARDS}


def photographed(scan: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    small = cv2.resize(scan, CARD_PX, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.9).astype(np.float64)
    corners = np.array([[0, 0], [CARD_PX[0], 0], CARD_PX, [0, CARD_PX[1]]], np.float32)
    askew = (corners + rng.normal(0, 0.8, corners.shape)).astype(np.float32)
    cut = cv2.warpPerspective(
        soft, cv2.getPerspectiveTransform(corners, askew), CARD_PX, borderMode=cv2.BORDER_REPLICATE
    )
    return np.clip(0.9 * cut + rng.normal(0, 3, cut.shape), 0, 255).astype(np.uint8)


def read(confirmed: Sequence[str], fresh: Sequence[str]) -> list[dict[str, Proposal]]:
    """What is proposed of `fresh`, of which the pile is told, by the `confirmed`."""
    assert GAME.form is not None
    known = [(views()[face], values_of(EDITION, face)) for face in confirmed]
    new = [(views()[face], {"period": values_of(EDITION, face.removeprefix("again-"))["period"]}) for face in fresh]
    reader = FaceReader(GAME.form)
    reader.propose([*known, *new])  # finds where figures stand
    return reader.propose([*known, *new])[len(known):]


def test_a_made_up_edition_holds_to_the_counts_and_is_laid_out_pile_by_pile() -> None:
    assert EDITION.catalogue.piece_counts == {"buildings": 35, "characters": 17, "techniques": 7}  # S1
    batches = batches_of(EDITION)
    assert [len(batch) for batch in batches] == [12, 12, 6, 12, 8, 9, 7]
    piles = [{values_of(EDITION, face)["period"] for face in batch} for batch in batches]
    assert [pile for (pile,) in piles] == ["A", "A", "A", "B", "B", "C", "event"]
    assert sum(DECK_SIZES.values()) + 7 == sum(map(len, batches))


NAMED = (
    "mine-left",
    "mine-right",
    "banker",
    "crane",
    "palace",
    "adviser",
    "residence",
    "commerce",
    "geologist",
    "mansion",
)


def read_by_name(confirmed: dict[str, str], fresh: Sequence[str]) -> list[Proposal]:
    """What is proposed of the designs `fresh` where only NAMED cards are known; `confirmed`: design -> what a person
    said that it is."""
    names = (tuple(CARD_NAMES[name] for name in NAMED),)
    design = replace(FORM.field("design"), values=NAMED, names=names, figures=(), only=None)
    first = {card.design_name: views()[card.id] for card in reversed(CARDS)}
    faces = [
        *((first[name], {"design": said}) for name, said in confirmed.items()),
        *((first[name], {}) for name in fresh),
    ]
    return [one["design"] for one in FaceReader(replace(FORM, fields=(design,))).propose(faces)[len(confirmed) :]]


def test_a_card_seen_again_is_known_and_one_never_seen_is_known_by_a_name_that_no_other_has() -> None:
    known = {name: name for name in ("banker", "crane", "palace", "commerce", "mine-left")}
    said = read_by_name(known, ["mansion", "residence", "mine-right"])
    assert [one.value for one in said] == ["mansion", "residence", "mine-right"]
    assert [one.sure for one in said] == [True, True, False], "of two cards with one name it is asked which"


def test_before_names_are_confirmed_or_when_one_is_not_what_it_says_all_are_asked() -> None:
    right = {name: name for name in ("banker", "crane", "palace")}
    assert not any(one.sure for one in read_by_name(right, ["mansion", "residence"]))
    other = right | {"commerce": "commerce", "geologist": "geologist", "adviser": "mine-left"}
    assert not any(one.sure for one in read_by_name(other, ["mansion", "residence"]))


def test_of_two_cards_with_one_name_the_figures_tell_the_likelier() -> None:
    first = {card.design_name: card.id for card in reversed(CARDS)}
    lower = (0, 0, SIDE, SIDE // 2), (0, 7 * SIDE // 8, SIDE, SIDE)
    like = {
        name: [figure_likeness(views()[first[name]], figure, lower) for figure in "47"]
        for name in ("laboratory-left", "laboratory-right")
    }  # S82: 4 and 7 points
    assert like["laboratory-left"][0] > like["laboratory-left"][1]
    assert like["laboratory-right"][1] > like["laboratory-right"][0]


def test_the_edge_at_which_a_cut_shows_the_table_is_not_compared() -> None:
    edge_px = RIM * SIDE - 1
    assert all(min(box) >= edge_px and max(box) <= SIDE - edge_px for box in PART_BOXES)
    assert len(PART_BOXES) == PARTS**2


def test_a_card_with_another_price_is_the_same_card() -> None:
    dearer = next((a, b) for a in CARDS for b in CARDS if a.design_name == b.design_name and a.price < b.price < 10)
    others = [card.id for card in CARDS if card.design_name != dearer[0].design_name][:5]
    design = read([dearer[0].id, *others], [dearer[1].id])[0]["design"]
    assert (design.value, design.sure) == (dearer[0].design_name, True)


def test_what_the_rules_say_of_a_card_is_not_asked_and_its_pile_always() -> None:
    palace = next(card.id for card in CARDS if card.design_name == "palace")
    assert GAME.form is not None
    fields = FaceReader(GAME.form).propose([(views()[palace], {"period": "A", "design": "palace"})])[0]
    assert (fields["points"].value, fields["points"].sure) == ("12", True)  # S2
    first, second = CARDS[:2]
    told = (views()[first.id], values_of(EDITION, first.id))
    pile = FaceReader(GAME.form).propose([told, (views()[second.id], {})])[1]["period"]
    assert (pile.value, pile.sure) == (first.period, False)


def test_the_first_figure_of_a_longer_number_is_never_surely_the_number() -> None:
    """An 11 was surely read as 1 while no 1 was confirmed."""
    price = replace(FORM.field("price"), only=None, ruled=None)
    reader = FaceReader(replace(FORM, fields=(price,)))

    def face(number: str, at: int) -> PrintView:
        picture = np.full((SIDE, SIDE, 3), (90, 120 + at, 150), np.uint8)
        for k, figure in enumerate(number):
            drawn = glyph(figure, ("sans", 700), 15)
            height, width = drawn.shape
            picture[20 : 20 + height, 20 + k * 9 : 20 + k * 9 + width] = np.minimum(
                picture[20 : 20 + height, 20 + k * 9 : 20 + k * 9 + width], drawn[..., None].astype(np.uint8))
        return PrintView.of(picture)

    known = [(face(number, k), {"price": number}) for k, number in enumerate("2534275342")]
    read = reader.propose([*known, (face("11", 20), {}), (face("5", 21), {})])[-2:]
    assert not read[0]["price"].sure
    assert (read[1]["price"].value, read[1]["price"].sure) == ("5", True)
