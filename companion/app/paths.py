"""Where the companion keeps its files on this machine."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from companion.app.settings import Settings

APP = "tabletop-companion"


def config_file() -> Path:
    """The settings file that is read when it exists."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "companion.toml"


def data_dir(settings: Settings) -> Path:
    """The folder of records and secrets; made when something is written."""
    return Path(settings.data_dir or platformdirs.user_data_dir(APP, appauthor=False)).expanduser()


def store_address(settings: Settings) -> str:
    """Path or URL of the record."""
    return settings.store or str(data_dir(settings) / "sessions.sqlite")


def secrets_dir(settings: Settings) -> Path:
    """Where the digital bag's secrets wait for the end of their games."""
    return data_dir(settings) / "secrets"
