"""A followed table of three for the tracker's tests."""

from __future__ import annotations

import pytest
from followed_table import Table


@pytest.fixture
def table() -> Table:
    """Three players have chosen; A begins. r1c1 and r1c2 need two cubes, r2c1 and r2c3 one."""
    one = Table.dealt()
    one.told("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    return one
