"""Which of several phones is the camera: pictures of two views by turns show no table."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

SILENT_S = 3.0
"""A phone that has sent nothing for so long is the camera no more: another one takes over by itself."""


@dataclass
class CameraPhone:
    """The phone whose pictures are taken; asked from any thread."""

    _phone: str | None = None
    _sent_s: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def admits(self, phone: str, now_s: float, *, takes_over: bool = False) -> bool:
        """Whether a picture that `phone` sends at `now_s` is taken; `takes_over`: from now on its pictures are."""
        with self._lock:
            if self._phone not in (None, phone) and not takes_over and now_s - self._sent_s < SILENT_S:
                return False
            self._phone, self._sent_s = phone, now_s
            return True
