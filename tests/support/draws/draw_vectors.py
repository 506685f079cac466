"""The known answers of the digital bag, one JSON document that both verifiers are checked against."""

from __future__ import annotations

import json
from typing import Any

from draw_records import urn_export

from companion.draws import generator

SESSION = "evening-1"
SECRETS = ("00" * 32, "ff" * 32, "8f4f0e2b6f6d0c1a9be3a1f07c55e2d4b1a0c3d2e5f60718293a4b5c6d7e8f90")
CONTRIBUTIONS = (
    {"step": "add", "bag": 1, "seat": "A", "how": "dice", "value": "3 1 6 6 2"},
    {"step": "add", "bag": 1, "seat": "B", "how": "phrase", "value": "Žltý kôň “x” \\ 🎲"},
    {"step": "close", "bag": 1},
)
SALT = "00112233445566778899aabbccddeeff"
TOTALS = (1, 2, 3, 5, 6, 22, 24, 504, 2**32 + 15, 2**255 + 1, 2**256, 2**256 + 1, 3**400)


def vectors() -> str:
    """The document as text, one answer a line."""
    keys = [generator.bag_key(bytes.fromhex(secret), "0123456789abcdef" * 4) for secret in SECRETS]
    code = generator.commitment(SESSION, 1, bytes.fromhex(SECRETS[2]))
    document: dict[str, list[Any]] = {
        "commitments": [
            {
                "session": SESSION,
                "bag": 1,
                "secret": secret,
                "is": generator.commitment(SESSION, 1, bytes.fromhex(secret)),
            }
            for secret in SECRETS
        ],
        "promises": [
            {"session": SESSION, "commitment": code, "seat": seat, "how": how, "value": value, "salt": SALT, "is": made}
            for seat, how, value in (("A", "phrase", "modrý slon"), ("C", "dice", "6 5 4"))
            for made in [generator.promise(SESSION, code, seat, how, value, SALT)]
        ],
        "transcripts": [
            {
                "session": SESSION,
                "bag": 1,
                "commitment": code,
                "steps": list(CONTRIBUTIONS[:count]),
                "is": generator.transcript(SESSION, 1, code, [dict(step) for step in CONTRIBUTIONS[:count]]),
            }
            for count in (0, 2, 3)
        ],
        "keys": [
            {"secret": secret, "transcript": "0123456789abcdef" * 4, "is": key.hex()}
            for secret, key in zip(SECRETS, keys, strict=True)
        ],
        "blocks": [
            {"key": keys[0].hex(), "session": SESSION, "number": n, "counter": c, "is": made.hex()}
            for n, c in ((1, 0), (1, 1), (2, 0), (1000, 7))
            for made in [generator.block(keys[0], SESSION, n, c)]
        ],
        "integers": [
            {"key": keys[2].hex(), "session": SESSION, "number": n, "total": str(total), "is": str(made)}
            for total in TOTALS
            for n in (1, 2, 3)
            for made in [generator.uniform(keys[2], SESSION, n, total)]
        ],
        "records": [{"session": "urn-7", "complete": True, "draws": 12, "lines": urn_export(7).decode().splitlines()}],
    }
    parts = []
    for name, answers in document.items():
        rows = ",\n".join("  " + json.dumps(answer, ensure_ascii=False) for answer in answers)
        parts.append(f'"{name}": [\n{rows}\n]')
    return f'{{"scheme": "{generator.SCHEME}",\n' + ",\n".join(parts) + "}\n"
