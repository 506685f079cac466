"""The self-signed certificate of https: browsers give a page the camera only over https."""

from __future__ import annotations

import datetime
import ipaddress
import os
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

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

