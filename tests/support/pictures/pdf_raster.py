"""The filled rectangles of a PDF page as a picture: what a printer would put on the paper, text left out."""

from __future__ import annotations

import re
import zlib

import numpy as np

POINTS_PER_MM = 72 / 25.4
NUMBER = r"(-?[\d.]+)"
DRAWING = re.compile(
    rf"(?P<gray>{NUMBER}) g\b|(?P<rgb>{NUMBER} {NUMBER} {NUMBER}) rg\b"
    rf"|(?P<box>{NUMBER} {NUMBER} {NUMBER} {NUMBER}) re\s+f\b"
)


def pages(pdf: bytes) -> list[str]:
    """The drawing commands of each page."""
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)\nendstream", pdf, re.S):
        try:
            content = zlib.decompress(stream).decode("latin-1")
        except zlib.error:
            continue
        if " re" in content:
            found.append(content)
    return found


def page_sizes_mm(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of every MediaBox."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(float(w) / POINTS_PER_MM, float(h) / POINTS_PER_MM) for w, h in boxes]


def raster(content: str, size_mm: tuple[float, float], px_per_mm: float) -> np.ndarray:
    """(H, W) uint8: the page's filled rectangles, painted in their order on white."""
    scale = px_per_mm / POINTS_PER_MM
    height = round(size_mm[1] * px_per_mm)
    page = np.full((height, round(size_mm[0] * px_per_mm)), 255, np.uint8)
    level = 0
    for match in DRAWING.finditer(content):
        if match["gray"] or match["rgb"]:
            level = round(255 * float((match["gray"] or match["rgb"]).split()[0]))
            continue
        x, y, w, h = (float(v) * scale for v in match["box"].split())
        x, w = (x, w) if w >= 0 else (x + w, -w)
        y, h = (y, h) if h >= 0 else (y + h, -h)
        page[round(height - y - h) : round(height - y), round(x) : round(x + w)] = level
    return page
