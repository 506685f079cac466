"""https for the phone's camera: a self-signed certificate, and a small front that decrypts and passes bytes on.

Browsers give a page the camera only over https. The front knows no HTTP: it ends TLS and carries bytes to the
server on the loopback and back. Its connections are bounded; more than MOST are closed at once.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import select
import socket
import ssl
import threading
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from companion.core.errors import DeviceError

MOST = 32
"""Connections at once: a few phones with six each."""
IDLE_S = 120.0
"""A connection that carries nothing for so long is closed."""
CHUNK = 65536
DAYS = 800
"""Longer than this, and some phones do not take a certificate at all."""


def certificate(folder: Path, address: str) -> Path:
    """The file with certificate and key for `address`, made at first start and when the address has changed."""
    path = folder / f"https-{address.replace(':', '-')}.pem"
    if path.exists() and not _expired(path.read_bytes()):
        return path
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tabletop companion")])
    now = datetime.datetime.now(datetime.UTC)
    names: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    if address != "127.0.0.1":
        names.append(x509.IPAddress(ipaddress.ip_address(address)))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(made.public_bytes(serialization.Encoding.PEM) + secret)
    return path


def _expired(pem: bytes) -> bool:
    return x509.load_pem_x509_certificate(pem).not_valid_after_utc < datetime.datetime.now(datetime.UTC)


class TlsFront:
    """Listens with TLS and carries every connection to `target`, each in a thread of its own."""

    def __init__(self, bind: tuple[str, int], target: tuple[str, int], pem: Path) -> None:
        """Raises DeviceError when the port is taken."""
        self._target = target
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.load_cert_chain(pem)
        try:
            self._listener = socket.create_server(bind)
        except OSError as error:
            raise DeviceError(
                f"port {bind[1]} cannot be opened: {error.strerror}", where="--https-port", remedy="Give another one."
            ) from error
        self._listener.settimeout(0.5)
        self.port = int(self._listener.getsockname()[1])
        self._stop = threading.Event()
        self._room = threading.BoundedSemaphore(MOST)
        self._thread = threading.Thread(target=self._accept, name="https", daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return  # closed
            if not self._room.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._carry, args=(connection,), name="https connection", daemon=True).start()

    def _carry(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(10)
            with (
                self._context.wrap_socket(connection, server_side=True) as phone,
                socket.create_connection(self._target, timeout=10) as server,
            ):
                phone.settimeout(10)
                self._pump(phone, server)
        except OSError:
            pass  # the phone went away, or speaks no TLS: its browser says so, and nothing here is lost
        finally:
            connection.close()
            self._room.release()

    def _pump(self, phone: ssl.SSLSocket, server: socket.socket) -> None:
        while not self._stop.is_set():
            # Decrypted bytes may wait inside the TLS layer, where select does not see them.
            ready = [phone] if phone.pending() else select.select([phone, server], [], [], IDLE_S)[0]
            if not ready:
                return
            for source in ready:
                data = source.recv(CHUNK)
                if not data:
                    return
                (server if source is phone else phone).sendall(data)

    def close(self) -> None:
        """Listen no more; open connections end with the server."""
        self._stop.set()
        self._listener.close()
        self._thread.join(2)
