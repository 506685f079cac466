"""Sources on real files, a real network camera on loopback and a pipe that blocks."""

from __future__ import annotations

import io
import os
import socket
import threading
import urllib.request
import weakref

import cv2
import numpy as np
import pytest
from mjpeg_camera import HandClock, MjpegCamera, jpeg

from companion.core.errors import DeviceError
from vision.sources import BrowserSource, Health, open_source
from vision.sources.grabbers import MjpegGrabber, decode_jpeg
from vision.sources.live import UNWANTED_S, LiveSource

WAIT_S = 120.0  # for a thread that is about to do something; not a delay, it goes on as soon as it happened


def until(condition) -> bool:
    """Wait for what another thread does."""
    tick = threading.Event()
    return any(condition() or tick.wait(0.01) for _ in range(int(WAIT_S / 0.01)))


@pytest.fixture
def camera():
    it = MjpegCamera()
    yield it
    it.close()


@pytest.fixture
def pictures(tmp_path):
    for number in range(1, 6):
        cv2.imwrite(str(tmp_path / f"{number:04d}.png"), np.full((8, 12, 3), number, np.uint8))
    return tmp_path


@pytest.fixture
def running():
    """Start a source, and stop it at the end whatever happens."""
    started = []

    def start(source):
        source.start()
        started.append(source)
        return source

    yield start
    for source in started:
        source.stop()


@pytest.mark.parametrize("text", ["{dir}", "replay:{dir}"])
def test_a_directory_gives_every_picture_once_and_in_order(text, pictures, running):
    source = running(open_source(text.format(dir=pictures)))
    seen, after = [], 0
    while (frame := source.newest(after)) is not None:
        seen.append((frame.number, frame.name, int(frame.image[0, 0, 0])))
        after = frame.number
    assert seen == [(n, f"{n:04d}.png", n) for n in range(1, 6)]
    assert source.status().health is Health.ENDED


def test_a_paced_replay_runs_by_itself_and_the_newest_frame_wins(pictures, running):
    source = running(open_source(f"replay:{pictures}?fps=200"))
    assert until(lambda: source.status().health is Health.ENDED)
    frame = source.newest()
    assert frame.number == 5
    assert frame.name == "0005.png"
    assert source.status().dropped == 4


def test_a_video_file_is_read_to_its_end(tmp_path, running):
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (64, 48))
    for number in range(8):
        writer.write(np.full((48, 64, 3), 20 * number, np.uint8))
    writer.release()
    source = running(open_source(str(path)))
    assert until(lambda: source.status().health is Health.ENDED)
    frame = source.newest()
    assert frame.number == 8
    assert abs(int(frame.image.mean()) - 140) < 4


def test_a_network_camera_gives_its_newest_picture(camera, running):
    clock = HandClock()
    source = running(open_source(camera.url, clock=clock))
    for number in range(1, 4):
        clock.now_s += UNWANTED_S
        camera.send(1)
        assert until(lambda number=number: source.status().frames == number)
    assert np.array_equal(source.newest().image, cv2.imdecode(np.frombuffer(jpeg(3), np.uint8), cv2.IMREAD_COLOR))
    assert source.newest(after=3) is None
    assert source.status().health is Health.LIVE


def test_frames_for_which_nobody_waits_are_counted_and_not_decoded(camera, running):
    clock = HandClock()
    source = running(open_source(camera.url, clock=clock))
    camera.send(1)
    assert until(lambda: source.status().frames == 1)
    camera.send(2)
    assert until(lambda: source.status().frames == 3)
    assert source.newest().number == 1
    assert source.newest(after=1) is None  # asked for: the next one is decoded, however soon it comes
    camera.send(1)
    assert until(lambda: source.status().frames == 4)
    frame = source.newest(after=1)
    assert frame.number == 4
    assert np.array_equal(frame.image, cv2.imdecode(np.frombuffer(jpeg(4), np.uint8), cv2.IMREAD_COLOR))


def resting(number: int, changed: bool = False) -> bytes:
    """A frame of a table at rest, which differs from the others by noise; `changed`: something has come."""
    noisy = 120 + np.random.default_rng(number).normal(0.0, 1.5, (96, 128, 3))
    if changed:
        noisy[40:64, 40:64] -= 30
    return cv2.imencode(".jpg", noisy.astype(np.uint8))[1].tobytes()


