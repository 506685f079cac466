"""The self-signed certificate of https: browsers give a page the camera only over https."""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import os
import secrets
from pathlib import Path

from asn1crypto import keys, pem, x509
from ecdsa import NIST256p, SigningKey
from ecdsa.util import sigencode_der

from companion.app.machine.checks import certificate_ends

DAYS = 800
"""Longer than this, and some phones do not take a certificate at all."""

SERIAL_BITS = 159
"""RFC 5280, 4.1.2.2: positive and of at most 20 bytes; by chance, so that no other certificate of this name has it."""

SIGNED_BY = {"algorithm": "sha256_ecdsa"}


def certificate(folder: Path, address: str) -> Path:
    """The file with certificate and key for `address`, made at first start and when the address has changed."""
    path = folder / f"https-{address.replace(':', '-')}.pem"
    if path.exists() and certificate_ends(path) > datetime.datetime.now(datetime.UTC):
        return path
    key = SigningKey.generate(curve=NIST256p)
    content = _content(address, key.verifying_key.to_der(), datetime.datetime.now(datetime.UTC).replace(microsecond=0))
    # The only signing done here: connections are OpenSSL's, so that nobody can time this one.
    signature = key.sign_deterministic(content.dump(), hashfunc=hashlib.sha256, sigencode=sigencode_der)
    made = x509.Certificate(
        {"tbs_certificate": content, "signature_algorithm": SIGNED_BY, "signature_value": signature}
    )
    folder.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem.armor("CERTIFICATE", made.dump()) + key.to_pem())
    return path


def _content(address: str, public_der: bytes, now: datetime.datetime) -> x509.TbsCertificate:
    """What is signed: the public key, since when and until when, and the addresses (RFC 5280, 4.1.2 and 4.2.1)."""
    name = x509.Name.build({"common_name": "Tabletop companion"})
    addresses = dict.fromkeys(("127.0.0.1", str(ipaddress.ip_address(address))))
    return x509.TbsCertificate({
        "version": "v3",
        "serial_number": secrets.randbits(SERIAL_BITS) + 1,
        "signature": SIGNED_BY,
        "issuer": name,
        "validity": {
            "not_before": x509.Time(name="utc_time", value=now - datetime.timedelta(days=1)),
            "not_after": x509.Time(name="utc_time", value=now + datetime.timedelta(days=DAYS)),
        },
        "subject": name,
        "subject_public_key_info": keys.PublicKeyInfo.load(public_der),
        "extensions": [
            {"extn_id": "basic_constraints", "critical": True, "extn_value": {"ca": False}},
            {"extn_id": "subject_alt_name", "critical": False, "extn_value": [
                x509.GeneralName(name="dns_name", value="localhost"),
                *(x509.GeneralName(name="ip_address", value=each) for each in addresses),
            ]},
        ],
    })
