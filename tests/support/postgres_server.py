"""A PostgreSQL server of our own for tests: on loopback, in a temporary folder, run by an ordinary user."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg

USER = "companion"


class PostgresServer:
    """Initialised and started on a free port; `stop` and `start` let a test pull its plug."""

    def __init__(self) -> None:
        self._bin = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
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
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"test{next(self._names)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._address(name)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def _address(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(self._bin / program), *arguments]
        subprocess.run(command, check=True, cwd=self._folder, stdout=subprocess.DEVNULL, timeout=60)
