"""Nothing that a page offers is refused, wherever chance leads; `offer_walk.py` walks a thousand times."""

from __future__ import annotations

from pathlib import Path

import pytest
from offer_walk import GAMES, walk
from web_kit import hosting


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_pages_offer_is_never_refused_and_nobody_is_left_without_an_offer(tmp_path: Path, game: str) -> None:
    with hosting(tmp_path, game=False) as host:
        done = walk(host, game, seed=3, steps=25)
    assert done.taken.total() > 10
    assert done.faults == []
