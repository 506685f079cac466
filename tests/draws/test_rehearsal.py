"""Games through power cuts: what was shown is what the record holds, whatever step the power went at."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from draw_records import draw_rows, play_urn, rows_of
from urn_game import UrnRules

from companion.lab.benches.draws import bench_draws


def drawn_texts(export: bytes) -> dict[int, str]:
    return {row["cause"]["detail"]["proof"]["number"]: row["body"]["text"] for row in draw_rows(rows_of(export))}


@pytest.mark.parametrize("undo", [0.0, 0.1])
def test_power_cuts_change_no_draw_and_skip_none(undo: float):
    cuts = 0
    for seed in range(60):
        played = play_urn(seed, cuts=0.15, undo=undo)
        texts = drawn_texts(played.export)
        assert sorted(texts) == list(range(1, len(texts) + 1))
        assert played.shown.items() <= texts.items()
        assert played.verify(UrnRules()).complete
        cuts += played.cuts
    assert cuts > 300


def test_game_with_cuts_draws_what_the_game_without_them_draws():
    # the urn game offers one action at a time, so the same secret and contributions must give the same game
    cuts = 0
    for seed in range(20):
        through_cuts = play_urn(seed, cuts=0.2)
        assert drawn_texts(through_cuts.export) == drawn_texts(play_urn(seed).export)
        cuts += through_cuts.cuts
    assert cuts > 100


def test_bench_draws_every_kind_of_draw_of_envyra_and_proves_all():
    run = CliRunner().invoke(bench_draws, ["--games", "24", "--cuts", "0.05", "--physical", "0.03", "--json"])
    assert run.exit_code == 0, run.output
    result = json.loads(run.output)
    assert result["proved"] == result["draws"] > 500
    assert result["power_cuts"] > 100
    assert {"box", "deal", "hand", "open", "refill", "start"} <= set(result["kinds"])
    assert result["verify_s_median"] < 1.0
