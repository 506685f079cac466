"""The lens, backups and switching off, as the pages have them."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET
from web_kit import Caller, hosting, make_app

from calibration.profiles import LensProfile, ProfileStore
from companion.app.files.backup import write_backup
from companion.app.files.evening import Evening, keep_evening, last_evening
from companion.app.files.paths import KEY_FOLDERS, calibration_dir
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.upkeep.backups import INCOMING, NEXT, REFUSED, Backups, restore_what_waits
from companion.app.upkeep.examination import Examination
from companion.app.upkeep.lens_bench import LensBench
from companion.app.upkeep.upkeep import Upkeep
from companion.core.errors import CompanionError, DataError, DeviceError
from companion.i18n import LANGUAGES
from vision.locate.markers import MarkerLayout
from web.ports.setup_step import SetupStep
from web.texts import translator

VIEWS = sorted((SMALL_SET / "calibration").glob("*.jpg"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path / "data"))


def bench(settings: Settings, frames: list[np.ndarray], changed: list[str]) -> LensBench:
    """A bench that sees the first of `frames`; the test takes it away."""
    return LensBench(settings, lambda: frames[0] if frames else None, lambda: "browser", MarkerLayout,
                     lambda: changed.append("lens"))


def test_a_lens_is_measured_from_what_is_shown_and_used_when_it_is_good(settings: Settings) -> None:
    frames: list[np.ndarray] = []
    changed: list[str] = []
    lens = bench(settings, frames, changed)
    with pytest.raises(DeviceError, match="No picture"):
        lens.look()
    frames.append(np.zeros((720, 1280, 3), np.uint8))
    assert not lens.look().running
    lens.begin()
    assert lens.look().advice == "Hold the printed board into the picture."
    for path in VIEWS:
        image = cv2.imread(str(path))
        assert image is not None
        frames[0] = image
        seen = lens.look()
        assert len(seen.board) >= 4
    assert seen.views >= 6
    assert sum(map(sum, seen.fields)) >= 4
    again = lens.look()
    assert again.views == seen.views, "a picture that was looked at tells nothing new"
    lens.finish()
    result = lens.look().result
    assert result is not None
    assert result.good == (result.error_px <= 0.5)
    kept = ProfileStore(calibration_dir(settings)).lens("browser", (frames[0].shape[1], frames[0].shape[0]))
    assert isinstance(kept, LensProfile) == result.good
    assert changed == (["lens"] if result.good else [])


def test_a_lens_of_too_few_views_is_refused_and_the_collection_goes_on(settings: Settings) -> None:
    frames = [np.zeros((720, 1280, 3), np.uint8)]
    lens = bench(settings, frames, [])
    lens.begin()
    lens.look()
    with pytest.raises(DataError, match="at least 6"):
        lens.finish()
    assert lens.look().running
    lens.end()
    assert not lens.look().running


def backed_up(settings: Settings, tmp_path: Path) -> bytes:
    folder = Path(settings.data_dir)
    folder.mkdir()
    with open_store(settings):
        pass
    (folder / "profile.txt").write_text("old", encoding="utf-8")
    write_backup(settings, tmp_path / "backup.zip")
    (folder / "profile.txt").write_text("new", encoding="utf-8")
    return (tmp_path / "backup.zip").read_bytes()


def backups(settings: Settings, tmp_path: Path, begun: list[str]) -> Backups:
    return Backups(settings, lambda: tmp_path / "companion.toml", lambda: begun.append("anew"))


def test_a_backup_is_handed_in_in_parts_tried_and_put_in_place_at_the_next_start(
    settings: Settings, tmp_path: Path
) -> None:
    data = backed_up(settings, tmp_path)
    begun: list[str] = []
    page = backups(settings, tmp_path, begun)
    assert page.take(0, b"something older") == 15
    half = len(data) // 2
    assert page.take(0, data[:half]) == half
    with pytest.raises(ValueError, match="expected bytes from"):
        page.take(half + 1, data[half:])
    assert page.take(half, data[half:]) == len(data)
    assert page.holds().parts >= 2
    page.restore()
    folder = Path(settings.data_dir)
    assert begun == ["anew"]
    assert (folder / "profile.txt").read_text(encoding="utf-8") == "new", "nothing is replaced while it runs"
    done = restore_what_waits(settings, tmp_path / "companion.toml")
    assert done is not None
    assert (folder / "profile.txt").read_text(encoding="utf-8") == "old"
    assert done.kept is not None
    assert (done.kept / "profile.txt").read_text(encoding="utf-8") == "new"
    assert not (done.kept / NEXT).exists()
    assert restore_what_waits(settings, tmp_path / "companion.toml") is None


def test_a_backup_of_the_page_has_no_keys_and_leaves_a_machine_its_own(settings: Settings, tmp_path: Path) -> None:
    backed_up(settings, tmp_path)
    folder = Path(settings.data_dir)
    for name in KEY_FOLDERS:
        (folder / name).mkdir()
        (folder / name / "key").write_text("own", encoding="utf-8")
    page = backups(settings, tmp_path, [])
    file = page.make()
    with zipfile.ZipFile(file) as archive:
        assert not [name for name in archive.namelist() if name.split("/")[0] in KEY_FOLDERS]
    page.take(0, file.read_bytes())
    page.restore()
    restore_what_waits(settings, tmp_path / "companion.toml")
    assert [(folder / name / "key").read_text(encoding="utf-8") for name in KEY_FOLDERS] == ["own"] * len(KEY_FOLDERS)


def test_a_backup_from_anybody_brings_a_page_neither_keys_nor_devices(settings: Settings, tmp_path: Path) -> None:
    theirs = Settings(data_dir=str(tmp_path / "theirs"))
    for name in KEY_FOLDERS:
        (Path(theirs.data_dir) / name).mkdir(parents=True)
        (Path(theirs.data_dir) / name / "key").write_text("planted", encoding="utf-8")
    keep_evening(theirs, Evening("friday", {"camera": "http://10.0.0.1/admin", "tiles": "/etc/hosts"}))
    with open_store(theirs):
        write_backup(theirs, tmp_path / "planted.zip")
    folder = Path(settings.data_dir)
    for name in KEY_FOLDERS:
        (folder / name).mkdir(parents=True)
        (folder / name / "key").write_text("own", encoding="utf-8")
    keep_evening(settings, Evening("", {"camera": "0"}))
    page = backups(settings, tmp_path, [])
    page.take(0, (tmp_path / "planted.zip").read_bytes())
    page.restore()
    restore_what_waits(settings, tmp_path / "companion.toml")
    kept = {name: (folder / name / "key").read_text(encoding="utf-8") for name in KEY_FOLDERS}
    assert kept == {"web": "own", "hall": "own", "hub": "own", "secrets": "planted"}, "a bag is of its record"
    assert last_evening(settings) == Evening("friday", {"camera": "0"})


def test_what_is_no_backup_changes_nothing(settings: Settings, tmp_path: Path) -> None:
    backed_up(settings, tmp_path)
    begun: list[str] = []
    page = backups(settings, tmp_path, begun)
    with pytest.raises(DataError, match="no backup was handed in"):
        page.holds()
    page.take(0, b"PK nothing")
    with pytest.raises(DataError, match="this is no backup"):
        page.restore()
    assert begun == []
    page.forget()
    assert not (Path(settings.data_dir) / INCOMING).exists()


def test_a_waiting_backup_that_has_become_unsound_is_set_aside(settings: Settings, tmp_path: Path) -> None:
    backed_up(settings, tmp_path)
    (Path(settings.data_dir) / NEXT).write_bytes(b"PK nothing")
    with pytest.raises(CompanionError):
        restore_what_waits(settings, tmp_path / "companion.toml")
    assert restore_what_waits(settings, tmp_path / "companion.toml") is None
    assert (Path(settings.data_dir) / REFUSED).exists()


def test_a_backup_made_for_a_page_is_whole(settings: Settings, tmp_path: Path) -> None:
    backed_up(settings, tmp_path)
    page = backups(settings, tmp_path, [])
    file = page.make()
    page.take(0, file.read_bytes())
    assert page.holds().sessions == ()
    file.unlink()
    file.parent.rmdir()


def keeping(settings: Settings, ran: list[Sequence[str]]) -> Upkeep:
    markers = MarkerLayout
    examined = Examination(settings, lambda: "192.168.1.7", lambda: None, markers,
                           lambda game: [SetupStep("camera", "bad", "no new picture comes", "Look.", {"game": game})])
    return Upkeep(settings, bench(settings, [], []), Backups(settings, Path, lambda: None), examined, ran.append)


def test_a_machine_is_switched_off_only_where_that_is_set(settings: Settings) -> None:
    ran: list[Sequence[str]] = []
    assert not keeping(settings, ran).can_shut_down
    with pytest.raises(DataError, match="not one that is switched off"):
        keeping(settings, ran).shut_down()
    assert ran == []
    keeping(replace(settings, shut_down="page"), ran).shut_down()
    assert ran == [("systemctl", "poweroff")]


def test_the_doctor_tells_of_machine_and_table_and_its_report_has_no_place(settings: Settings) -> None:
    looked = keeping(settings, [])
    keys = [step.key for step in looked.steps("envyra")]
    assert keys == ["disk", "clock", "network", "https", "browser", "camera"]
    text = looked.report("envyra").decode()
    assert "no new picture comes" in text
    assert "MB are free" in text
    assert '"good": false' in text
    assert "data_dir" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_says_what_a_backup_does_not_bring_and_how_it_is_brought(tmp_path: Path, language: str) -> None:
    with hosting(tmp_path, game=False) as host:
        page = Caller(make_app(host), "referee").http.get(f"/backup?lang={language}").get_data(as_text=True)
        own = page[page.index('id="own"') :].partition("</p>")[0]
        for word in ("Camera", "Button box"):
            assert translator(language)(word).split()[-1][:5].lower() in own.lower()
        assert "companion backup FILE" in own
        assert "companion restore FILE" in own
