"""The network of a simulated hall: a port for each table before the hub, with delay, loss and cuts by chance."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

CHUNK_BYTES = 4096
RESENT_S = 0.2
"""What a lost packet costs: TCP sends it again after 200 ms at least (RFC 6298 allows no less than that on Linux)."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad the links are: delay of a chunk each way, chance that it is lost once, chance that the connection breaks
    with it, and the part of the time that a link is cut, `cut_s` each time."""

    delay_s: float = 0.01
    lost: float = 0.01
    broken: float = 0.003
    cut_part: float = 0.10
    cut_s: float = 2.0


FINE = Weather(0.0, 0.0, 0.0, 0.0)


class Links:
    """The links of all tables, in one event loop. `port(n)` leads to the hub while its link is not cut."""

    def __init__(self, tables: int, hub_port: int, weather: Weather, seed: int) -> None:
        self._hub_port, self.weather = hub_port, weather
        self._chance = Random(seed)
        self._servers: list[asyncio.Server] = []
        self._cut = [False] * tables
        self._open: list[set[asyncio.Task[None]]] = [set() for _ in range(tables)]
        self.ports: list[int] = []
        self.cuts = self.broken = self.lost = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Listen for every table."""
        for number in range(len(self._cut)):
            server = await asyncio.start_server(self._taker(number), "127.0.0.1", 0)
            self._servers.append(server)
            self.ports.append(int(server.sockets[0].getsockname()[1]))
            self._tasks.append(asyncio.create_task(self._cut_by_chance(number)))

    async def close(self) -> None:
        """End all links."""
        for task in self._tasks:
            task.cancel()
        for server in self._servers:
            server.close()
        for number in range(len(self._cut)):
            self._end(number)

    def _end(self, number: int) -> None:
        for task in list(self._open[number]):
            task.cancel()

    async def _cut_by_chance(self, number: int) -> None:
        while True:
            weather = self.weather
            if not weather.cut_part:
                await asyncio.sleep(0.2)
                continue
            between_s = weather.cut_s * (1 - weather.cut_part) / weather.cut_part
            await asyncio.sleep(between_s * 2 * self._chance.random())
            if self.weather.cut_part:
                self._cut[number] = True
                self.cuts += 1
                self._end(number)
                await asyncio.sleep(weather.cut_s)
                self._cut[number] = False

    def _taker(self, number: int) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
        def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._carry(number, reader, writer))
            self._open[number].add(task)
            task.add_done_callback(self._open[number].discard)

        return take

    async def _carry(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far: asyncio.StreamWriter | None = None
        try:
            if self._cut[number]:
                return
            from_hub, far = await asyncio.open_connection("127.0.0.1", self._hub_port)
            ways = [asyncio.create_task(self._one_way(*way)) for way in ((reader, far), (from_hub, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                    with suppress(asyncio.CancelledError, OSError):
                        await way
        except OSError:
            return  # the hub is not there now
        finally:
            for end in (writer, far):
                if end is not None:
                    end.transport.abort()

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK_BYTES):
            weather = self.weather
            if weather.broken and self._chance.random() < weather.broken:
                self.broken += 1
                writer.write(data[: self._chance.randrange(len(data))])
                return
            if weather.lost and self._chance.random() < weather.lost:
                self.lost += 1
                await asyncio.sleep(RESENT_S)
            if weather.delay_s:
                await asyncio.sleep(weather.delay_s * 2 * self._chance.random())
            writer.write(data)
            await writer.drain()
