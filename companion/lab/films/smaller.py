"""Writes the pictures of a film again as WebP, a third of the size of its JPEGs: what ships with the demo."""

from __future__ import annotations

from pathlib import Path

import click
import cv2


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--quality", default=45, show_default=True, help="Of the WebPs, 1 to 100.")
def main(folder: Path, quality: int) -> None:
    """Put a WebP in the place of every NNNN.jpg of FOLDER."""
    for picture in sorted(folder.glob("*.jpg")):
        written = cv2.imencode(".webp", cv2.imread(str(picture)), [cv2.IMWRITE_WEBP_QUALITY, quality])[1]
        picture.with_suffix(".webp").write_bytes(written.tobytes())
        picture.unlink()


if __name__ == "__main__":
    main()
