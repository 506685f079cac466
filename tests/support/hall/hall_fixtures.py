"""Fixtures of the tests of hub and hall: a hall on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hall_kit import Clock, a_hall

from companion.hub.hall import Hall


@pytest.fixture
def hub_place(postgres_server: Any) -> str:
    """The address of an empty place for a hall."""
    address: str = postgres_server.new_place()
    return address


@pytest.fixture
def hall_and_clock(hub_place: str) -> Iterator[tuple[Hall, Clock]]:
    """A hall and its clock."""
    with a_hall(hub_place) as found:
        yield found


@pytest.fixture
def hall(hall_and_clock: tuple[Hall, Clock]) -> Hall:
    """A hall."""
    return hall_and_clock[0]
