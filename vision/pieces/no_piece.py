"""Whether what was chosen as pieces is none: a shadow, print that is seen through it, or print in another light."""

from __future__ import annotations

from vision.pieces.light.light_beside import LightBeside
from vision.pieces.light.seen_through import PrintSeen
from vision.pieces.probability import MOST_EVIDENCE
from vision.pieces.scene import ACCEPTED, Chooser
from vision.pieces.shapes import Hypothesis

# Part of the evidence for a piece below which its place shows nothing but print.
NOTHING_LEFT = 0.1

# Nats by which the evidence for a piece may fall where no shadow of another one reaches it.
UNSHADED = 1.0


def told_from_shadows(
    chosen: list[Hypothesis],
    chooser: Chooser,
    box: tuple[slice, slice],
    print_seen: PrintSeen | None,
    light_beside: LightBeside | None = None,
) -> tuple[list[tuple[Hypothesis, float]], list[tuple[Hypothesis, float]]]:
    """The pieces, with their evidence, that are not explained as well by a shadow, by print that is seen where they
    should hide it, or by print in the light that falls beside them or in a brighter one; and the others with what
    speaks for them.

    What is left must be as much as makes a piece accepted: of 476 pieces of eight rendered rough rooms one had
    less, of 17 that were none 12. Where another piece's long shadow explains it much better it stays, and its
    count is flagged: pieces stand in such shadows, too.
    """
    kept = list(chosen)
    dark: list[tuple[Hypothesis, float]] = []
    known: dict[Hypothesis, tuple[list[Hypothesis], tuple[float, float, float]]] = {}
    while True:
        weighed, refused = [], []
        for one in kept:
            rest = chooser.beside(one, [c for c in kept if c is not one])
            if one not in known or known[one][0] != rest:  # what was refused far away leaves it as it was
                known[one] = rest, _weighed(one, rest, chooser, box, print_seen, light_beside)
            evidence, own, left = known[one][1]
            weighed.append((one, evidence))
            if evidence < ACCEPTED and (own > -ACCEPTED or left < NOTHING_LEFT):
                refused.append((evidence, one, left * own))
        if not refused:
            return weighed, dark
        _, weakest, own = min(refused, key=lambda each: each[0])
        dark.append((weakest, own))
        kept = [c for c in kept if c is not weakest]


def _weighed(
    one: Hypothesis,
    rest: list[Hypothesis],
    chooser: Chooser,
    box: tuple[slice, slice],
    print_seen: PrintSeen | None,
    light_beside: LightBeside | None,
) -> tuple[float, float, float]:
    """The evidence for a piece beside the `rest`, that by its own look alone, and the part of it that is left where
    print is seen through it; see `told_from_shadows`."""
    left = left_for(one, box, print_seen)
    beside = chooser.scene(rest, far=1.0)
    own = own_here = beside.gain(one)
    despite = chooser.despite_shadow(one, rest)
    if light_beside is not None and left * own >= ACCEPTED and left * despite < MOST_EVIDENCE:
        covered = chooser.scene(rest).covered
        by_light = light_beside.speaks_for_print(one, box, covered)
        if by_light < 0.0:  # the edge of a pane of sun may run through its place
            at_edge = light_beside.speaks_for_print(one, box, covered, in_either=True, if_brighter=True)
            by_light = max(by_light, at_edge)
        alone = own >= chooser.scene([]).gain(one) - UNSHADED
        if by_light < 0.0 and alone and despite > -ACCEPTED:
            # no piece's shadow, and a person's would lie on the print beside it, too, or on some of it
            despite -= min(light_beside.speaks_for_print(one, box, covered, in_either=True), 0.0)
        own_here = own - max(by_light, 0.0)
    evidence = left * min(own_here, despite)
    if light_beside is not None and evidence >= ACCEPTED:
        brighter = light_beside.speaks_for_brighter_print(one, box, beside.covered)
        evidence = min(evidence, left * (own - brighter))
    return evidence, own, left


def left_for(one: Hypothesis, box: tuple[slice, slice], print_seen: PrintSeen | None) -> float:
    """Part of the evidence for a piece in the region `box` that is left when print is seen through it."""
    return 1.0 if print_seen is None else print_seen.left_for(one, box)
