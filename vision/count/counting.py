"""Counts the pieces in a picture: round ones by their rims, others by what differs from the table; names by colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import (
    PieceLook,
    body_light,
    edges_of,
    faces_of,
    has_smooth_kind,
    light_of,
    look_in_outline,
    rings_of,
)
from vision.count.appearance.prints import print_chances, without_print
from vision.count.certainty import of_clumps, of_rims
from vision.count.clumps.find import find_clumps
from vision.count.discs.alike import of_usual_shape
from vision.count.discs.bare import is_bare_table, unexplained
from vision.count.discs.clear import broken_rims, seen_support
from vision.count.discs.labelled import as_taught
from vision.count.discs.parted import parted
from vision.count.discs.search import ROUND_SUPPORT, Copies, FoundDiscs, search_discs, search_faint
from vision.count.discs.spotted import spotted_pieces, unseen_rims
from vision.count.discs.stacked import on_others
from vision.count.discs.whole import WORK_PX as WHOLE_PX
from vision.count.discs.whole import search_whole_pieces
from vision.count.glare import table_light, veil, veil_of
from vision.count.leftovers import is_more_like, is_printed, may_be_line, rimless_pieces, seen_colours
from vision.count.naming.bodies import Zone, bodies_of, body_zone, has_inner_rims
from vision.count.naming.metal import of_one_metal
from vision.count.naming.names import Names, closest, is_coated, may_be_metal, name_pieces
from vision.count.naming.sizes import size_chances
from vision.count.naming.veiled import unsure_under
from vision.count.on_sheets import unseen_on_sheets, with_those_on_sheets
from vision.count.planted import plant
from vision.count.reducing import Picture, Region, reduced, smaller, window
from vision.count.result import Count, counted_piece, least_sure, nothing, tally
from vision.count.shadows import thrown_shadows
from vision.count.table.background import changed_from
from vision.count.table.ground import LEVEL, Ground, find_ground, to_lab
from vision.count.table.sheets import alike_sheets, find_sheets, much_larger
from vision.count.teaching.colours import PieceColour, every_look
from vision.srgb import linear_to_lab

WORK_PX = 1350  # pictures are counted at this longer side: pieces of a hundredth of it are 13 px broad
GROUND_WORK_PX = 480  # and the table is compared with them at this one
CLEAR_RIM = 0.6  # of a rim that must be sharp for a piece of no learnt colour, and of one as pale as what lies around
BLOWN = 0.95  # linear light of every channel from which a surface is blown out: 250 of 255
CHANGED_PART = 0.4  # of a piece that must differ from the empty table
PRINTED = 1.2  # so much farther apart are the colours of the rings when all pieces bear the same print
SHADED = 0.8  # of its Lab colour that a piece shows in the soft shadow of another: six tenths of its light


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
    changed = None
    if background_bgr is not None:
        changed = changed_from(work, reduced(background_bgr[looked_at[1], looked_at[0]], share))
    count = _count_in(work, colours, changed)
    pieces = [piece.moved(share, (x, y)) for piece in count.pieces]
    return replace(count, pieces=tuple(pieces)) if region is None else count.inside(pieces, region)


def _count_in(work: Picture, colours: Sequence[PieceColour], changed: NDArray[np.bool_] | None) -> Count:
    sheets = find_sheets(work)
    count = _count_beside(sheets, work, colours, changed)
    larger = much_larger(sheets, [piece.outline[:, 0] for piece in count.pieces])
    if (larger == sheets).all():
        return count
    return _count_beside(larger, work, colours, changed, count if count.pieces else None)


def _count_beside(
    sheets: NDArray[np.bool_],
    work: Picture,
    colours: Sequence[PieceColour],
    changed: NDArray[np.bool_] | None,
    otherwise: Count | None = None,
    test: bool = True,
) -> Count:
    """The count of round pieces beside sheets (H, W), and of whole rims on them; `otherwise`: that of pieces that are
    not round, where it is known. `test`: whether pieces are drawn into the picture where some could lie unseen.
    """
    lab = to_lab(work)
    copies = Copies(lab, sheets)
    zone = _taught_zone(colours)
    taught_lab = linear_to_lab(_body_light(colours, zone)).astype(np.float32)
    share = min(1.0, WHOLE_PX / max(work.shape[:2]))
    ground = find_ground(smaller(work, share), taught_lab, sheets=sheets)
    rims, looks = search_discs(copies), every_look(colours)
    seen = found = parted(search_whole_pieces(rims, ground, share), rims)
    strange, broken = found.take(np.zeros(len(found), bool)), np.zeros(len(found), bool)
    if zone is not None and has_inner_rims(looks):
        found, strange = as_taught(found, rims, work, looks)
        broken = np.zeros(len(found), bool)
    if not _may_be_metal(looks):  # coins mirror the table
        found = found.take(~is_bare_table(found.scaled(ground.difference.shape[1] / work.shape[1]), ground))
        broken = broken_rims(found, lab) if zone is None else np.zeros(len(found), bool)
    if seen.round or found.take(~broken).round:
        rest = found.take(broken).joined(strange)
        return _count_round(work, copies, (found.take(~broken), rest), ground, colours, zone, changed, test)
    return otherwise or _count_clumps(work, lab, colours, zone, changed)


def _count_round(
    work: Picture,
    copies: Copies,
    rims: tuple[FoundDiscs, FoundDiscs],
    ground: Ground,
    colours: Sequence[PieceColour],
    zone: Zone | None,
    changed: NDArray[np.bool_] | None,
    test: bool,
) -> Count:
    """The count of round pieces, on a ground that was found by their colours as they were taught; `rims`: theirs, and
    broken ones that are none.
    """
    found, broken = rims
    found = with_those_on_sheets(found, copies, work)
    if changed is not None:
        found = found.take(np.array([_covered(changed, outline) >= CHANGED_PART for outline in found.outlines], bool))
    if not len(found):
        return nothing(colours)
    share = min(1.0, GROUND_WORK_PX / max(work.shape[:2]))
    small = smaller(work, share)
    metal = _may_be_metal(every_look(colours))
    found = found.take(~thrown_shadows(small, found.scaled(share)))
    if not len(found):
        return nothing(colours)
    looks = [look_in_outline(work, outline, stamped=metal) for outline in found.outlines]
    names = _names(colours, looks, found.outlines, zone, of_usual_shape(found))
    unknown = names.p.argmax(axis=1) == len(colours)
    # spots break the rims of all pieces of a picture alike
    weak = found.support < CLEAR_RIM * min(1.0, float(np.median(found.support)) / ROUND_SUPPORT)
    lined = np.array([may_be_line(look) for look in looks], bool)
    doubtful = zip(unknown | weak | lined, found.outlines, strict=True)
    dropped = (unknown & weak) | np.array([d and is_printed(work, outline) for d, outline in doubtful], bool)
    if dropped.any():
        found = found.take(~dropped)
        looks = [look for look, gone in zip(looks, dropped, strict=True) if not gone]
        names = _names(colours, looks, found.outlines, zone, of_usual_shape(found))
    if not len(found):
        return nothing(colours)
    outlines: list[NDArray[np.float64]] = list(found.outlines)
    fitted = _in_light(colours, names, zone)
    ground = find_ground(small, fitted, ground, copies.sheets)
    left = rimless_pieces(work, ground, [o * share for o in outlines], fitted, zone is not None)
    rimless = [o / share for o in left.pieces]
    if zone is not None:
        every = found.joined(unseen_rims(rimless))
        rimless += spotted_pieces(work, copies, every, ground.difference > LEVEL, every_look(colours))
    hidden = np.array([ground.hides(own.astype(np.float64)) for own in fitted])
    if hidden.any():
        # the clear ones of such a colour show how it looks in this picture's own shade
        clear = (found.support >= ROUND_SUPPORT) & np.append(hidden, False)[names.p.argmax(axis=1)]
        as_seen = seen_colours([look for look, shown in zip(looks, clear, strict=True) if shown], zone)
        looked_for = np.concatenate([fitted[hidden], as_seen])
        faint = search_faint(copies, found)
        known = [o.mean(axis=0) for o in rimless]
        for outline, radius, rim in zip(faint.outlines, faint.radius, faint.support, strict=True):
            apart = all(np.linalg.norm(outline.mean(axis=0) - other) > radius for other in known)
            if apart and is_more_like(work, outline, ground, looked_for, zone, bool(rim >= ROUND_SUPPORT)):
                rimless.append(outline)
    if changed is not None:
        rimless = [outline for outline in rimless if _covered(changed, outline) >= CHANGED_PART]
    whole = np.concatenate([of_usual_shape(found), np.zeros(len(rimless), bool)])
    if rimless:
        outlines += rimless
        looks += [look_in_outline(work, outline, stamped=metal) for outline in rimless]
        names = _names(colours, looks, outlines, zone, whole)
    usual = table_light(small, ground.difference < LEVEL)
    lamps = [veil_of(look, veil(work, outline, usual)) for outline, look in zip(outlines, looks, strict=True)]
    veiled = unsure_under(lamps, looks, names, lambda bare: _names(colours, bare, outlines, zone, whole))
    larger = left.larger + alike_sheets(work, copies.sheets, fitted)
    doubts = of_rims(found.support if metal else seen_support(found), names).rimless(len(rimless)).beneath(larger)
    strange = unexplained(broken, outlines, ground, work.shape[1])
    strange += unseen_on_sheets(work, copies.sheets, outlines, fitted)
    doubts = doubts.strange(left.strange + strange)
    doubts = doubts.cut(left.cut).veiled(veiled)
    if not metal:
        doubts = doubts.stacked(int(on_others(found, copies.lab).sum()))
    doubts = doubts.blown(sum(min(*look.inner_bgr, *look.ring_bgr) > BLOWN for look in looks))
    if _by_pieces(colours) and not _mostly_rimmed(colours):
        doubts = doubts.rimless_teaching()
    pieces = [
        counted_piece(outline.mean(axis=0), np.round(outline).astype(np.int32), p, colours)
        for outline, p in zip(outlines, names.p, strict=True)
    ]
    doubts = doubts.lit(ground.clear)
    unseen = _hidden(ground, colours, names, zone)
    clear = np.where(found.support >= ROUND_SUPPORT, names.p[: len(found)].argmax(axis=1), len(colours))
    least = min([int((clear == k).sum()) for k, colour in enumerate(colours) if colour.name in unseen], default=0)
    missed = None
    if unseen and test and not metal and doubts.all_right >= least_sure(colours):
        drawn = {}
        for k in [k for k, colour in enumerate(colours) if colour.name in unseen]:
            drawn[colours[k].name] = fitted[k], [outlines[n] for n in np.flatnonzero(clear == k)]
        missed = _missed(work, copies.sheets, ground, outlines, drawn, colours, changed)
    return tally(pieces, colours, doubts.hidden(unseen, least, missed))


def _missed(
    work: Picture,
    sheets: NDArray[np.bool_],
    ground: Ground,
    outlines: list[NDArray[np.float64]],
    drawn: dict[str, tuple[NDArray[np.float32], list[NDArray[np.float64]]]],
    colours: Sequence[PieceColour],
    changed: NDArray[np.bool_] | None,
) -> tuple[int, int] | None:
    """Of pieces drawn into the picture (`planted.plant`) how many are not counted in it, and how many were drawn; None
    where there is no room for them.
    """
    planted = plant(work, ground, sheets, outlines, drawn)
    if planted is None:
        return None
    seen = None if changed is None else changed | (planted.picture != work).any(axis=2)
    again = _count_beside(sheets, planted.picture, colours, seen, test=False)
    return planted.missed(again.pieces), len(planted.xy)


def _count_clumps(
    work: Picture,
    lab: NDArray[np.float32],
    colours: Sequence[PieceColour],
    zone: Zone | None,
    changed: NDArray[np.bool_] | None,
) -> Count:
    """The count of pieces of other shapes: what has straight sides may be one of them."""
    ground = find_ground(work, np.array([c.lab() for c in colours], np.float32))
    if changed is not None:
        ground = replace(ground, difference=np.where(changed, ground.difference, 0).astype(np.float32))
    blobs, area = find_clumps(work, lab, ground, colours)
    if area == 0:
        return nothing(colours)
    lights = [body_light(work[blob.pixels[:, 1], blob.pixels[:, 0]]) for blob in blobs]
    looks = [PieceLook(light, light) for light in lights]
    names = _names(colours, looks)
    pieces = [counted_piece(np.array(b.xy), b.outline[:, 0], p, colours) for b, p in zip(blobs, names.p, strict=True)]
    doubts = of_clumps([b.misfit for b in blobs], names)
    if any(look.support >= ROUND_SUPPORT for colour in colours for look in colour.pieces()):
        doubts = doubts.not_round()
    unseen = _hidden(ground, colours, names, zone)
    return tally(pieces, colours, doubts.hidden(unseen).lit(ground.clear))


def _covered(mask: NDArray[np.bool_], outline: NDArray[np.float64]) -> float:
    """The part of the inside of an outline that a mask covers."""
    inside = np.zeros(mask.shape, np.uint8)
    cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 1)
    return float(mask[inside.astype(bool)].mean()) if inside.any() else 0.0


def _names(
    colours: Sequence[PieceColour],
    looks: list[PieceLook],
    outlines: Iterable[NDArray[np.float64]] | None = None,
    zone: Zone | None = None,
    whole: NDArray[np.bool_] | None = None,
) -> Names:
    """Names for the pieces, round ones with their outlines (N, 2) px; `whole` (N,): those that are pieces by their
    shape, whatever their colour.

    Of printed pieces the bodies are compared, in their `zone`, of coated ones without print the faces. Rings are
    compared when every colour was taught by pieces, most of them with a rim; sizes when all of them lay in one
    photograph.
    """
    taught = [list(c.pieces()) for c in colours]
    ringed = outlines is not None and _by_pieces(colours) and _mostly_rimmed(colours)
    if ringed:
        taught = [[look for look in own if look.support > 0] or own for own in taught]
    owners = np.array([k for k, own in enumerate(taught) for _ in own])
    every = [look for own in taught for look in own]
    known, seen = light_of(every), light_of(looks)
    coated, metal = is_coated(known), _may_be_metal(every) and not has_smooth_kind(taught)
    edges = edges_of(every)
    bodied = outlines is not None and (is_coated(edges) or not metal)  # a glint beside a coin's rim is no body
    if zone is not None:
        known, seen = bodies_of(every, zone), bodies_of(looks, zone)
    elif bodied and PRINTED * closest(known, owners) < closest(edges, owners):
        known, seen = edges, edges_of(looks)  # label and spots of every colour are alike
    elif coated:
        known, seen = faces_of(every), faces_of(looks)  # shade and what is mirrored at the rim tell no colour
    one = len({look.photograph for look in every}) == 1
    if outlines is None:
        return name_pieces(known, owners, seen, ringed, one)
    radii = np.array([np.sqrt(cv2.contourArea(o.astype(np.float32)) / np.pi) for o in outlines])
    middles = np.array([o.mean(axis=0) for o in outlines]).reshape(-1, 2)
    sizes = size_chances(np.array([look.radius for look in every]), radii, middles) if one and ringed else None
    places = middles / max(1.0, float(np.median(radii)) if len(radii) else 1.0)
    prints = None
    if metal:  # a lamp in sugar has sharper edges than any print, and all pieces mirror it
        known = of_one_metal(known, owners) if one else known
        prints = print_chances([look.unrolled for look in every], owners, [look.unrolled for look in looks])
    if prints is not None:
        sizes = prints[None] if sizes is None else sizes + prints
    given = (known, owners, seen, ringed, one, sizes, places, coated)
    names = name_pieces(*given, printed=zone is not None, metal=metal)
    # a lamp in one plain piece is a veil as well, but ink on the table is no piece under a veil
    if coated and zone is None:
        names = names.where_known(name_pieces(*given, printed=True), whole)
    return names if prints is None else replace(names, unprinted=without_print(prints, owners, names.p.argmax(axis=1)))


def _may_be_metal(taught: list[PieceLook]) -> bool:
    """Whether pieces that taught may be coins."""
    return may_be_metal(light_of(taught), rings_of(taught))


def _taught_zone(colours: Sequence[PieceColour]) -> Zone | None:
    """The rings in which the taught pieces show their bodies; None where they bear no print."""
    owners = np.array([k for k, colour in enumerate(colours) for _ in colour.pieces()])
    return body_zone(every_look(colours), owners)


def _by_pieces(colours: Sequence[PieceColour]) -> bool:
    """Whether pieces taught all colours."""
    return all(colour.looks for colour in colours)


def _mostly_rimmed(colours: Sequence[PieceColour]) -> bool:
    """Whether some piece that taught shows its rim, of most colours."""
    return 2 * sum(any(look.support > 0 for look in colour.looks) for colour in colours) > len(colours)


def _in_light(colours: Sequence[PieceColour], names: Names, zone: Zone | None) -> NDArray[np.float32]:
    """(K, 3) Lab of the colours in the picture's likeliest light."""
    return linear_to_lab(_body_light(colours, zone) * names.gains).astype(np.float32)


def _body_light(colours: Sequence[PieceColour], zone: Zone | None) -> NDArray[np.float64]:
    """(K, 3) linear BGR of the colours, of printed pieces that of their bodies, as they were taught."""
    if zone is None:
        return np.array([c.linear_bgr for c in colours])
    return np.array([np.median(bodies_of(list(c.pieces()), zone)[:, 0], axis=0) for c in colours])


def _hidden(ground: Ground, colours: Sequence[PieceColour], names: Names, zone: Zone | None) -> list[str]:
    """The colours that could lie on the table and not be seen."""
    fitted = _in_light(colours, names, zone).astype(np.float64)
    metal = _may_be_metal(every_look(colours))
    shades = (1.0,) if metal else (1.0, SHADED)
    named = zip(colours, fitted, strict=True)
    return [colour.name for colour, lab in named if any(ground.hides(shade * lab) for shade in shades)]
