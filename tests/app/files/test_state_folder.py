"""An earlier companion's data is moved below the service's own folder, and a page's restore works there."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from killed_work import killed, moments
from run_companion import Companion

from companion.app.files.backup import STORE, write_backup
from companion.app.files.evening import Evening, keep_evening, last_evening
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.files.state_folder import MOVING, STATE_VARIABLE, move_into_data_folder
from companion.app.upkeep.backups import NEXT, restore_what_waits
from companion.app.wiring import resume_table
from companion.core.errors import CompanionError, DataError

FIRST_RELEASED = Path(__file__).parents[2] / "data" / "upgrade" / "schema-1.zip"
OURS = {"boxes/mine.zip": "a box", "web/access.json": "{}", "evening.json": "{}", NEXT: "waits"}
OF_THE_HOME = {".config/tabletop-companion/companion.toml": 'language = "sk"', "lost+found/x": ""}


def laid_out(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A service's folder as an earlier companion left it."""
    folder = tmp_path / "state"
    laid_out(folder, OURS | OF_THE_HOME)
    with open_store(Settings(data_dir=str(folder))):
        pass
    return folder


@pytest.fixture
def settings(state: Path) -> Settings:
    return Settings(data_dir=str(state / "data"))


def texts(folder: Path) -> dict[str, str]:
    """The files of a folder without the record's own and without what the link shows again."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(STORE) and not any(p.is_symlink() for p in path.parents)
    }


def test_all_but_the_home_is_moved_and_a_box_is_found_where_it_was(settings: Settings, state: Path) -> None:
    assert move_into_data_folder(settings, str(state)) == state / "data"
    assert texts(state / "data") == OURS
    assert (state / "data" / STORE).exists()
    assert {path.name for path in state.iterdir()} == {"data", "boxes", ".config", "lost+found"}
    assert (state / "boxes" / "mine.zip").read_text(encoding="utf-8") == "a box"
    assert move_into_data_folder(settings, str(state)) is None


def test_nothing_is_moved_where_no_manager_gives_a_folder_or_another_is_set(settings: Settings, state: Path) -> None:
    before = texts(state)
    assert move_into_data_folder(settings, "") is None
    assert move_into_data_folder(Settings(data_dir=str(state)), str(state)) is None
    assert move_into_data_folder(Settings(data_dir=str(state / "further" / "data")), str(state)) is None
    assert texts(state) == before


def test_a_new_service_begins_with_nothing(tmp_path: Path) -> None:
    (tmp_path / ".config").mkdir()
    assert move_into_data_folder(Settings(data_dir=str(tmp_path / "data")), str(tmp_path)) is None
    assert not (tmp_path / "data").exists()


def test_data_in_both_places_is_told_and_left(settings: Settings, state: Path) -> None:
    laid_out(state / "data", {"web/access.json": "another"})
    before = texts(state)
    with pytest.raises(DataError, match="something here too"):
        move_into_data_folder(settings, str(state))
    assert texts(state) == before


def test_a_record_in_use_is_not_moved(tmp_path: Path) -> None:
    with zipfile.ZipFile(FIRST_RELEASED) as archive:
        archive.extractall(tmp_path)
    old = Settings(data_dir=str(tmp_path))
    with open_store(old) as store:
        table = resume_table(store, old, "old-rifts")
        try:
            with pytest.raises(CompanionError, match="old-rifts"):
                move_into_data_folder(Settings(data_dir=str(tmp_path / "data")), str(tmp_path))
        finally:
            table.close()


def test_killed_at_any_moment_the_next_start_goes_on(settings: Settings, state: Path, tmp_path: Path) -> None:
    shutil.copytree(state, tmp_path / "as it was")
    for at in moments(lambda: move_into_data_folder(settings, str(state))):
        shutil.rmtree(state)
        shutil.copytree(tmp_path / "as it was", state)
        killed(lambda: move_into_data_folder(settings, str(state)), at)
        move_into_data_folder(settings, str(state))
        assert texts(state / "data") == OURS
        assert not (state / MOVING).exists()
        assert (state / "boxes").is_symlink()


def test_serve_moves_first_and_stops_when_it_cannot(state: Path) -> None:
    laid_out(state / "data", {"web/access.json": "another"})
    served = Companion(state, COMPANION_DATA_DIR=str(state / "data"), **{STATE_VARIABLE: str(state)})
    done = served("serve", "--port", "0", "--no-https")
    assert done.code == 3
    assert "something here too" in done.err


def test_a_service_that_may_not_write_beside_its_folder_restores(settings: Settings, state: Path) -> None:
    """What failed before: the parent of the service's folder is root's. Here nothing appears in it."""
    move_into_data_folder(settings, str(state))
    (state / "data" / NEXT).unlink()
    write_backup(settings, state / "backup.zip")
    (state / "backup.zip").rename(state / "data" / NEXT)
    outside = {path.name for path in state.parent.iterdir()}
    done = restore_what_waits(settings, state / "companion.toml")
    assert done is not None
    assert done.kept is not None
    assert done.kept.parent == state
    assert {path.name for path in state.parent.iterdir()} == outside


def test_the_chosen_box_is_found_after_the_folder_was_moved(tmp_path: Path) -> None:
    before, after = Settings(data_dir=str(tmp_path / "a")), Settings(data_dir=str(tmp_path / "b"))
    keep_evening(before, Evening("friday", {"tiles": str(tmp_path / "a" / "boxes" / "mine.zip"), "camera": "0"}))
    (tmp_path / "a").rename(tmp_path / "b")
    assert last_evening(after).sources == {"tiles": str(tmp_path / "b" / "boxes" / "mine.zip"), "camera": "0"}
    keep_evening(after, Evening("friday", {"tiles": "/elsewhere/mine.zip"}))
    assert last_evening(after).sources["tiles"] == "/elsewhere/mine.zip"
