"""A table's connection to its hub: JSON over https, kept open, with the certificate that was seen when it joined."""

from __future__ import annotations

import hashlib
import http.client
import json
import ssl
from typing import Any
from urllib.parse import urlsplit

from companion.core.errors import CompanionError, DataError
from companion.core.files import parse_json

TIMEOUT_S = 10.0
"""How long an answer is waited for; the table plays on meanwhile."""
ANSWER_MOST_BYTES = 100_000
JOIN, REPORT = "/api/table/join", "/api/table/report"


class HubLinkError(CompanionError):
    """The hub cannot be reached now."""


class HubRefusal(CompanionError):  # noqa: N818 - it is an answer
    """The hub has answered that it does not take this: `status` of HTTP."""

    def __init__(self, status: int, message: str, *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.status = status


class HubLink:
    """One connection; for one thread. `certificate`: SHA-256 in hex of the one certificate that is trusted, "" for
    those that the system trusts."""

    def __init__(self, url: str, certificate: str = "", timeout_s: float = TIMEOUT_S) -> None:
        """Raises DataError when `url` is no address."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise DataError(f"{url!r} is no address of a hub", remedy="Expected https://HOST:PORT, as on its page.")
        self._parts, self._certificate, self._timeout_s = parts, certificate, timeout_s
        self._connection: http.client.HTTPConnection | None = None

    def post(self, path: str, body: Any, key: str = "") -> Any:
        """Send JSON; the JSON of the answer. Raises HubLinkError when none came, HubRefusal for a refusal."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        data = json.dumps(body, ensure_ascii=False).encode()
        try:
            if self._connection is None:
                self._connection = self._open()
            self._connection.request("POST", self._parts.path.rstrip("/") + path, data, headers)
            answer = self._connection.getresponse()
            text = answer.read(ANSWER_MOST_BYTES)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise HubLinkError(f"the hub cannot be reached: {error}", where=self._parts.geturl()) from error
        try:
            found = parse_json(text)
        except ValueError as error:
            self.close()
            raise HubLinkError(
                f"what answers there ({answer.status}) is no hub of a hall", where=self._parts.geturl(),
                remedy="Compare the address with the one on the organiser's page.",
            ) from error
        if answer.status >= 500 or answer.status in (408, 429):
            raise HubLinkError(f"the hub is busy ({answer.status})", where=self._parts.geturl())
        if answer.status >= 400:
            wrong = found.get("error", {}) if isinstance(found, dict) else {}
            raise HubRefusal(answer.status, str(wrong.get("message", answer.status)),
                             remedy=str(wrong.get("remedy", "")))
        return found

    def close(self) -> None:
        """Close the connection; the next `post` opens another."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    def _open(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        if not self._certificate:
            return http.client.HTTPSConnection(host, port, timeout=self._timeout_s)
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # the one certificate that is trusted is compared below
        connection = http.client.HTTPSConnection(host, port, timeout=self._timeout_s, context=context)
        connection.connect()
        seen = certificate_of(connection)
        if seen != self._certificate:
            connection.close()
            raise HubLinkError("the hub has another certificate than when this table joined", where=host,
                               remedy="If it was made anew, join again with a new code.")
        return connection


def certificate_of(connection: http.client.HTTPSConnection) -> str:
    """SHA-256 in hex of the certificate of an open connection."""
    shown = connection.sock.getpeercert(binary_form=True)
    return hashlib.sha256(shown or b"").hexdigest()


def certificate_to_trust(url: str) -> str:
    """The certificate that a hub shows, when the system does not trust it; "" when it does, or the address is plain
    http. Raises HubLinkError when the hub cannot be reached, DataError for no address."""
    link = HubLink(url)
    parts = urlsplit(url)
    if parts.scheme == "http":
        return ""
    try:
        connection = link._open()
        connection.connect()
        connection.close()
    except ssl.SSLCertVerificationError:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        own = http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_S, context=context)
        try:
            own.connect()
            return certificate_of(own)
        finally:
            own.close()
    except OSError as error:
        raise HubLinkError(f"the hub cannot be reached: {error}", where=url) from error
    return ""
