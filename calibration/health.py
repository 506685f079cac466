"""Whether a calibration still holds: lens, markers, the table's place and the light, each with a figure and advice."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profiles import LensProfile, TableProfile
from vision.locate.markers import MarkerLayout, find_markers
from vision.locate.pose import NotLocated, locate_table

GOOD_POSE_PX = 0.5
MOVED_MM = 2.0  # further than this the remembered place is of no use
GOOD_MM_PER_PX = 1.1  # a tile of 55 mm is then 50 px wide, the least that faces can be told at
CLIPPED_SHARE = 0.02
DARK_LEVEL = 60.0  # the markers' white paper should be brighter


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """One thing that was checked."""

    what: str
    good: bool
    figure: str
    advice: str = ""


def check_table(
    image: np.ndarray, layout: MarkerLayout, lens: LensProfile | str, table: TableProfile | str
) -> tuple[HealthFinding, ...]:
    """What can be said of a picture (H, W, 3) BGR uint8 and its profiles (a text: why there is none that holds)."""
    if isinstance(lens, str):  # works without: an estimate serves, so this alone is not bad
        findings = [HealthFinding("lens", True, "estimated", lens)]
    else:
        findings = [HealthFinding("lens", True, f"calibrated to {lens.held_out_px:.2f} px from {lens.views} views")]
    camera = None if isinstance(lens, str) else lens.camera
    found = locate_table(image, layout, camera, None if isinstance(table, str) else table.pose)
    if isinstance(found, NotLocated):
        return (
            *findings,
            HealthFinding("markers", False, f"{len(found.markers)} seen", found.reason),
            *_light(image, layout),
        )
    count = len(found.markers)
    missing = sorted(set(layout.centres_mm) - set(found.markers))
    advice = f"not seen or out of place: {', '.join(map(str, missing))}" if missing else ""
    findings.append(HealthFinding("markers", not found.strays, f"{count} of {len(layout.centres_mm)}", advice))
    precise = found.error_px <= GOOD_POSE_PX
    bent = "" if precise else "check that the markers lie flat and where the plan shows"
    findings.append(HealthFinding("place", precise, f"{found.error_px:.2f} px error", bent))
    sharp = found.mm_per_px <= GOOD_MM_PER_PX
    nearer = "" if sharp else "bring the camera nearer or choose a higher resolution"
    findings.append(HealthFinding("resolution", sharp, f"{found.mm_per_px:.2f} mm a pixel", nearer))
    if isinstance(table, str):
        findings.append(HealthFinding("table", False, "not calibrated", table))
    else:
        grid = np.array([[x, y] for x in (-120.0, 0.0, 120.0) for y in (-100.0, 0.0, 100.0)])
        moved_mm = float(np.linalg.norm(found.to_table(table.pose.project(grid)) - grid, axis=1).max())
        held = moved_mm <= MOVED_MM
        again = "" if held else "the camera or the markers were moved: companion calibrate table"
        findings.append(HealthFinding("table", held, f"{moved_mm:.1f} mm from where it was", again))
    return (*findings, *_light(image, layout))


def _light(image: np.ndarray, layout: MarkerLayout) -> tuple[HealthFinding, ...]:
    """Overexposure of the whole picture, and darkness of the markers' paper."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    clipped = float((image.min(axis=2) >= 254).mean())
    paper = [
        float(np.percentile(gray[max(y - 4, 0) : y + 5, max(x - 4, 0) : x + 5], 90))
        for marker in find_markers(gray, layout)
        for x, y in np.round(marker.corners_px).astype(int)
    ]
    findings = [
        HealthFinding(
            "light",
            clipped <= CLIPPED_SHARE,
            f"{clipped:.1%} of the picture overexposed",
            "" if clipped <= CLIPPED_SHARE else "dim the lamp, or lower the camera's exposure",
        )
    ]
    if paper:
        bright = float(np.median(paper)) >= DARK_LEVEL
        advice = "" if bright else "more light, or a longer exposure"
        findings.append(HealthFinding("brightness", bright, f"white paper at {np.median(paper):.0f} of 255", advice))
    return tuple(findings)
