"""Reading crops with photographed references: those of one photograph together, under one light."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.book import FaceBook
from vision.faces.chance import OTHER_INK, PHOTOGRAPHED_FACES, FaceEvidence, probabilities
from vision.faces.photographed.album import Album
from vision.faces.photographed.anyhow import clear_of_others, island_share, print_told, softened_difference
from vision.faces.photographed.compare import Contest, CropExplained
from vision.faces.photographed.finding import FoundFaces, find, find_placed, quarters, unit
from vision.faces.photographed.framed import Framed, framed
from vision.faces.photographed.light import Light, unknown_light
from vision.faces.photographed.marks import marked
from vision.faces.photographed.one_colour import Hue, hues_behind
from vision.faces.photographed.tied import shared_lights
from vision.faces.placing.outline import goes_on
from vision.faces.placing.rectangle import cut_at, to_picture
from vision.faces.placing.turned import fills, shifted_out
from vision.faces.readings import FaceReading
from vision.median import median

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

LEAST_SEEN = 0.2  # a place at which less of a piece would be in the crop says nothing of it
SUPPORTED = 6  # pictures whose print is found in a crop that are compared
PLACES = 3  # of their places that are looked at
CLEARER = 10.0  # odds of the best reading by those of another from which the other is no rival
CONTRARY = 1.0  # nats by which another colour may be likelier in the photograph for a plain piece's own to be named
AS_LIKELY = 3.0  # nats by which another place of the same piece may be behind ...
MORE_SEEN = 0.1  # ... to be where it lies, when so much more of it would be in the crop
MOSTLY = 0.5  # share of what is seen of a searched piece that must be explained for its fields to lie a little off
WORST_SHARE = 90  # percentile of the differences that tells whether the piece is another


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop to read: `image` (h, w, 3) uint8 BGR, `margin` around the piece as a share of its side, quarter `turns` to
    try, `ignore` (h, w) bool pixels to leave out."""

    image: U8
    margin: float
    turns: tuple[int, ...]
    ignore: NDArray[np.bool_] | None = None


def read_together(
    book: FaceBook, album: Album, crops: Sequence[Crop], light: Light | None = None
) -> tuple[FaceReading, ...]:
    """What the crops of one photograph show; `light` when it is known, else they tell it each other.

    A piece whose outlines show inside of its crop is cut out first.
    """
    if not crops:
        return ()
    alike = album.without_cut()
    cut = [_cut(album, crop) if light is None else None for crop in crops]
    prepared = [
        (album, crop) if piece is None else (alike, replace(crop, image=piece.image, ignore=piece.ignore))
        for crop, piece in zip(crops, cut, strict=True)
    ]
    readings = _read(book, [one for one, _ in prepared], [crop for _, crop in prepared], light)
    return tuple(
        reading if piece is None else _uncut(book, album, crop, piece, reading)
        for crop, piece, reading in zip(crops, cut, readings, strict=True)
    )


def _uncut(book: FaceBook, album: Album, crop: Crop, piece: Framed, reading: FaceReading) -> FaceReading:
    """The `reading` of a piece that was cut out, in px of its crop; where it is not clear that the piece ends there, it
    is doubted unless the crop as it is shows the same."""
    placed = replace(reading, to_reference=reading.to_reference @ np.linalg.inv(piece.to_crop))
    if piece.clear or reading.face is None or _read(book, [album], [crop], None)[0].face == reading.face:
        return placed
    return doubted(placed)


def _cut(album: Album, crop: Crop) -> Framed | None:
    """The piece that is cut out of a crop; pieces that lay turned are searched, those of one colour have no other print
    by which an outline is known."""
    if crop.margin or album.askew or album.plain:
        return None
    return framed(album, crop.image, crop.turns, crop.ignore)


