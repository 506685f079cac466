"""The tally of captured faces by the rules of the game that a set of pictures is of, with the set's own catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.core.files import parse_json
from companion.core.game import GameSpec
from companion.core.types import Face, ScoreLine, SeatScore
from companion.games import DEFAULT_GAME, find_game


def game_of_set(folder: Path) -> str:
    """The game that a set's layout.json names; sets that name none are of the default one. Raises DataError."""
    path = folder / "layout.json"
    try:
        return str(parse_json(path.read_text(encoding="utf-8")).get("game", DEFAULT_GAME))
    except (OSError, ValueError, AttributeError) as error:
        raise DataError(f"expected the layout of a set of pictures, got {error!r}", where=str(path)) from error


@dataclass(frozen=True, slots=True)
class CapturedScore:
    """Scores captured faces of one edition of `spec`."""

    spec: GameSpec
    catalogue: Any

    @classmethod
    def of_set(cls, folder: Path) -> CapturedScore:
        """For the tiles of the set of pictures in `folder`. Raises DataError for a game without such a tally."""
        spec = find_game(game_of_set(folder))
        if spec.score_faces is None:
            raise DataError(f"{spec.title} has no tally of captured pieces", where=str(folder))
        return cls(spec, spec.load_catalogue(folder / "catalogue.json"))

    def of(self, faces: tuple[Face, ...]) -> SeatScore:
        """The tally of these faces."""
        assert self.spec.score_faces is not None
        return self.spec.score_faces(self.catalogue, faces)

    def sets(self, score: SeatScore) -> list[ScoreLine]:
        """The lines that count sets of faces, those without points left out."""
        return [line for line in score.lines if line.clause == self.spec.set_clause and line.points]

    def as_json(self, score: SeatScore) -> dict[str, int]:
        """Points of tiles, of sets, and their total."""
        sets = sum(line.points for line in self.sets(score))
        return {"tiles": score.total - sets, "sets": sets, "total": score.total}
