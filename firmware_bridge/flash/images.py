"""The images that are shipped: written by `python -m firmware_bridge.flash.images`, alike from the same sources."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from pathlib import Path

from firmware_bridge.flash.uf2 import uf2, with_second_stage_crc

HERE = Path(__file__).parent / "images"
ROOT = Path(__file__).parents[1]
BUILT_WITH = HERE / "BUILT_WITH.txt"
SUMS = HERE / "SHA256SUMS"
COMMAND = "python -m firmware_bridge.flash.images"


def image_path(board: str) -> Path:
    """The image of a board: atmega328p, atmega168 or pico."""
    return HERE / (f"box-{board}.uf2" if board == "pico" else f"box-{board}.hex")


def compilers() -> str:
    """The first line of what each compiler says of itself: another version gives other bytes."""
    lines = []
    for program in ("avr-gcc", "arm-none-eabi-gcc"):
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        lines.append(done.stdout.splitlines()[0])
    return "\n".join(lines) + "\n"


def _make(folder: str, target: str, into: Path, *more: str) -> None:
    command: list[str | Path] = ["make", "--no-print-directory", "-C", ROOT / folder, f"BUILD={into}", *more, target]
    subprocess.run(command, check=True, capture_output=True)


def build() -> dict[str, bytes]:
    """Each board's image from the sources. Raises CalledProcessError with the compiler's words."""
    images = {}
    with tempfile.TemporaryDirectory() as name:
        for chip in ("atmega328p", "atmega168"):
            into = Path(name) / chip
            _make("firmware", "hex", into, f"MCU={chip}")
            images[chip] = (into / "box.hex").read_bytes()
        _make("pico", "pico", Path(name) / "pico")
        images["pico"] = uf2(with_second_stage_crc((Path(name) / "pico" / "box.bin").read_bytes()))
    return images


def sums(images: dict[str, bytes]) -> str:
    """Lines as `sha256sum` writes them."""
    rows = (f"{hashlib.sha256(data).hexdigest()}  {image_path(board).name}" for board, data in images.items())
    return "\n".join(rows) + "\n"


def main() -> None:
    """Write the images, their sums, and what they were built with."""
    images = build()
    HERE.mkdir(exist_ok=True)
    for board, data in images.items():
        image_path(board).write_bytes(data)
    SUMS.write_text(sums(images), encoding="ascii")
    BUILT_WITH.write_text(compilers(), encoding="utf-8")


if __name__ == "__main__":
    main()