def _read(
    book: FaceBook, albums: Sequence[Album], crops: Sequence[Crop], light: Light | None
) -> tuple[FaceReading, ...]:
    """`read_together` of crops that are cut out, each with the album that tells how it is cut.

    A piece of one colour is read in lights that turn hues also by itself: its own crop cannot tell that red has become
    what orange was.
    """
    album = albums[0]  # they differ in their cut only
    by_colour = album.one_colour and light is None
    if by_colour and album.plain:
        crops = [_unmarked(crop) for crop in crops]
    found = [
        find(one, _kinds(book), c.image, c.margin, c.turns, c.ignore) for one, c in zip(albums, crops, strict=True)
    ]
    if light is not None:
        lights: Sequence[Light] = [light] * len(found)
    elif len(found) > 1:
        lights = shared_lights([f.comparison.explain(unknown_light()) for f in found])
    else:
        lights = [unknown_light()] * len(found)
    colours = _colours(found, album.plain) if by_colour else [None] * len(found)
    readings = [
        _reading(book, f, at, by, _way(album, crop))
        for crop, f, at, by in zip(crops, found, lights, colours, strict=True)
    ]
    readings = [
        _where_it_may_lie(book, one, crop, reading) for one, crop, reading in zip(albums, crops, readings, strict=True)
    ]
    if by_colour and album.plain:  # its own pixels tell one colour, and beside the others of the photograph another
        known = zip(readings, colours, strict=True)
        return tuple(doubted(one) if own is not None and _contrary(book, one, own) else one for one, own in known)
    if light is not None or (by_colour and len(crops) > 1):
        return tuple(readings)
    return tuple(
        reading if reading.face is not None else _again(book, one, crop, at, reading)
        for one, reading, crop, at in zip(albums, readings, crops, lights, strict=True)
    )


class Way(Enum):
    """How a crop shows its piece: cut as the learnt pictures are, so that nothing lies on it; in a box around what is
    seen of a printed piece that lies anyhow, perhaps under another; the same, at a place that was searched for; or at a
    place of a table, where pieces lie on it, or it has no print to be told by."""

    BARE = "bare"
    ANYHOW = "anyhow"
    SEARCHED = "searched"
    OTHER = "other"


def _way(album: Album, crop: Crop) -> Way:
    if crop.margin or (album.one_colour and not album.cut_alike(crop.image.shape[1::-1])):
        return Way.OTHER
    return Way.BARE if album.cut_alike(crop.image.shape[1::-1]) else Way.ANYHOW


def _unmarked(crop: Crop) -> Crop:
    """A crop whose marks are left out."""
    return replace(crop, ignore=marked(crop.image))


def _again(book: FaceBook, album: Album, crop: Crop, light: Light, first: FaceReading) -> FaceReading:
    """The surest reading of a crop that nothing explained upright: its piece may be turned or partly covered."""
    if crop.margin or album.cut_alike(crop.image.shape[1::-1]):
        return first
    kinds = _kinds(book)
    way = Way.SEARCHED if _way(album, crop) is Way.ANYHOW else Way.OTHER

    def read(placed: FoundFaces) -> FaceReading:
        colours = _colours([placed], album.plain)[0] if album.one_colour else None
        return _reading(book, placed, light, colours, way)

    readings = [read(placed) for placed in _by_print(album, kinds, crop)]
    if all(reading.face is None for reading in readings):
        readings += [read(placed) for placed in _by_look(album, kinds, crop)]
    if way is Way.SEARCHED:
        readings = [_in_its_box(book, crop, reading) for reading in readings]
    best = max((first, *readings), key=lambda reading: reading.p)
    close = {r.face for r in readings if r.face is not None and _odds(r) * CLEARER > _odds(best)}
    if len(close) > 1:  # lying in one way it is this, in another that
        return doubted(best)
    return best


def _where_it_may_lie(book: FaceBook, album: Album, crop: Crop, reading: FaceReading) -> FaceReading:
    """`reading`, doubted where a piece cannot lie so in its crop."""
    way = _way(album, crop)
    if way is Way.ANYHOW:
        return _in_its_box(book, crop, reading)
    # Pieces that were learnt loosely cut are cut out at their outlines; black ground around a symbol has none.
    if way is not Way.BARE or album.cut is not None or album.one_colour:
        return reading
    return doubted(reading) if goes_on(crop.image, reading.corners_px(book.size_wh)) else reading


def _in_its_box(book: FaceBook, crop: Crop, reading: FaceReading) -> FaceReading:
    """`reading` of a piece that lies anyhow; doubted where the piece as it was aligned is shifted out of the crop.

    The crop is a box around what is seen of the piece: a face that fits only so, as a card by a row of its pips, is of
    another piece.
    """
    corners = reading.corners_px(book.size_wh)
    return doubted(reading) if shifted_out(corners, crop.image.shape) else reading


