"""Counts round pieces by their rims, and what lies among them without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import PieceLook, look_in_outline
from vision.count.certainty import of_rims
from vision.count.cut_off import beyond_edge
from vision.count.discs.alike import of_usual_shape
from vision.count.discs.bare import unexplained
from vision.count.discs.clear import seen_support
from vision.count.discs.search import ROUND_SUPPORT, Copies, FoundDiscs, search_faint
from vision.count.discs.spotted import spotted_pieces, unseen_rims
from vision.count.discs.stacked import on_others
from vision.count.glare import table_light, veil, veil_of
from vision.count.leftovers import Leftovers, is_more_like, is_printed, may_be_line, rimless_pieces, seen_colours
from vision.count.naming.bodies import is_labelled
from vision.count.naming.names import Names
from vision.count.naming.taught import Taught
from vision.count.naming.veiled import unsure_under
from vision.count.on_sheets import unseen_on_sheets, with_those_on_sheets
from vision.count.other_sizes import much_smaller
from vision.count.planted import plant
from vision.count.reducing import Picture, smaller
from vision.count.result import Count, counted_piece, least_sure, nothing, tally, too_many
from vision.count.shadows import thrown_shadows
from vision.count.table.ground import LEVEL, Ground, find_ground
from vision.count.table.sheets import alike_sheets
from vision.count.teaching.colours import PieceColour

GROUND_WORK_PX = 480  # the table is compared with the pieces at this longer side
CLEAR_RIM = 0.6  # of a rim that must be sharp for a piece of no learnt colour, and of one as pale as what lies around
BLOWN = 0.95  # linear light of every channel from which a surface is blown out: 250 of 255
CHANGED_PART = 0.4  # of a piece that must differ from the empty table
# Rims from which a picture shows print, or more pieces than are counted at once: 102 were the most that were ever laid.
# All are named together, which takes four times as long for 200 as for 100, and more for more.
MOST_PIECES = 200

Outline = NDArray[np.float64]
Mask = NDArray[np.bool_]
Recount = Callable[[Picture, Mask | None], Count]
Drawn = dict[str, tuple[NDArray[np.float32], list[Outline]]]


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """One picture: itself (H, W, 3), a `small` copy of `share` of its size, the `copies` in which rims are sought, and
    where it has `changed` (H, W) from the empty table, if that is known."""

    work: Picture
    small: Picture
    share: float
    copies: Copies
    changed: Mask | None

    def has_changed(self, outline: Outline) -> bool:
        """Whether the inside of an outline (N, 2) px differs from the empty table."""
        if self.changed is None:
            return True
        inside = np.zeros(self.changed.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 1)
        part = float(self.changed[inside.astype(bool)].mean()) if inside.any() else 0.0
        return part >= CHANGED_PART


@dataclass(frozen=True, slots=True, eq=False)
class _Rimmed:
    """The pieces whose rims were found, with their looks and names."""

    found: FoundDiscs
    looks: list[PieceLook]
    names: Names


def count_round(
    work: Picture,
    copies: Copies,
    rims: tuple[FoundDiscs, FoundDiscs],
    ground: Ground,
    taught: Taught,
    changed: Mask | None,
    recount: Recount | None,
) -> Count:
    """The count of round pieces, on a ground that was found by their colours as they were taught.

    `rims`: theirs, and broken ones that are none; more than `MOST_PIECES` are not named. `changed` (H, W): see
    `count_pieces`. `recount` counts again in a picture into which pieces were drawn where some could lie unseen; None:
    nothing is drawn.
    """
    share = min(1.0, GROUND_WORK_PX / max(work.shape[:2]))
    seen = _Seen(work, smaller(work, share), share, copies, changed)
    found, broken = rims
    found = with_those_on_sheets(found, copies, work)
    found = found.take(np.array([seen.has_changed(outline) for outline in found.outlines], bool))
    if len(found) > MOST_PIECES:
        return too_many(list(found.outlines), taught.colours)
    rimmed = _named(seen, found, taught)
    if rimmed is None:
        return nothing(taught.colours)
    found, names = rimmed.found, rimmed.names
    fitted = taught.lab(names.gains)
    ground = find_ground(seen.small, fitted, ground, copies.sheets)
    spotted = _spotted(seen, found, ground, taught)  # first: what lies between touching ones is as broad as a piece
    outlines = [*found.outlines, *spotted]
    left = rimless_pieces(work, ground, [o * share for o in outlines], fitted, taught.zone is not None)
    rimless = spotted + _without_rim(seen, rimmed, spotted, left, ground, taught, fitted)
    outlines, looks = [*found.outlines, *rimless], rimmed.looks
    whole = np.concatenate([of_usual_shape(found), np.zeros(len(rimless), bool)])
    if rimless:
        looks = looks + [look_in_outline(work, outline, stamped=taught.metal) for outline in rimless]
        names = taught.names(looks, outlines, whole)
    usual = table_light(seen.small, ground.difference < LEVEL)
    lamps = [veil_of(look, veil(work, outline, usual)) for outline, look in zip(outlines, looks, strict=True)]
    veiled = unsure_under(lamps, looks, names, lambda bare: taught.names(bare, outlines, whole))
    doubts = of_rims(found.support if taught.metal else seen_support(found), names).rimless(len(rimless))
    doubts = doubts.beneath(left.larger + alike_sheets(work, copies.sheets, fitted))
    strange = unexplained(broken, outlines, ground, work.shape[1])
    strange += much_smaller(ground, [outline * share for outline in outlines], fitted)
    strange += unseen_on_sheets(work, copies.sheets, outlines, fitted)
    doubts = doubts.strange(left.strange + strange).cut(left.cut).veiled(veiled)
    doubts = doubts.cut_but_counted(beyond_edge(outlines, (work.shape[1], work.shape[0])))
    if not taught.metal:
        doubts = doubts.stacked(int(on_others(found, copies.lab).sum()))
    doubts = doubts.blown(sum(min(*look.inner_bgr, *look.ring_bgr) > BLOWN for look in looks))
    plain = all(look.rings and not is_labelled(look) for look in [*taught.looks, *looks])  # wherever crops were cut
    if taught.by_pieces and not taught.mostly_rimmed and not plain:
        doubts = doubts.rimless_teaching()
    pieces = [
        counted_piece(outline.mean(axis=0), np.round(outline).astype(np.int32), p, taught.colours)
        for outline, p in zip(outlines, names.p, strict=True)
    ]
    doubts = doubts.lit(ground.clear)
    unseen, clear = taught.hidden(ground, names), _clear_of(found, names, taught.colours)
    missed = None
    if unseen and recount is not None and not taught.metal and doubts.all_right >= least_sure(taught.colours):
        in_light = {colour.name: lab for colour, lab in zip(taught.colours, fitted, strict=True)}
        missed = _missed(seen, ground, outlines, {name: (in_light[name], clear[name]) for name in unseen}, recount)
    least = min((len(clear[name]) for name in unseen), default=0)
    return tally(pieces, taught.colours, doubts.hidden(unseen, least, missed))


def _named(seen: _Seen, found: FoundDiscs, taught: Taught) -> _Rimmed | None:
    """The rims that are pieces': no shadows, lines or print; None where none is."""
    if not len(found):
        return None
    found = found.take(~thrown_shadows(seen.small, found.scaled(seen.share)))
    if not len(found):
        return None
    looks = [look_in_outline(seen.work, outline, stamped=taught.metal) for outline in found.outlines]
    names = taught.names(looks, found.outlines, of_usual_shape(found))
    unknown = names.p.argmax(axis=1) == len(taught.colours)
    # spots break the rims of all pieces of a picture alike
    weak = found.support < CLEAR_RIM * min(1.0, float(np.median(found.support)) / ROUND_SUPPORT)
    lined = np.array([may_be_line(look) for look in looks], bool)
    doubtful = zip(unknown | weak | lined, found.outlines, strict=True)
    dropped = (unknown & weak) | np.array([d and is_printed(seen.work, outline) for d, outline in doubtful], bool)
    if dropped.any():
        found = found.take(~dropped)
        looks = [look for look, gone in zip(looks, dropped, strict=True) if not gone]
        names = taught.names(looks, found.outlines, of_usual_shape(found))
    return _Rimmed(found, looks, names) if len(found) else None


