"""The companion's name on the local network, here the loopback: found by who looks for it, gone when it is closed."""

from __future__ import annotations

import threading

import pytest
from zeroconf import IPVersion, Zeroconf

from companion.app.dashboard.server.local_name import KIND, LocalName, label

LOOK_MS = 5000


@pytest.mark.parametrize(
    ("host_name", "expected"),
    [
        ("raspberrypi", "raspberrypi"), ("Obývačka.lan", "obyvacka"), ("My PC's", "my-pc-s"), ("кухня", "companion"),
        ("a" * 70, "a" * 40),
    ],
)
def test_a_machines_name_becomes_a_label_of_plain_letters(host_name: str, expected: str) -> None:
    assert label(host_name) == expected


def test_the_name_is_found_on_the_network_with_address_and_port() -> None:
    told: list[str] = []
    named = threading.Event()

    def tell(name: str) -> None:
        told.append(name)
        named.set()

    name = LocalName("127.0.0.1", 8123, "Obývačka", tell)
    try:
        assert named.wait(LOOK_MS / 1000)
        assert told == ["obyvacka.local"]
        with Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only) as looker:
            found = looker.get_service_info(KIND, f"Tabletop companion obyvacka.{KIND}", LOOK_MS)
        assert found is not None
        assert (found.server, found.port, found.parsed_addresses()) == ("obyvacka.local.", 8123, ["127.0.0.1"])
    finally:
        name.close()
