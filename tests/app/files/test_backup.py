"""A backup puts everything back, is tried before it replaces anything, and a kill at any moment loses nothing.

`tests/data/upgrade/schema-1.zip` is a data folder as the first released schema left it: a sealed digital bag, three
games, a profile, a box file, the pages' key and a picture. It is never written anew.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from killed_work import LAST, killed, moments
from run_companion import Companion

from companion.app.files.backup import HERE_ONLY, MANIFEST, SETTINGS, STORE, write_backup
from companion.app.files.restore import UNFINISHED, restore
from companion.app.files.sessions import open_store, read_session
from companion.app.files.settings import Settings, load_settings
from companion.app.upkeep.backups import NEXT, restore_what_waits
from companion.app.wiring import resume_table
from companion.core.errors import CompanionError, DataError, RecordError
from companion.table.commands import Note, Topic

OLD = Path(__file__).parents[2] / "data" / "upgrade" / "schema-1.zip"
SESSIONS = ("old-envyra", "old-rifts", "old-spyrium")
OTHER_FILES = {
    "boxes/mine.toml", "calibration/camera.json", "pictures/old-envyra/000002-after.jpg",
    "secrets/old-envyra.1.secret", "web/access.json",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a companion with an old data folder."""
    folder = tmp_path / "home" / "data"
    with zipfile.ZipFile(OLD) as archive:
        archive.extractall(folder)
    return Settings(data_dir=str(folder), language="sk")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config" / "companion.toml"


def empty(settings: Settings) -> Settings:
    """Settings of another machine, without a data folder."""
    return Settings(data_dir=str(Path(settings.data_dir).parents[1] / "elsewhere" / "data"))


def contents(settings: Settings) -> dict[str, str]:
    """What is in a data folder: the digest of each file, and the head of each session."""
    folder = Path(settings.data_dir)
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*") if path.is_file() and not path.relative_to(folder).as_posix().startswith(STORE)
    }
    with open_store(settings) as store:
        return found | {f"session {name}": store.session(name).head for name in store.names()}


def test_everything_comes_back_on_another_machine(settings: Settings, tmp_path: Path, config: Path) -> None:
    before = contents(settings)
    assert {name for name in before if not name.startswith("session")} == OTHER_FILES
    write_backup(settings, tmp_path / "backup.zip")
    found = restore(empty(settings), tmp_path / "backup.zip", config=config)
    after = contents(empty(settings))
    assert after.pop(SETTINGS)
    assert after == before
    assert sorted(found.sessions) == list(SESSIONS)
    assert load_settings({}, config).language == "sk"
    assert found.kept is None


def test_first_released_data_folder_is_gone_on_with(settings: Settings) -> None:
    with open_store(settings) as store:
        for session in SESSIONS:
            assert read_session(store, session).history.state is not None
            table = resume_table(store, settings, session)
            number = table.session.number
            assert table.session.ask(Note(topic=Topic.REMARK, text="after the upgrade")).accepted
            table.close()
            assert store.session(session).records == number + 1


def test_backup_is_for_its_owner_alone(settings: Settings, tmp_path: Path) -> None:
    write_backup(settings, tmp_path / "backup.zip")
    assert (tmp_path / "backup.zip").stat().st_mode & 0o777 == 0o600


def test_settings_that_are_there_are_not_replaced(settings: Settings, tmp_path: Path, config: Path) -> None:
    write_backup(settings, tmp_path / "backup.zip")
    config.parent.mkdir()
    config.write_text('language = "cs"\n', encoding="utf-8")
    restore(empty(settings), tmp_path / "backup.zip", config=config)
    assert config.read_text(encoding="utf-8") == 'language = "cs"\n'


def test_what_was_there_is_kept(settings: Settings, tmp_path: Path, config: Path) -> None:
    write_backup(settings, tmp_path / "backup.zip")
    later = Path(settings.data_dir) / "boxes" / "later.toml"
    later.write_text("# learnt after the backup", encoding="utf-8")
    found = restore(settings, tmp_path / "backup.zip", config=config)
    assert not later.exists()
    assert found.kept is not None
    assert (found.kept / "boxes" / "later.toml").exists()


def test_try_changes_nothing(settings: Settings, tmp_path: Path, config: Path) -> None:
    write_backup(settings, tmp_path / "backup.zip")
    (Path(settings.data_dir) / "boxes" / "later.toml").touch()
    before = contents(settings)
    assert len(restore(settings, tmp_path / "backup.zip", config=config, only_try=True).sessions) == len(SESSIONS)
    assert contents(settings) == before
    assert [path.name for path in Path(settings.data_dir).parent.iterdir()] == ["data"]
    assert not config.exists()


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """Change the members of a backup."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def listed_again(members: dict[str, bytes]) -> None:
    """Make the list fit the members: a forger's work, which digests do not show."""
    data = json.loads(members[MANIFEST])
    data["parts"] = [{"name": n, "size": len(b), "sha256": hashlib.sha256(b).hexdigest()}
                     for n, b in members.items() if n != MANIFEST]
    members[MANIFEST] = json.dumps(data).encode()


