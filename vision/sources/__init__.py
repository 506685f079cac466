"""Where pictures come from: cameras, files, directories, network cameras and a phone's browser, all alike."""

from vision.sources.base import CameraSettings, Frame, FrameSource, Health, SourceStatus
from vision.sources.browser import BrowserSource
from vision.sources.opening import open_source

__all__ = ["BrowserSource", "CameraSettings", "Frame", "FrameSource", "Health", "SourceStatus", "open_source"]
