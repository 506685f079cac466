"""Fixtures of the tests of a hall's pages."""

from hall_fixtures import hall, hall_and_clock, hub_place

__all__ = ["hall", "hall_and_clock", "hub_place"]