def _contrary(book: FaceBook, reading: FaceReading, colours: Mapping[int, Hue]) -> bool:
    """Whether the photograph tells another of its `colours` than the one that a crop was read as: it is clearly
    likelier, or likelier and what was read cannot be in the photograph's likeliest light."""
    own = colours[book.faces.index(reading.alternatives[0][0])]
    lead = reading.evidence.hue
    return lead < -CONTRARY or (lead < 0 and own.misfit > OTHER_INK)


def doubted(reading: FaceReading) -> FaceReading:
    """`reading` where what its probability does not rest on speaks against it: half as likely, and not named."""
    halved = tuple((face, p / 2) for face, p in reading.alternatives)
    return replace(reading, face=None, p=reading.p / 2, alternatives=halved)


def _odds(reading: FaceReading) -> float:
    return reading.p / max(1 - reading.p, 1e-9)


def _by_print(album: Album, kinds: NDArray[np.intp], crop: Crop) -> Iterator[FoundFaces]:
    """Where a piece may lie in a crop that it does not fill, as points of its print tell."""
    h, w = album.pictures.shape[1:3]
    filling = (one for one in album.keypoints.supported(crop.image) if fills(one.corners((w, h)), crop.image.shape))
    supported = list(islice(filling, SUPPORTED))
    for k in range(min(PLACES, len(supported))):
        yield find_placed(album, kinds, crop.image, [supported[k], *supported[:k], *supported[k + 1 :]], crop.ignore)


def _by_look(album: Album, kinds: NDArray[np.intp], crop: Crop) -> Iterator[FoundFaces]:
    """The same as its look as a whole tells."""
    h, w = album.pictures.shape[1:3]
    for corners in album.turned.places(crop.image):
        piece, inside = cut_at(crop.image, corners, (w, h))
        if inside.mean() < LEAST_SEEN:
            continue
        matrix = to_picture(corners, (w, h))
        ignore = ~inside
        if crop.ignore is not None:
            flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
            ignore |= cv2.warpPerspective(crop.ignore.astype(np.uint8), matrix, (w, h), flags=flags) > 0
        placed = find(album.without_cut(), kinds, piece, 0.0, crop.turns, ignore)
        to_crop = matrix @ placed.to_crop
        yield replace(placed, to_crop=to_crop, turns=quarters(to_crop))


def _kinds(book: FaceBook) -> NDArray[np.intp]:
    """(T,) the kind of every learnt picture."""
    return np.array([book.group_numbers[k] for k in book.owners])


def _colours(found: Sequence[FoundFaces], plain: bool) -> list[Mapping[int, Hue] | None]:
    """Of each crop of one photograph, kind -> its colour as the photograph's other crops tell it."""
    return list(hues_behind([one.comparison.colour for one in found if one.comparison.colour is not None], plain))


def _reading(
    book: FaceBook,
    found: FoundFaces,
    light: Light,
    colours: Mapping[int, Hue] | None,
    way: Way,
) -> FaceReading:
    explained = found.comparison.explain(light)
    contest = found.comparison.contest(explained)
    kinds, behind, champion = _voted(found, contest, colours)
    if champion != contest.best:  # its photograph told another: what speaks against the crop is what is unlike that one
        contest = found.comparison.contest(explained, champion)
    names = [book.faces[k] for k in kinds]
    evidence = _evidence(found, contest, kinds, behind, explained, champion)
    if way is Way.BARE:
        evidence = replace(evidence, strange=contest.strange)
    elif way is not Way.OTHER:
        # Upright in its box a piece must fit as it is, or else it is searched for. Of fields here and there on a piece
        # that mostly is not explained, many would fit any face when they are shifted.
        slack, judged = way is Way.SEARCHED and evidence.explained > MOSTLY, contest.explained
        difference = softened_difference(contest.seen, contest.face, judged, shifted=slack)
        evidence = replace(
            evidence,
            worst=_worst(difference, clear_of_others(judged) if slack else judged),
            islands=island_share(found.comparison.valid, contest.explained, contest.unlike),
            printed=print_told(contest.face, contest.explained),
        )
    if colours is not None:
        lead = _lead(colours, kinds[0])
        formed = book.album is not None and not book.album.plain
        against = max(colours[kinds[0]].misfit, -lead) + evidence.light
        evidence = replace(evidence, hue=lead, ink=against if formed else 0.0)
    ranked = probabilities(names, behind, evidence, PHOTOGRAPHED_FACES)
    return FaceReading(
        ranked[0][0] if ranked[0][1] >= PHOTOGRAPHED_FACES.accepted else None,
        ranked[0][1],
        int(found.turns[champion]),
        ranked,
        np.linalg.inv(found.to_crop[champion] @ unit(book.size_wh)),
        contest.gain,
        contest.offset,
        contest.residual,
        evidence.fit_error,
        evidence,
    )


