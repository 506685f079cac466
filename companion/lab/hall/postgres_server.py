"""A PostgreSQL server of our own for tests and benches: on loopback, in a temporary folder, run by an ordinary user."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg

from companion.core.errors import DataError

USER = "companion"


class PostgresServer:
    """Initialised and started on a free port; `stop` and `start` let a test pull its plug."""

    def __init__(self, *, fsync: bool = False) -> None:
        """`fsync`: write as a server in use does. Raises DataError when no PostgreSQL is installed."""
        self._fsync = "on" if fsync else "off"
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not found:
            raise DataError("no PostgreSQL is installed", where="/usr/lib/postgresql", remedy="make system-packages")
        self._bin = found[-1]
        self._folder = Path(tempfile.mkdtemp(prefix="companion-postgres-"))
        self._prefix: list[str] = []
        if os.geteuid() == 0:  # initdb refuses root
            shutil.chown(self._folder, "postgres", "postgres")
            self._prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self._data = str(self._folder / "data")
        self._names = count(1)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._run("initdb", "-D", self._data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start it; it has all that was committed."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        options += f" -c fsync={self._fsync}"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        """End it at once, as a fault does."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def new_place(self) -> str:
        """The URL of an empty place: a schema of its own, which is made and removed much faster than a database."""
        schema = f"test{next(self._names)}"
        with psycopg.connect(self._address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return f"{self._address()}?options=-csearch_path%3D{schema}"

    def program(self, name: str) -> str:
        """The path of one of PostgreSQL's own programs, such as pg_dump."""
        return str(self._bin / name)

    def remove(self) -> None:
        """End it and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder)

    def _address(self) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(self._bin / program), *arguments]
        subprocess.run(command, check=True, cwd=self._folder, stdout=subprocess.DEVNULL, timeout=600)
