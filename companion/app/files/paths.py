"""Where the companion keeps its files on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from companion.app.files.settings import CONFIG_VARIABLE, Settings

APP = "tabletop-companion"
SECRETS, WEB, HALL, HUB = "secrets", "web", "hall", "hub"
KEY_FOLDERS = (WEB, SECRETS, HALL, HUB)
"""Below the data folder, those that hold keys: whoever has them can be anybody at this table, or its hub."""


def config_file() -> Path:
    """The settings file that is read when it exists."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "companion.toml"


def config_in_use() -> Path:
    """The settings file that is read: the one that COMPANION_CONFIG names, else the usual one."""
    named = os.environ.get(CONFIG_VARIABLE)
    return Path(named) if named else config_file()


def data_dir(settings: Settings) -> Path:
    """The folder of records and secrets; made when something is written."""
    return Path(settings.data_dir or platformdirs.user_data_dir(APP, appauthor=False)).expanduser()


def store_address(settings: Settings) -> str:
    """Path or URL of the record."""
    return settings.store or str(data_dir(settings) / "sessions.sqlite")


def secrets_dir(settings: Settings) -> Path:
    """Where the digital bag's secrets wait for the end of their games."""
    return data_dir(settings) / SECRETS


def web_dir(settings: Settings) -> Path:
    """Where the keys of the pages' tokens, their PIN and the table's certificates are kept."""
    return data_dir(settings) / WEB


def hall_dir(settings: Settings) -> Path:
    """Where the key by which this table is known to its hall is kept."""
    return data_dir(settings) / HALL


def hub_dir(settings: Settings) -> Path:
    """Where a hub on this machine keeps the key and the certificate of its pages."""
    return data_dir(settings) / HUB


def calibration_dir(settings: Settings) -> Path:
    """Where the profiles of cameras and tables, and the colours of the pieces, are kept."""
    return data_dir(settings) / "calibration"


def pictures_dir(settings: Settings, session: str) -> Path:
    """Where a session's evidence pictures are kept."""
    return data_dir(settings) / "pictures" / session


def capture_files(settings: Settings, session: str) -> tuple[Path, ...]:
    """The captures of the button box's bytes of a session, oldest first: one for each time the box was opened."""
    found = (data_dir(settings) / "captures").glob(f"{session}.box*.jsonl")
    return tuple(sorted(found, key=lambda path: (len(path.name), path.name)))


def next_capture(settings: Settings, session: str) -> Path:
    """The file for the next capture of a session."""
    number = len(capture_files(settings, session)) + 1
    return data_dir(settings) / "captures" / f"{session}.box{'' if number == 1 else f'-{number}'}.jsonl"