def forged_store(statement: str) -> Callable[[dict[str, bytes]], None]:
    """Change the store by a statement."""

    def change(members: dict[str, bytes]) -> None:
        with closing(sqlite3.connect(":memory:")) as store:
            store.deserialize(members[STORE])
            store.execute(statement)
            store.commit()
            members[STORE] = store.serialize()
        listed_again(members)

    return change


def outside(members: dict[str, bytes]) -> None:
    members["../outside"] = b"x"
    listed_again(members)


UNSOUND: list[tuple[str, Callable[[dict[str, bytes]], object], type[CompanionError], str]] = [
    ("a trigger",
     forged_store("CREATE TRIGGER lost BEFORE INSERT ON companion_records BEGIN SELECT RAISE(IGNORE); END"),
     RecordError, "more than keep rows: trigger lost"),
    ("a view", forged_store("CREATE VIEW other AS SELECT * FROM companion_records"), RecordError, "view other"),
    ("a rule of conflicts", forged_store("CREATE TABLE other (a INTEGER PRIMARY KEY ON CONFLICT IGNORE)"),
     RecordError, "table other"),
    ("a part is missing", lambda m: m.pop("web/access.json"), DataError, "web/access.json"),
    ("a part changed", lambda m: m.update({"boxes/mine.toml": b"# a box filE"}), DataError, "mine.toml: changed"),
    ("a part grew", lambda m: m.update({"boxes/mine.toml": b"# a box file!"}), DataError, "expected 12 bytes, got 13"),
    ("a part is foreign", lambda m: m.update({"more": b""}), DataError, "more: not in the list"),
    ("a part leads outside", outside, DataError, "no place in a data folder"),
    ("the list is missing", lambda m: m.pop(MANIFEST), DataError, "no sound list"),
    ("the list is another's", lambda m: m.update({MANIFEST: b'{"format":"x","schema":1,"parts":[]}'}), DataError,
     "expected companion-backup"),
    ("a record changed",
     forged_store("UPDATE companion_records SET line = replace(line, 'old-rifts', 'old-rafts')"), RecordError,
     "old-rifts"),
    ("the record is of a later companion",
     forged_store("UPDATE companion_meta SET value = '99' WHERE key = 'schema'"), RecordError, "schema 99"),
]


@pytest.mark.parametrize(("change", "error", "said"), [row[1:] for row in UNSOUND], ids=[row[0] for row in UNSOUND])
def test_unsound_backup_is_refused_and_changes_nothing(
    settings: Settings, tmp_path: Path, config: Path, change: Callable[[dict[str, bytes]], None],
    error: type[CompanionError], said: str,
) -> None:
    file = tmp_path / "backup.zip"
    write_backup(settings, file)
    rewritten(file, change)
    before = contents(settings)
    with pytest.raises(error, match=said):
        restore(settings, file, config=config)
    assert contents(settings) == before
    assert [path.name for path in Path(settings.data_dir).parent.iterdir()] == ["data"]
    assert not (tmp_path / "home" / "outside").exists()


@pytest.mark.parametrize("cut", [0, 10, 1000])
def test_cut_off_backup_is_refused(settings: Settings, tmp_path: Path, config: Path, cut: int) -> None:
    file = tmp_path / "backup.zip"
    write_backup(settings, file)
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(DataError, match="no backup"):
        restore(settings, file, config=config)


def test_settings_of_a_backup_name_no_place_of_this_machine(
    settings: Settings, tmp_path: Path, config: Path
) -> None:
    write_backup(settings, tmp_path / "backup.zip")

    def planted(members: dict[str, bytes]) -> None:
        places = 'language = "sk"\ngames_dir = "boxes"\nstore = "other.sqlite"\nshut_down = "page"\n'
        members[SETTINGS] = places.encode()
        listed_again(members)

    rewritten(tmp_path / "backup.zip", planted)
    restore(empty(settings), tmp_path / "backup.zip", config=config)
    taken = load_settings({}, config)
    assert taken.language == "sk"
    assert {getattr(taken, name) == getattr(Settings(), name) for name in HERE_ONLY} == {True}


