"""Source, follower and settler as one: from each frame to whether it may be read, and from what pose."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.inputs import ViewState
from vision.follow import Follower, Following
from vision.pose import TablePose
from vision.settle import Settler, View
from vision.sources import Frame, FrameSource, SourceStatus


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One look: the frame (None when none came), what is known of the camera's place, the view, the source's health."""

    frame: Frame | None
    following: Following
    view: View
    status: SourceStatus

    @property
    def readable(self) -> tuple[Frame, TablePose] | None:
        """The frame and its pose when the view is settled; None when it must not be read."""
        if self.frame is None or self.view.state is not ViewState.SETTLED or self.following.pose is None:
            return None
        return self.frame, self.following.pose

    def void(self, reading_epoch: int) -> bool:
        """Whether a reading that was begun in `reading_epoch` is void: the camera has moved since."""
        return self.following.pose is None or self.following.epoch != reading_epoch


class Lookout:
    """Takes the newest frame of a started source and judges it; one thread calls `look`."""

    def __init__(self, source: FrameSource, follower: Follower, settler: Settler) -> None:
        self._source, self._follower, self._settler = source, follower, settler
        self._last = 0

    def look(self, timeout_s: float = 0.0) -> Sighting:
        """The newest frame not looked at yet, judged, waiting up to `timeout_s` for it.

        A stale source's frames are not judged: an unplugged camera goes on sending its last picture.
        """
        frame = self._source.newest(self._last, timeout_s)
        status = self._source.status()
        if frame is not None:
            self._last = frame.number
        if frame is None or not status.usable:
            return Sighting(None, self._follower.now, self._settler.without_frame(status), status)
        following = self._follower.see(frame.image, frame.time_s)
        return Sighting(frame, following, self._settler.see(frame.image, following, frame.time_s), status)
