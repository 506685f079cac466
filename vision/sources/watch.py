"""Whether a camera still lives, from when its frames came and what they looked like; the time is passed in."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from companion.core.messages import NO_MESSAGE, Message, with_decimals
from vision.sources.base import Health

# All noticed within one second (the next look at the status adds nothing: it is decided when asked).
SILENT_S = 0.9  # no frame for so long: stale; the slowest webcams send one every 0.2 s in the dark
REPEATED_S = 0.9  # the same picture bit for bit for so long: an unplugged camera often repeats its last frame
REPEATED_FRAMES = 3
ABANDON_S = 2.0  # a read that has not come back for so long is given up and the camera opened again
OPEN_S = 10.0  # cameras take seconds to open
BACKOFF_S = (0.25, 0.5, 1.0, 2.0, 4.0)  # waits between attempts to open; the last one repeats
SPARSE = 16  # every 16th row tells whether two pictures are the same


def fingerprint(image: np.ndarray) -> int:
    """A number that differs when two frames of a live camera differ: sensor noise changes every row."""
    return zlib.crc32(np.ascontiguousarray(image[::SPARSE]).data)


@dataclass(slots=True)
class SourceWatch:
    """The times of one opened source. `live`: it is a camera, so that equal pictures are suspicious."""

    live: bool
    opened_s: float
    last_frame_s: float | None = None
    last_change_s: float = 0.0
    same: int = 0
    mark: int | None = None

    def frame(self, now_s: float, mark: int) -> None:
        """A frame with this fingerprint came."""
        self.last_frame_s = now_s
        if mark == self.mark:
            self.same += 1
            return
        self.mark, self.same, self.last_change_s = mark, 1, now_s

    def skipped(self, now_s: float) -> None:
        """A frame came at which nobody looked."""
        self.last_frame_s = now_s

    def health(self, now_s: float) -> tuple[Health, Message]:
        """The health at this moment, and why."""
        if self.last_frame_s is None:
            if now_s - self.opened_s < SILENT_S:
                return Health.OPENING, NO_MESSAGE
            waited = f"{now_s - self.opened_s:.0f}"
            return Health.OPENING, Message("no picture yet after {seconds} s", seconds=waited)
        silent = now_s - self.last_frame_s
        if self.live and silent >= SILENT_S:
            return Health.STALE, Message("no new picture for {seconds} s", seconds=with_decimals(silent))
        same = now_s - self.last_change_s
        if self.live and self.same >= REPEATED_FRAMES and same >= REPEATED_S:
            message = "the same picture again and again for {seconds} s: the camera is frozen or unplugged"
            return Health.STALE, Message(message, seconds=with_decimals(same))
        return Health.LIVE, NO_MESSAGE

    def hopeless(self, now_s: float) -> bool:
        """Whether to give this attempt up and open the source anew."""
        if self.last_frame_s is None:
            return now_s - self.opened_s >= OPEN_S
        if not self.live:
            return False
        frozen = self.same >= REPEATED_FRAMES and now_s - self.last_change_s >= ABANDON_S
        return frozen or now_s - self.last_frame_s >= ABANDON_S


def backoff_s(attempt: int) -> float:
    """The wait before attempt number `attempt` (0: the first one after a failure)."""
    return BACKOFF_S[min(attempt, len(BACKOFF_S) - 1)]
