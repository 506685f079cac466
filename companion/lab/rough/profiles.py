"""The profiles of rooms by name: what sets and films are asked for."""

from __future__ import annotations

from collections.abc import Callable

from companion.lab.rough.profile import RoughProfile
from companion.lab.scenes.profile import PLAIN, Profile

PROFILES: dict[str, Callable[[int], Profile]] = {"plain": lambda _seed: PLAIN, "rough": RoughProfile}
"""Name -> the profile that is drawn from a seed."""
