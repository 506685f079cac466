"""https by a certificate of our own: made once, kept privately, and the same pages behind it."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import stat
import urllib.request
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from web_kit import hosting

from companion.app.dashboard.server import tls
from companion.app.dashboard.server.serve import serving
from companion.app.dashboard.server.tls import DAYS, certificate
from companion.app.machine.checks import certificate_ends
from companion.core.errors import DeviceError


def test_the_certificate_is_made_once_names_the_address_and_is_private(tmp_path: Path) -> None:
    first = certificate(tmp_path, "192.168.7.9")
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    kept = first.read_bytes()
    assert certificate(tmp_path, "192.168.7.9").read_bytes() == kept
    assert certificate(tmp_path, "10.0.0.4") != first
    named = x509.load_pem_x509_certificate(kept).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ipaddress.ip_address("192.168.7.9") in named.get_values_for_type(x509.IPAddress)


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.7.9", "fd00::7"])
def test_another_implementation_reads_the_certificate_and_finds_it_signed_by_its_own_key(
    tmp_path: Path, address: str
) -> None:
    path = certificate(tmp_path, address)
    made = x509.load_pem_x509_certificate(path.read_bytes())
    made.verify_directly_issued_by(made)
    key = serialization.load_pem_private_key(path.read_bytes(), None)
    assert key.public_key() == made.public_key()
    assert made.not_valid_after_utc == certificate_ends(path)
    assert made.not_valid_after_utc - made.not_valid_before_utc == datetime.timedelta(days=DAYS + 1)
    limits = made.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (limits.critical, limits.value.ca) == (True, False)
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert ipaddress.ip_address(address) in names.get_values_for_type(x509.IPAddress)


def test_a_certificate_that_has_ended_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "DAYS", -1)
    ended = certificate(tmp_path, "192.168.7.9").read_bytes()
    monkeypatch.undo()
    assert certificate(tmp_path, "192.168.7.9").read_bytes() != ended


def test_pages_come_over_https_and_the_name_is_checked_by_the_browser(tmp_path: Path) -> None:
    with hosting(tmp_path) as host, serving(host, tmp_path, bind="127.0.0.1", port=0, https_port=0) as where:
        context = ssl.create_default_context(cafile=str(certificate(tmp_path, "127.0.0.1")))
        with urllib.request.urlopen(f"{where.https_url}/api/state", context=context) as answer:
            assert answer.status == 200
            assert b"envyra" in answer.read()
        with pytest.raises(OSError, match="certificate"):
            urllib.request.urlopen(f"{where.https_url}/api/state", context=ssl.create_default_context())


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for ports in ({"port": port}, {"port": 0, "https_port": port}):
            with (
                hosting(tmp_path, game=False) as host,
                pytest.raises(DeviceError, match=f"port {port}"),
                serving(host, tmp_path, bind="127.0.0.1", **ports),
            ):
                pytest.fail("a port that is taken was opened")
