"""`companion bench recogniser`: accuracy, speed and growth on drawn faces, beside ORB, SIFT and template matching."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

CROP_PX, MARGIN = 112, 0.08
SEED = 7


@click.command("recogniser")
@click.option("--crops", default=120, show_default=True, type=click.IntRange(10), help="Degraded crops to name.")
@click.option("--faces", default="39,400", show_default=True, help="Numbers of learnt faces for the growth of time.")
@click.option("--others/--no-others", default=True, show_default=True, help="Compare with ORB, SIFT and templates.")
@click.option(
    "--cards",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also name real pictures: reference/KIND.jpg and crops/KIND__N.jpg below this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_recogniser(crops: int, faces: str, others: bool, cards: Path | None, as_json: bool) -> None:
    """Name degraded drawings: how many right, wrong and unknown, how fast, and what a user would pick instead.

    Crops of a made-up edition are off by up to 6 % of the side, blurred, noisy, in coloured light, turned by quarters,
    with up to four cubes on them. Times are medians of one thread's own time.

    Example: companion bench recogniser --crops 300
    """
    import cv2

    cv2.setNumThreads(1)
    result: dict[str, Any] = {"recogniser": _named(crops, others)}
    result["growth"] = _growth([int(x) for x in faces.split(",")], min(crops, 60))
    if cards is not None:
        result["cards"] = _cards(cards)
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, row in result["recogniser"].items():
        click.echo(f"{name:12} right {row['right']:6.1%}  wrong {row['wrong']:6.2%}  {row['ms']:7.1f} ms a crop")
    for name, ratio in result["growth"].items():
        click.echo(f"{name:24} {ratio:7.2f}")
    for name, share in result.get("cards", {}).items():
        click.echo(f"cards {name:18} {share:7.2%}")


def _editions(count: int) -> dict[str, Any]:
    """`count` different faces (or a few more) from as many made-up editions as it takes, 160 px."""
    from calibration.sample_edition.art import draw_tile
    from calibration.sample_edition.box import sample_tiles
    from calibration.sample_edition.style import made_up_style

    faces: dict[str, Any] = {}
    seed = SEED
    while len(faces) < count:
        style, looks = made_up_style(seed), set()
        for t in sample_tiles():
            look = (t.theme, t.symbol, t.vp, t.cubes, t.requires, t.start, t.min34)
            if look not in looks and len(faces) < count:
                looks.add(look)
                faces[f"{seed}/{t.id}"] = draw_tile(t, style, 160)
        seed += 1
    return faces


def _crops(faces: dict[str, Any], count: int) -> list[tuple[str, Any]]:
    import numpy as np

    from companion.lab.simulators.degraded import Hardship, degraded

    rng = np.random.default_rng(SEED)
    names = [list(faces)[int(k)] for k in rng.integers(len(faces), size=count)]
    return [(n, degraded(faces[n], rng, Hardship(), CROP_PX, MARGIN)[0]) for n in names]


def _timed(name_of: Callable[[Any], str | None], crops: Iterable[tuple[str, Any]]) -> dict[str, float]:
    times, named = [], []
    for truth, crop in crops:
        begin = time.process_time()
        face = name_of(crop)
        times.append(time.process_time() - begin)
        named.append((truth, face))
    right = sum(t == f for t, f in named) / len(named)
    wrong = sum(f is not None and t != f for t, f in named) / len(named)
    return {"right": right, "wrong": wrong, "ms": 1000 * statistics.median(times)}


def _named(count: int, others: bool) -> dict[str, dict[str, float]]:
    from vision.faces.identify import identify
    from vision.faces.learning import learn_faces

    faces = _editions(38)
    book = learn_faces({f: [p] for f, p in faces.items()})
    crops = _crops(faces, count)
    rows = {"recogniser": _timed(lambda c: identify(book, c, margin=MARGIN).face, crops)}
    if others:
        for name, matcher in _matchers(faces).items():
            rows[name] = _timed(matcher, crops[: min(count, 60)])
    return rows


def _growth(counts: list[int], crops: int) -> dict[str, float]:
    """Median ms a crop for each number of faces, and the last over the first beside the ratio of the numbers."""
    from vision.faces.book import FaceBook
    from vision.faces.identify import identify
    from vision.faces.learning import learn_faces

    out = {}
    for count in counts:
        faces = _editions(count)
        book = learn_faces({f: [p] for f, p in faces.items()}, loose=False)
        sample = _crops(faces, crops)

        def name_of(crop: Any, book: FaceBook = book) -> str | None:
            return identify(book, crop, margin=MARGIN).face

        _timed(name_of, sample)  # anchors are made on first use
        out[f"{count} faces, ms"] = _timed(name_of, sample)["ms"]
    times = list(out.values())
    out["faces grow, times"] = counts[-1] / counts[0]
    out["time grows, times"] = times[-1] / times[0]
    return out


def _matchers(faces: dict[str, Any]) -> dict[str, Callable[[Any], str | None]]:
    """What a user would pick instead: feature matching with a homography, and plain template matching."""
    import cv2
    import numpy as np

    from companion.lab.evaluation.quick_recipes import by_features

    small = [cv2.resize(p, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA) for p in faces.values()]

    def template(crop: Any) -> str | None:
        inner = round(CROP_PX / (1 + 2 * MARGIN))
        best: tuple[float, str | None] = (-2.0, None)
        for face, picture in faces.items():
            pattern = cv2.resize(picture, (inner, inner), interpolation=cv2.INTER_AREA)
            for turn in range(4):
                turned = np.ascontiguousarray(np.rot90(pattern, turn))
                score = float(cv2.matchTemplate(crop, turned, cv2.TM_CCOEFF_NORMED).max())
                best = max(best, (score, face), key=lambda x: x[0])
        return best[1]

    return {
        "ORB": by_features(list(faces), small, cv2.ORB.create(), cv2.NORM_HAMMING),
        "SIFT": by_features(list(faces), small, cv2.SIFT.create(), cv2.NORM_L2),
        "templates": template,
    }


def _cards(folder: Path) -> dict[str, float]:
    from companion.core.errors import DataError
    from vision.faces.identify import identify
    from vision.faces.learning import learn_faces
    from vision.scenes.scene_set import picture

    kinds = {p.stem: [picture(p)] for p in sorted((folder / "reference").glob("*.jpg"))}
    crops = sorted((folder / "crops").glob("*__*.jpg"))
    if not kinds or not crops:
        raise DataError("expected reference/KIND.jpg and crops/KIND__N.jpg", where=str(folder))
    book = learn_faces(kinds, size_px=96)
    named = [(p.stem.rsplit("__", 1)[0], identify(book, picture(p))) for p in crops]
    return {
        "right": sum(r.face == kind for kind, r in named) / len(named),
        "wrong": sum(r.face not in (kind, None) for kind, r in named) / len(named),
        "best guess right": sum(r.alternatives[0][0] == kind for kind, r in named) / len(named),
    }


BENCH = bench_recogniser
