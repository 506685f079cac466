"""The PostgreSQL server of the tests: that of the lab."""

from companion.lab.hall.postgres_server import PostgresServer

__all__ = ["PostgresServer"]
