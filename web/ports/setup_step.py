"""A step of the set-up, which the doctor of the machine shows as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step of the set-up: how it stands (ok, wait, bad, off), what is so, and the next thing to do.

    `text` and `remedy` are message ids filled from `facts`; `can` names what the page may do about it ("table",
    "colours"; "" for nothing); `detail` is the finding as it came.
    """

    key: str
    state: str
    text: str
    remedy: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    can: str = ""
    detail: str = ""
