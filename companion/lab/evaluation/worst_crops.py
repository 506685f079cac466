"""The worst crops of an evaluation as one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.lab.evaluation.comparison import Mistake
from vision.scenes.contact_sheet import AMBER, CROP_PX, RED, SHEET_WIDTH_PX, caption_bar, framed, in_rows
from vision.scenes.scene_set import SceneSet, picture

MOST_CROPS = 40


def worst_crops(scenes: SceneSet, mistakes: Sequence[Mistake], path: Path) -> None:
    """Write the crops of the gravest mistakes as one picture: what was not flagged comes first."""
    ranked = sorted((m for m in mistakes if m.corners_px), key=lambda m: (m.flagged, m.kind != "tile"))[:MOST_CROPS]
    tiles = []
    for mistake in ranked:
        image = picture(scenes.root / f"{mistake.picture}.jpg")
        middle = np.array(mistake.corners_px).mean(0)
        outer = (middle + (np.array(mistake.corners_px) - middle) * 1.3).astype(np.float32)
        target = np.array([[0, 0], [CROP_PX, 0], [CROP_PX, CROP_PX], [0, CROP_PX]], np.float32)
        crop = cv2.warpPerspective(image, cv2.getPerspectiveTransform(outer, target), (CROP_PX, CROP_PX))
        flag = "asked" if mistake.flagged else "NOT ASKED"
        text = f"{mistake.picture} {mistake.place}\n{mistake.wanted}\n-> {mistake.got} {flag}"
        tiles.append(framed(crop, text, AMBER if mistake.flagged else RED))
    cv2.imwrite(str(path), in_rows(tiles) if tiles else caption_bar("no mistakes", SHEET_WIDTH_PX))
