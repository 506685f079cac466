"""Counts the pieces in a picture: round ones by their rims, others by what differs from the table; names by colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import PieceLook, body_light
from vision.count.certainty import of_clumps
from vision.count.clumps.find import find_clumps
from vision.count.discs.bare import is_bare_table
from vision.count.discs.clear import broken_rims
from vision.count.discs.labelled import as_taught
from vision.count.discs.parted import parted
from vision.count.discs.search import ROUND_SUPPORT, Copies, search_discs
from vision.count.discs.whole import WORK_PX as WHOLE_PX
from vision.count.discs.whole import search_whole_pieces
from vision.count.enlarging import enlargement
from vision.count.naming.bodies import has_inner_rims
from vision.count.naming.taught import Taught
from vision.count.reducing import Picture, Region, reduced, smaller, window
from vision.count.result import Count, counted_piece, nothing, tally
from vision.count.round_pieces import count_round
from vision.count.table.background import changed_from
from vision.count.table.ground import find_ground, to_lab
from vision.count.table.sheets import find_sheets, much_larger
from vision.count.teaching.colours import PieceColour

# Pictures are counted at this longer side: pieces of a hundredth of it are 13 px broad. Smaller ones stay as they are,
# but where their pieces are few px broad.
WORK_PX = 1350


def count_pieces(
    picture_bgr: Picture,
    colours: Sequence[PieceColour],
    region: Region | None = None,
    background_bgr: Picture | None = None,
) -> Count:
    """Count the pieces of the learnt colours in a picture (H, W, 3) uint8 BGR.

    `region`: where they lie, all of the picture without it. `background_bgr`: the same view of the empty table, of the
    same size. Raises ValueError without colours, for a region outside the picture, and for another size.
    """
    if not colours:
        raise ValueError("no colours were learnt: expected at least one")
    if background_bgr is not None and background_bgr.shape != picture_bgr.shape:
        sizes = [f"{p.shape[1]} x {p.shape[0]}" for p in (picture_bgr, background_bgr)]
        raise ValueError(f"the empty table: expected a picture of {sizes[0]} px like the one to count, got {sizes[1]}")
    looked_at = window(picture_bgr, region)
    x, y = looked_at[0].start, looked_at[1].start
    seen = picture_bgr[looked_at[1], looked_at[0]]
    share = min(1.0, WORK_PX / max(seen.shape[:2]))
    work = reduced(seen, share)
    copies = _beside_sheets(work)
    larger = enlargement(work, copies, WORK_PX) if share == 1 else 1.0
    if larger > 1:
        share, work = larger, reduced(seen, larger)
        copies = _beside_sheets(work)
    changed = None
    if background_bgr is not None:
        changed = changed_from(work, reduced(background_bgr[looked_at[1], looked_at[0]], share))
    count = _count_in(work, copies, Taught.by(colours), changed)
    pieces = [piece.moved(share, (x, y)) for piece in count.pieces]
    return replace(count, pieces=tuple(pieces)) if region is None else count.inside(pieces, region)


def _beside_sheets(work: Picture) -> Copies:
    """The copies of a picture in which rims are sought, without the print of its sheets."""
    return Copies(to_lab(work), find_sheets(work))


def _count_in(work: Picture, copies: Copies, taught: Taught, changed: NDArray[np.bool_] | None) -> Count:
    count = _count_beside(copies, work, taught, changed)
    larger = much_larger(copies.sheets, [piece.outline[:, 0] for piece in count.pieces])
    if (larger == copies.sheets).all():
        return count
    return _count_beside(Copies(copies.lab, larger), work, taught, changed, count if count.pieces else None)


def _count_beside(
    copies: Copies,
    work: Picture,
    taught: Taught,
    changed: NDArray[np.bool_] | None,
    otherwise: Count | None = None,
    test: bool = True,
) -> Count:
    """The count of round pieces beside the sheets of a picture's copies, and of whole rims on them; `otherwise`: that
    of pieces that are not round, where it is known. `test`: whether pieces are drawn into the picture where some could
    lie unseen.
    """
    lab, sheets = copies.lab, copies.sheets
    share = min(1.0, WHOLE_PX / max(work.shape[:2]))
    ground = find_ground(smaller(work, share), taught.lab(), sheets=sheets)
    rims = search_discs(copies)
    seen = found = parted(search_whole_pieces(rims, ground, share), rims)
    strange, broken = found.take(np.zeros(len(found), bool)), np.zeros(len(found), bool)
    if taught.zone is not None and has_inner_rims(taught.looks):
        found, strange = as_taught(found, rims, work, taught.looks)
        broken = np.zeros(len(found), bool)
    if not taught.metal:  # coins mirror the table
        found = found.take(~is_bare_table(found.scaled(ground.difference.shape[1] / work.shape[1]), ground))
        broken = broken_rims(found, lab) if taught.zone is None else np.zeros(len(found), bool)
    if seen.round or found.take(~broken).round:
        rest = found.take(broken).joined(strange)

        def recount(picture: Picture, differs: NDArray[np.bool_] | None) -> Count:
            return _count_beside(Copies(to_lab(picture), sheets), picture, taught, differs, test=False)

        both = found.take(~broken), rest
        return count_round(work, copies, both, ground, taught, changed, recount if test else None)
    return otherwise or _count_clumps(work, lab, taught, changed)


def _count_clumps(
    work: Picture, lab: NDArray[np.float32], taught: Taught, changed: NDArray[np.bool_] | None
) -> Count:
    """The count of pieces of other shapes: what has straight sides may be one of them."""
    colours = taught.colours
    ground = find_ground(work, np.array([c.lab() for c in colours], np.float32))
    if changed is not None:
        ground = replace(ground, difference=np.where(changed, ground.difference, 0).astype(np.float32))
    blobs, area = find_clumps(work, lab, ground, colours)
    if area == 0:
        return nothing(colours)
    lights = [body_light(work[blob.pixels[:, 1], blob.pixels[:, 0]]) for blob in blobs]
    looks = [PieceLook(light, light) for light in lights]
    names = replace(taught, zone=None).names(looks)
    pieces = [counted_piece(np.array(b.xy), b.outline[:, 0], p, colours) for b, p in zip(blobs, names.p, strict=True)]
    doubts = of_clumps([b.misfit for b in blobs], names)
    if any(look.support >= ROUND_SUPPORT for colour in colours for look in colour.pieces()):
        doubts = doubts.not_round()
    unseen = taught.hidden(ground, names)
    return tally(pieces, colours, doubts.hidden(unseen).lit(ground.clear))