def _spotted(seen: _Seen, found: FoundDiscs, ground: Ground, taught: Taught) -> list[Outline]:
    """Outlines (N, 2) px of printed pieces that are known by their spots, beside those that were found."""
    if taught.zone is None:
        return []
    spotted = spotted_pieces(seen.work, seen.copies, found, ground.difference > LEVEL, taught.looks)
    return [outline for outline in spotted if seen.has_changed(outline)]


def _without_rim(
    seen: _Seen,
    rimmed: _Rimmed,
    spotted: list[Outline],
    left: Leftovers,
    ground: Ground,
    taught: Taught,
    fitted: NDArray[np.float32],
) -> list[Outline]:
    """Outlines (N, 2) px of pieces without a clear rim, beside those that were known by their spots: left over, spotted
    beside these, or of a colour that hardly shows on the table. `fitted` (K, 3): Lab of the colours in this picture."""
    found, zone = rimmed.found, taught.zone
    rimless = [outline / seen.share for outline in left.pieces]
    if rimless:
        rimless += _spotted(seen, found.joined(unseen_rims(spotted + rimless)), ground, taught)
    hidden = np.array([ground.hides(own.astype(np.float64)) for own in fitted])
    if hidden.any():
        # the clear ones of such a colour show how it looks in this picture's own shade
        clear = (found.support >= ROUND_SUPPORT) & np.append(hidden, False)[rimmed.names.p.argmax(axis=1)]
        as_seen = seen_colours([look for look, shown in zip(rimmed.looks, clear, strict=True) if shown], zone)
        looked_for = np.concatenate([fitted[hidden], as_seen])
        faint = search_faint(seen.copies, found)
        known = [outline.mean(axis=0) for outline in [*spotted, *rimless]]
        for outline, radius, rim in zip(faint.outlines, faint.radius, faint.support, strict=True):
            apart = all(np.linalg.norm(outline.mean(axis=0) - other) > radius for other in known)
            if apart and is_more_like(seen.work, outline, ground, looked_for, zone, bool(rim >= ROUND_SUPPORT)):
                rimless.append(outline)
    return [outline for outline in rimless if seen.has_changed(outline)]


def _clear_of(found: FoundDiscs, names: Names, colours: Sequence[PieceColour]) -> dict[str, list[Outline]]:
    """Of each colour the outlines (N, 2) px of its pieces with a clear rim."""
    clear = np.where(found.support >= ROUND_SUPPORT, names.p[: len(found)].argmax(axis=1), len(colours))
    return {one.name: [found.outlines[n] for n in np.flatnonzero(clear == k)] for k, one in enumerate(colours)}


def _missed(
    seen: _Seen, ground: Ground, outlines: list[Outline], drawn: Drawn, recount: Recount
) -> tuple[int, int] | None:
    """Of pieces drawn into the picture (`planted.plant`) how many are not counted in it, and how many were drawn; None
    where there is no room for them."""
    planted = plant(seen.work, ground, seen.copies.sheets, outlines, drawn)
    if planted is None:
        return None
    drawn_into = (planted.picture != seen.work).any(axis=2)
    again = recount(planted.picture, None if seen.changed is None else seen.changed | drawn_into)
    return planted.missed(again.pieces), len(planted.xy)
