"""Anything at all as a short text that can stand in a message."""

from __future__ import annotations


def shown(value: object) -> str:
    """Anything as it can stand in a message; never raises."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # noqa: BLE001 - a repr that raises must not keep a check from answering
        text = type(value).__name__
    return text if len(text) <= 40 else text[:37] + "..."