def test_record_in_use_is_not_replaced(settings: Settings, tmp_path: Path, config: Path) -> None:
    write_backup(settings, tmp_path / "backup.zip")
    with open_store(settings) as store:
        table = resume_table(store, settings, "old-rifts")
        try:
            with pytest.raises(CompanionError, match="old-rifts"):
                restore(settings, tmp_path / "backup.zip", config=config)
        finally:
            table.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_idle_dashboard_of_another_process_is_named(settings: Settings, tmp_path: Path, config: Path) -> None:
    write_backup(settings, tmp_path / "backup.zip")
    hold = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, str(Path(settings.data_dir) / STORE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(CompanionError, match=f"process {other.pid} uses the record"):
            restore(settings, tmp_path / "backup.zip", config=config)
        other.communicate("")


def test_game_goes_on_while_a_backup_is_written(settings: Settings, tmp_path: Path, config: Path) -> None:
    with open_store(settings) as store:
        table = resume_table(store, settings, "old-rifts")
        write_backup(settings, tmp_path / "backup.zip")
        table.close()
    assert sorted(restore(empty(settings), tmp_path / "backup.zip", config=config).sessions) == list(SESSIONS)


def test_backup_inside_the_data_folder_is_refused(settings: Settings) -> None:
    with pytest.raises(DataError, match="cannot lie in the folder"):
        write_backup(settings, Path(settings.data_dir) / "backup.zip")


def test_killed_backup_leaves_the_old_one_and_the_data(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "kept" / "backup.zip"
    file.parent.mkdir()
    write_backup(settings, file)
    whole, before = file.read_bytes(), contents(settings)
    for at in moments(lambda: write_backup(settings, file)):
        file.write_bytes(whole)
        killed(lambda: write_backup(settings, file), at)
        with zipfile.ZipFile(file) as archive:  # the old one or the new one, never a part of one
            assert archive.testzip() is None
            assert MANIFEST in archive.namelist()
        assert contents(settings) == before


def test_killed_restore_leaves_the_old_folder_or_the_new_one_and_goes_on(
    settings: Settings, tmp_path: Path, config: Path
) -> None:
    file, home = tmp_path / "backup.zip", Path(settings.data_dir).parent
    write_backup(settings, file)
    restored = contents(settings)
    (Path(settings.data_dir) / "boxes" / "later.toml").write_text("# learnt after the backup", encoding="utf-8")
    old = contents(settings)
    shutil.copytree(home, tmp_path / "as it was")

    def again() -> None:
        shutil.rmtree(home)
        shutil.copytree(tmp_path / "as it was", home)

    seen = set()
    for at in moments(lambda: restore(settings, file, config=config)):
        again()
        killed(lambda: restore(settings, file, config=config), at)
        now = contents(settings)
        now.pop(SETTINGS, None)
        assert now in (old, restored)
        seen.add(now == old)
        kept = [path for path in home.iterdir() if path.name != "data" and not (path / UNFINISHED).exists()]
        assert now == old or any((path / "boxes" / "later.toml").exists() for path in kept)
        restore(settings, file, config=config)  # and again, whole
        assert {k: v for k, v in contents(settings).items() if k != SETTINGS} == restored
        assert not [path for path in home.iterdir() if (path / UNFINISHED).exists()]
    assert seen == {True, False}


def test_a_restore_that_waits_for_the_next_start_outlives_a_kill(
    settings: Settings, tmp_path: Path, config: Path
) -> None:
    file, home = tmp_path / "backup.zip", Path(settings.data_dir).parent
    write_backup(settings, file)
    restored = contents(settings)
    (Path(settings.data_dir) / "boxes" / "later.toml").write_text("# learnt after the backup", encoding="utf-8")
    shutil.copy(file, Path(settings.data_dir) / NEXT)
    shutil.copytree(home, tmp_path / "as it was")
    for at in list(moments(lambda: restore_what_waits(settings, config)))[-LAST::3]:
        shutil.rmtree(home)
        shutil.copytree(tmp_path / "as it was", home)
        killed(lambda: restore_what_waits(settings, config), at)
        restore_what_waits(settings, config)  # the next start
        now = {k: v for k, v in contents(settings).items() if k != SETTINGS}
        assert now == restored
        assert restore_what_waits(settings, config) is None


def test_commands_say_what_they_did(settings: Settings, tmp_path: Path) -> None:
    companion = Companion(Path(settings.data_dir))
    file = str(tmp_path / "backup.zip")
    assert "parts" in companion("backup", file).out
    assert "Nothing was changed." in companion("restore", file, "--try").out
    done = companion("restore", file)
    assert (done.code, done.err) == (0, "")
    assert "3 sessions follow the rules" in done.out
    assert "data.before-restore-1" in done.out