def _lead(colours: Mapping[int, Hue], kind: int) -> float:
    """Nats by which the colour of `kind` is ahead of all others in its photograph; negative when one is likelier."""
    own = colours[kind]
    return min((hue.behind for hue in colours.values() if hue.number != own.number), default=np.inf) - own.behind


def _evidence(
    found: FoundFaces, contest: Contest, kinds: list[int], behind: F32, explained: CropExplained, champion: int
) -> FaceEvidence:
    """What speaks for the best of `kinds`, by its candidate `champion`, against the next one, `behind` (kinds,)."""
    valid = found.comparison.valid
    differences = contest.residual[valid > 0] if (valid > 0).any() else np.ones(1, np.float32)
    gap, share = float("inf"), 1.0
    if len(kinds) > 1:
        gap = float(behind[1])
        ideal = float(contest.ideal[found.owners == kinds[1]].min())
        share = gap / (ideal + 1.0) if np.isfinite(ideal) else 1.0
    return FaceEvidence(
        gap,
        share,
        median(differences),
        float(found.seen[champion]),
        _worst(contest.residual, contest.explained),
        float(explained.light_cost[champion]),
        rendered=float(explained.rendering.prior_cost[champion] + found.comparison.gloss[champion]),
        alike=contest.alike,
        explained=float(contest.explained.sum() / max(float(valid.sum()), 1e-6)),
    )


def _worst(difference: F32, explained: F32) -> float:
    """The `difference` (h, w) that a tenth of what is `explained` (h, w) exceeds."""
    own = difference[explained > 0]
    return float(np.percentile(own, WORST_SHARE)) if len(own) else 1.0


def _voted(found: FoundFaces, contest: Contest, colours: Mapping[int, Hue] | None) -> tuple[list[int], F32, int]:
    """Kinds and how far each is behind the best, best first; and the number of the best kind's best candidate.

    The pictures of a kind are heard together, each in its best turn: its likelihood is the mean of theirs, so that a
    kind is not the likelier for having more pictures. What the crop itself tells of its colour counts half beside what
    the `colours` of the photograph tell, for both rest on the same pixels; its form is told by the crop alone.
    """
    behind = contest.behind.astype(np.float64)
    best: dict[tuple[int, int], float] = {}
    for kind, number, gap in zip(found.owners, found.numbers, behind, strict=True):
        key = (int(kind), int(number))
        best[key] = min(best.get(key, np.inf), float(gap))
    votes: dict[int, list[float]] = {}
    for (kind, _), gap in best.items():
        votes.setdefault(kind, []).append(gap)
    cost = {kind: float(-np.logaddexp.reduce(-np.array(gaps)) + np.log(len(gaps))) for kind, gaps in votes.items()}
    if colours is not None:
        least: dict[int, float] = {}
        for kind, nats in cost.items():
            least[colours[kind].number] = min(least.get(colours[kind].number, np.inf), nats)
        for kind, hue in colours.items():
            if kind in cost:
                cost[kind] += hue.behind - least[hue.number] / 2
    order = sorted(cost, key=lambda kind: cost[kind])
    return order, np.array([cost[k] - cost[order[0]] for k in order], np.float32), _champion(found, behind, order[0])


def _champion(found: FoundFaces, behind: F64, kind: int) -> int:
    """The best candidate of `kind`, where each is `behind` (M,) nats; what looks the same turned round lies so that
    more of it is in the crop."""
    own = np.flatnonzero(found.owners == kind)
    best = own[behind[own].argmin()]
    rather = own[(behind[own] < behind[best] + AS_LIKELY) & (found.seen[own] > found.seen[best] + MORE_SEEN)]
    return int(rather[behind[rather].argmin()] if len(rather) else best)
