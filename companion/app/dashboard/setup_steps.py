"""Devices and calibration of the set-up pages: what can be chosen, how each step stands, what a picture teaches."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.piece_colours.colour_enrolment import ColourPicture, learn_from_pictures, with_earlier, write_report
from calibration.piece_colours.piece_columns import columns_of_pieces
from calibration.profiles import LensProfile, ProfileStore, TableProfile, camera_identity
from companion.app.camera.known_box import COLOURS_FILE, KnownBox, enrolled_colours
from companion.app.dashboard.setup_checks import NO_PICTURE, colour_step, picture_steps
from companion.app.files import paths
from companion.app.files.atomic_write import write_whole
from companion.app.files.settings import Settings
from companion.core.errors import CompanionError, DataError, DeviceError
from companion.core.game_kit.any_table import any_layout, colour_groups, colours_to_learn
from companion.core.messages import NO_MESSAGE, Message, with_decimals
from companion.games import find_game
from firmware_bridge.ports import SerialSource
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, locate_table
from web.ports.devices import BoxPort, CameraPort
from web.ports.setup_step import SetupStep
from web.ports.tables import Offer

CAMERA_NONE = "none: what happens is entered by hand"
CAMERA_CHOOSE = "Choose one, or the phone."
CAMERA_LIVE = "{fps} pictures a second, {width} × {height}"
CAMERA_LOCKED = "the driver holds focus and exposure"
CAMERA_UNLOCKED = "the driver does not hold {what}: keep the light even"
CAMERA_PHONE = "Open “Phone as camera” on the phone and start it there."
CAMERA_STILL = "no new picture comes"
CAMERA_LOOK = "Look at its cable, or choose another one."
BOX_NONE = "none: players confirm on their phones"
BOX_CHOOSE = "Choose it, or do without."
BOX_LATER = "it joins when a game begins"
BOX_LIVE = "connected at {port}"
BOX_NAMED = "“{name}” is connected at {port}"
BOX_UNTESTED = "Test it once: each light, each button and each shield."
BOX_GONE = "it does not answer"
BOX_LOOK = "Look at its cable; `companion box doctor` finds what is wrong."
TILES_NONE = "the companion does not know your tiles"
TILES_LEARN = "Learn them once with the camera, or load a box file that somebody has made."
TILES_KNOWN = "known from {name}"
TILES_OTHER = "{name} is a box of another game"

KINDS = ("camera", "box", "tiles")
VIDEO_DEVICES = Path("/dev")


class Workbench:
    """See `web.ports.SetupPort`. Calls from any thread; `changed` takes care of the table being played."""

    def __init__(
        self,
        settings: Settings,
        sources: Mapping[str, str],
        devices: Callable[[], tuple[CameraPort | None, BoxPort | None]],
        frame: Callable[[], np.ndarray | None],
        changed: Callable[[], None],
    ) -> None:
        """`sources`: what is used for each of KINDS; `frame`: the newest picture; `changed`: called after a choice."""
        self._settings = settings
        self.sources = {kind: sources.get(kind, "") for kind in KINDS}
        self._devices, self._frame, self._changed = devices, frame, changed
        self.hall: Callable[[], SetupStep] | None = None

    @property
    def known(self) -> KnownBox | None:
        """The box whose tiles are known."""
        return KnownBox(Path(self.sources["tiles"])) if self.sources["tiles"] else None

    @property
    def markers(self) -> MarkerLayout:
        """Where the markers lie."""
        return MarkerLayout() if self.known is None else self.known.markers()

    def offers(self) -> Mapping[str, Offer]:
        """What can be chosen now."""
        videos = sorted(str(path) for path in VIDEO_DEVICES.glob("video*"))
        boxes = sorted(str(path) for path in (paths.data_dir(self._settings) / "boxes").glob("*.zip"))
        boards = SerialSource("auto").candidates()
        found = {"camera": ["", "browser", *videos], "box": ["", "auto", *boards, "virtual:"], "tiles": ["", *boxes]}
        return {
            kind: Offer(tuple(dict.fromkeys([*found[kind], self.sources[kind]])), self.sources[kind]) for kind in KINDS
        }

    def choose(self, which: str, source: str) -> None:
        """Use `source` from now on; the former one again when that cannot be used."""
        if which not in KINDS or source not in self.offers()[which].sources:
            raise ValueError(f"{source!r} is not offered as {which}")
        before, self.sources[which] = self.sources[which], source
        try:
            self._changed()
        except CompanionError:
            self.sources[which] = before
            self._changed()
            raise

    def steps(self, game: str) -> Sequence[SetupStep]:
        """How everything stands, in the order in which it is set up."""
        camera, box = self._devices()
        found = [self._camera_step(camera), self._box_step(box), self._tiles_step(game)]
        found += [] if self.hall is None else [self.hall()]
        if camera is None:
            return found
        image = self._frame()
        lens: LensProfile | str = ""
        table: TableProfile | str = ""
        if image is not None:
            store, who, size_wh = self._store(), camera_identity(self.sources["camera"]), image.shape[1::-1]
            lens, table = store.lens(who, size_wh), store.table(who, size_wh)
        found += picture_steps(image, self.markers, lens, table)
        wanted = colours_to_learn(find_game(game))
        if not wanted:
            return found  # no piece stands on the table of this game
        learnt = enrolled_colours(self._settings) or (None if self.known is None else self.known.colours())
        return [*found, colour_step(learnt, wanted)]

    def learn(self, what: str, game: str, group: int | None = None, piece: int | None = None) -> None:
        """Remember the table, or learn the colours of the game's pieces, of one group of them, or of one piece
        of a group, from the newest picture: no table has a colour unlike that of every piece."""
        image = self._frame()
        if image is None:
            raise DeviceError(NO_PICTURE, where="camera")
        who = camera_identity(self.sources["camera"])
        lens = self._store().lens(who, image.shape[1::-1])
        markers = self.markers
        pose = locate_table(image, markers, None if isinstance(lens, str) else lens.camera)
        if isinstance(pose, NotLocated):
            raise DataError(pose.reason, where="markers")
        if what == "table":
            self._store().save_table(TableProfile(who, pose, markers, int(time.time())))
            return
        spec = find_game(game)
        groups, wanted = colour_groups(spec), colours_to_learn(spec)
        if group is not None and group >= len(groups):
            raise DataError(f"{game} has {len(groups)} groups of pieces, there is no group {group}", where="colours")
        names = wanted if group is None else groups[group]
        if piece is not None:
            if piece >= len(names):
                raise DataError(f"there are {len(names)} colours to learn, there is no colour {piece}", where="colours")
            names = (names[piece],)
        side_mm = any_layout(spec).piece_side_mm
        pieces = columns_of_pieces(image, pose, names, markers, side_mm)
        now = replace(learn_from_pictures([ColourPicture(image, pose, pieces)], markers, side_mm), game=game)
        earlier = None if names == wanted else enrolled_colours(self._settings)
        report = with_earlier(now, earlier, wanted) if earlier is not None and earlier.may_be_of(game) else now
        write_report(paths.calibration_dir(self._settings) / COLOURS_FILE, report, write_whole)
        self._changed()

    def _store(self) -> ProfileStore:
        return ProfileStore(paths.calibration_dir(self._settings))

    def _camera_step(self, camera: CameraPort | None) -> SetupStep:
        if camera is None:
            return SetupStep("camera", "off", CAMERA_NONE, CAMERA_CHOOSE)
        health, look = camera.health(), camera.look()
        facts = {"fps": with_decimals(look.fps), "width": look.size[0], "height": look.size[1]}
        phone = self.sources["camera"] == "browser"
        if look.size == (0, 0):
            remedy = CAMERA_PHONE if phone else "" if health.state == "wait" else CAMERA_LOOK
            return SetupStep("camera", health.state, NO_PICTURE, remedy, detail=health.remedy)
        if health.state != "ok":
            remedy = CAMERA_PHONE if phone else CAMERA_LOOK
            return SetupStep("camera", "bad", CAMERA_STILL, remedy, detail=health.remedy)
        return SetupStep("camera", "ok", CAMERA_LIVE, "", facts, detail=_locks(camera.granted()))

    def _box_step(self, box: BoxPort | None) -> SetupStep:
        if not self.sources["box"]:
            return SetupStep("box", "off", BOX_NONE, BOX_CHOOSE)
        if box is None:
            return SetupStep("box", "wait", BOX_LATER)
        health = box.health()
        if health.state == "ok":
            about = box.about()
            facts = {"name": about.name, "port": about.port}
            told, remedy = BOX_NAMED if about.name else BOX_LIVE, "" if about.tested else BOX_UNTESTED
            return SetupStep("box", "ok", told, remedy, facts)
        return SetupStep("box", health.state, BOX_GONE, BOX_LOOK, detail=health.remedy)

    def _tiles_step(self, game: str) -> SetupStep:
        known = self.known
        if known is None:
            return SetupStep("tiles", "off", TILES_NONE, TILES_LEARN)
        name = {"name": known.path.name}
        return SetupStep("tiles", "ok", TILES_KNOWN, "", name) if known.game() == game else SetupStep(
            "tiles", "bad", TILES_OTHER, "", name
        )


def _locks(granted: str) -> Message:
    """What the driver holds, by what it granted (`vision.sources.grabbers`); empty where nothing is asked of it."""
    _, refused, what = granted.partition("not locked: ")
    if refused:
        return Message(CAMERA_UNLOCKED, what=tuple(what.split(", ")))
    return Message(CAMERA_LOCKED) if "locked" in granted else NO_MESSAGE
