"""What reads the pieces of a map: those on its spaces, and the tokens on the corners where three spaces meet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import Face
from vision.appearance.picture_light import PieceColours
from vision.appearance.placed_face import FaceScan
from vision.tables.maps.standing.corner_tokens import CornerTokens
from vision.tables.maps.standing.pieces_on_spaces import PiecesOnSpaces


@dataclass(frozen=True, slots=True, eq=False)
class StandingPieces:
    """The readers of the spaces and of the corners of one map."""

    on_spaces: PiecesOnSpaces
    on_corners: CornerTokens

    @classmethod
    def of(
        cls, layout: TableLayout, scans: Mapping[Face, FaceScan], square_mm: float, colours: PieceColours,
        corners: Sequence[SlotOutline], corner_tokens: Collection[str],
    ) -> StandingPieces:
        """Those of a map whose spaces show the `scans`, squares `square_mm` wide. `colours`: of all pieces; the tokens
        that only ever lie on `corners` are the `corner_tokens`."""
        tokens = tuple(name for name in colours.names if name in corner_tokens)
        figures = tuple(name for name in colours.names if name not in tokens)
        return cls(
            PiecesOnSpaces(layout, scans, square_mm, colours.only(figures)),
            CornerTokens(corners, colours.only(tokens), layout.piece_side_mm),
        )
