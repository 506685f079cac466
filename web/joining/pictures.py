"""QR codes as pictures that a page can draw and a phone can scan."""

from __future__ import annotations

from io import BytesIO

import segno

QUIET_MODULES = 4
"""The white border that ISO/IEC 18004 asks for round a code: a dark page would else touch it."""


def code_svg(text: str) -> str:
    """The QR code of `text`, black on white, as an SVG document that takes the size of the place it is put in."""
    written = BytesIO()
    # On a screen nothing is torn or dirty: the lowest level, raised where it costs no module, keeps the modules large.
    code = segno.make(text, error="l", boost_error=True)
    code.save(written, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=QUIET_MODULES, dark="#000",
              light="#fff", nl=False)
    return written.getvalue().decode("utf-8")