class Resting:
    """A network camera before which nothing moves, asked for what looks different; `frames` that it has sent."""

    def __init__(self, camera, running):
        self.clock = HandClock()
        self.camera, self.source, self.frames = camera, running(open_source(camera.url, clock=self.clock)), 0
        self.show(resting(1))
        self.source.newest(after=1, alike_s=1.0)

    def show(self, picture, after_s=UNWANTED_S):
        self.clock.now_s += after_s
        self.camera.show(picture)
        self.frames += 1
        assert until(lambda: self.source.status().frames == self.frames)

    def newest(self):
        return self.source.newest(after=0, alike_s=1.0).number


def test_of_a_table_at_rest_frames_that_look_alike_are_let_go_by(camera, running):
    table = Resting(camera, running)
    table.show(resting(2))  # the first one: the next ones are compared with it
    assert table.newest() == 2
    for number in (3, 4, 5):
        table.show(resting(number))
        assert table.newest() == 2
    table.show(resting(6, changed=True))
    assert table.newest() == 6
    table.show(resting(7, changed=True))
    assert table.newest() == 6
    assert table.source.status().health is Health.LIVE


def test_of_a_table_at_rest_a_frame_is_given_when_the_newest_is_old(camera, running):
    table = Resting(camera, running)
    table.show(resting(2))
    table.show(resting(3))
    table.show(resting(4), after_s=1.0)
    assert table.newest() == 4


def test_when_the_table_is_not_at_rest_any_more_frames_that_look_alike_are_given(camera, running):
    table = Resting(camera, running)
    table.show(resting(2))
    table.source.newest(after=2)
    table.show(resting(3), after_s=0.0)
    assert table.source.newest(after=2).number == 3


def test_a_frozen_camera_is_noticed_though_its_frames_are_not_decoded(camera, running):
    table = Resting(camera, running)
    for _ in range(6):
        table.show(resting(2))
    status = table.source.status()
    assert status.health is Health.STALE
    assert "the same picture" in status.reason


def test_a_silent_camera_is_stale_within_a_second(camera, running):
    clock = HandClock()
    source = running(open_source(camera.url, clock=clock))
    camera.send(2)
    assert until(lambda: source.status().frames == 2)
    clock.now_s += 1.0
    status = source.status()
    assert status.health is Health.STALE
    assert "no new picture" in status.reason
    camera.send(1)
    assert until(lambda: source.status().health is Health.LIVE)


def test_a_camera_that_repeats_its_last_picture_is_stale_within_a_second(camera, running):
    clock = HandClock()
    source = running(open_source(camera.url, clock=clock))
    camera.send(1)
    for n in range(2, 12):
        assert until(lambda n=n: source.status().frames == n - 1)
        clock.now_s += 0.1
        camera.repeat(1)
    assert until(lambda: source.status().frames == 11)
    status = source.status()
    assert status.health is Health.STALE
    assert "same picture" in status.reason


def test_a_lost_connection_is_said_and_mended_by_itself(camera, running):
    source = running(open_source(camera.url))
    camera.send(1)
    assert until(lambda: source.status().frames == 1)
    camera.hang_up()
    assert until(lambda: source.status().health is Health.GONE)
    assert "closed the connection" in source.status().reason
    camera.send(1)
    assert until(lambda: source.status().health is Health.LIVE)
    assert source.status().reopened >= 1
    assert source.newest(after=1).number == 2
    assert camera.connections == 2


def test_an_address_where_nobody_answers_is_said_with_what_to_do(running):
    source = running(open_source("http://127.0.0.1:9/video"))
    assert until(lambda: source.status().health is Health.GONE)
    assert "check the address" in source.status().reason


def test_a_read_that_blocks_is_noticed_and_given_up(tmp_path, running):
    pipe = tmp_path / "camera"
    os.mkfifo(pipe)
    clock = HandClock()
    opened = []

    class BlockingCamera:
        """One picture, then a read that does not come back: as a driver does when the plug is pulled."""

        details, mark = "64 x 48", None

        def __init__(self) -> None:
            opened.append(self)
            self.given = False

        def advance(self):
            if self.given:
                with pipe.open("rb", buffering=0) as stream:
                    stream.read(1)
            self.given = True
            return True

        def decode(self):
            return np.full((48, 64, 3), len(opened), np.uint8), ""

        def close(self) -> None:
            pass

    source = running(LiveSource("blocking", BlockingCamera, live=True, clock=clock))
    assert until(lambda: source.status().frames == 1)
    clock.now_s += 1.0
    assert source.status().health is Health.STALE
    clock.now_s += 1.5
    assert until(lambda: source.status().health is Health.GONE)
    clock.now_s += 0.5
    assert until(lambda: source.status().frames == 2)
    assert source.status().health is Health.LIVE
    assert len(opened) == 2
    source.stop()
    with open(os.open(pipe, os.O_RDWR), "wb", buffering=0) as end:  # never blocks: let the hanging reads end
        end.write(bytes(len(opened)))
        for thread in threading.enumerate():
            if thread.name == "reader blocking":
                thread.join(WAIT_S)
                assert not thread.is_alive()


