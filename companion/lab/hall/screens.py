"""A process with the screens of a simulated hall: many live streams read at once, each arrival noted.

`python -m companion.lab.hall.screens PORT STREAMS TABLES OVERVIEWS`: a stream for one table each in turn, and some with
all tables. After a word on its standard input the arrivals since the last one are printed as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import suppress

AGAIN_S = 0.5


class Screens:
    """All streams of this process."""

    def __init__(self, port: int, streams: int, tables: int, overviews: int) -> None:
        self._port = port
        self._wanted = ["" for _ in range(overviews)] + [f"?table={1 + n % tables}" for n in range(streams - overviews)]
        self.arrivals: list[tuple[int, int, str, int, float]] = []
        self.events = self.bytes = self.connected = 0

    async def run(self) -> None:
        """Read all streams until cancelled."""
        async with asyncio.TaskGroup() as group:
            for screen, query in enumerate(self._wanted):
                group.create_task(self._watch(screen, query))

    async def _watch(self, screen: int, query: str) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._read(screen, query)
            await asyncio.sleep(AGAIN_S)

    async def _read(self, screen: int, query: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        self.connected += 1
        try:
            writer.write(f"GET /api/live{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    now = time.time()
                    self.events += 1
                    self.bytes += len(line)
                    found = json.loads(line[6:])
                    if found.get("session"):
                        self.arrivals.append((screen, found["table"], found["session"], found["number"], now))
        finally:
            self.connected -= 1
            writer.transport.abort()


async def _main(port: int, streams: int, tables: int, overviews: int) -> None:
    screens = Screens(port, streams, tables, overviews)
    running = asyncio.create_task(screens.run())
    loop = asyncio.get_running_loop()
    words = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(words), sys.stdin)
    while line := await words.readline():
        if line.strip() == b"end":
            break
        print(json.dumps({"connected": screens.connected, "events": screens.events, "bytes": screens.bytes,
                          "arrivals": screens.arrivals}), flush=True)
        screens.arrivals, screens.events, screens.bytes = [], 0, 0
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


if __name__ == "__main__":
    asyncio.run(_main(*(int(each) for each in sys.argv[1:5])))
