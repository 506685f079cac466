"""The few shapes that all drawings are made of."""

from __future__ import annotations

from collections.abc import Iterable

INK, PALE = "#222", "#888"
STYLE = (
    "<style>text{font:13px sans-serif;fill:#222}.small{font-size:11px}.tiny{font-size:3px}"
    ".title{font-size:15px;font-weight:bold}.pin{font-weight:bold}</style>"
)


def text(x: float, y: float, words: str, more: str = "") -> str:
    """Words at a point."""
    return f'<text x="{x:g}" y="{y:g}" {more}>{words}</text>'


def line(*points: tuple[float, float], colour: str = INK, width: float = 1.8, more: str = "") -> str:
    """A line through points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" stroke="{colour}" fill="none" stroke-width="{width:g}" {more}/>'


def rect(x: float, y: float, w: float, h: float, more: str = 'fill="#fff" stroke="#222" stroke-width="1.6"') -> str:
    """A rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" {more}/>'


def circle(x: float, y: float, r: float, more: str = 'fill="#222"') -> str:
    """A disc."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" {more}/>'


def drawing(width: float, height: float, label: str, parts: Iterable[str], unit: str = "") -> str:
    """A whole SVG; with a unit such as "mm" it is true to size when printed."""
    size = f'width="{width:g}{unit}" height="{height:g}{unit}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size} role="img" '
    body = "\n".join([STYLE, rect(0, 0, width, height, 'fill="#fff"'), *parts])
    return f'{head}aria-label="{label}">\n{body}\n</svg>\n'