def test_a_missing_camera_is_said_with_what_to_do(running):
    source = running(open_source("63"))
    assert until(lambda: source.status().health is Health.GONE)
    assert "ls /dev/video*" in source.status().reason


@pytest.mark.parametrize(
    "text", ["", "camera", "replay:/does/not/exist", "nothing.mp4", "nothing.jpg", "ftp://host/x", "replay:.?speed=2"]
)
def test_a_text_that_names_nothing_is_refused_with_what_is_expected(text):
    with pytest.raises(DeviceError, match="expected"):
        open_source(text)


def test_a_directory_without_pictures_is_refused(tmp_path):
    with pytest.raises(DeviceError, match="no pictures"):
        open_source(str(tmp_path)).start()


def test_browser_pictures_arrive_and_a_sleeping_phone_is_stale():
    clock = HandClock()
    source = BrowserSource(clock=clock)
    assert source.status().health is Health.OPENING
    source.push(jpeg(1))
    source.push(jpeg(2))
    assert source.status().health is Health.LIVE
    assert source.newest().number == 2
    assert source.status().dropped == 1
    clock.now_s += 1.0
    assert source.status().health is Health.STALE
    source.stop()
    with pytest.raises(DeviceError, match="closed"):
        source.push(jpeg(3))


@pytest.mark.parametrize("data", [b"", b"no picture", jpeg(1)[:40], b"\xff\xd8" + b"0" * 9_000_000])
def test_what_is_no_picture_is_refused(data):
    with pytest.raises(DeviceError):
        BrowserSource().push(data)


def test_of_thousands_of_frames_only_the_newest_stays_in_memory(running):
    made = []

    class Endless:
        details, mark = "", None

        def advance(self):
            return True

        def decode(self):
            image = np.zeros((48, 64, 3), np.uint8)
            made.append(weakref.ref(image))
            return image, ""

        def close(self) -> None:
            pass

    source = running(LiveSource("endless", Endless, live=False))
    assert until(lambda: source.status().frames > 2000)
    source.stop()
    assert until(lambda: sum(ref() is not None for ref in made) <= 2)
    assert source.newest().number > 2000


def test_of_pictures_that_have_all_come_the_last_one_is_taken_and_no_half_one_is_waited_for() -> None:
    pictures = [jpeg(number, (16, 12)) for number in range(9)]
    with socket.create_server(("127.0.0.1", 0)) as camera:
        opened: list[MjpegGrabber] = []
        url = f"http://127.0.0.1:{camera.getsockname()[1]}/"
        opening = threading.Thread(target=lambda: opened.append(MjpegGrabber(url)))
        opening.start()
        connection, _ = camera.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace\r\n\r\n")
            opening.join()
            (grabber,) = opened
            connection.sendall(b"--\r\n\r\n".join(pictures[:8]) + pictures[8][:100])
            grabber.advance()
            assert (grabber.decode()[0] == decode_jpeg(pictures[7])).all()
            connection.sendall(pictures[8][100:])
            grabber.advance()
            assert (grabber.decode()[0] == decode_jpeg(pictures[8])).all()
            grabber.close()


@pytest.mark.parametrize("at_once", [1, 7, 64])
def test_pictures_that_come_in_small_pieces_are_found_whole_wherever_their_marks_are_cut(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:  # noqa: ARG002 - no more has come, however much is asked for
            return super().read1(at_once)

    pictures = [jpeg(1), jpeg(2)]
    sent = b"".join(b"--frame\r\n\r\n" + picture + b"\r\n" for picture in pictures)
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: Slow(sent))
    grabber = MjpegGrabber("http://192.0.2.1/")
    for picture in pictures:
        grabber.advance()
        assert (grabber.decode()[0] == decode_jpeg(picture)).all()
    with pytest.raises(DeviceError, match="closed the connection"):
        grabber.advance()
