"""The counting bench prints figures for a folder with truth, and the quick recipe's beside them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from companion.lab.benches.eyes.counting import bench_count

CANDIES = Path(__file__).parents[2] / "vision" / "fixtures" / "loose" / "candies"
COLOURS = str(CANDIES / "references")


def test_figures_cover_every_photograph_that_is_not_left_out():
    result = CliRunner().invoke(
        bench_count, ["--colours", COLOURS, "--without", "000", "--without", "013", "--json", str(CANDIES)]
    )
    figures = json.loads(result.stdout)
    assert figures["photographs"] == 2
    assert figures["every colour exact"] == figures["total exact"] == 1.0
    assert figures["sure and wrong"] == 0


def test_a_folder_without_truth_is_refused(tmp_path):
    result = CliRunner().invoke(bench_count, ["--colours", COLOURS, str(tmp_path)])
    assert result.exit_code != 0
    assert "truth.json" in str(result.exception)
