"""Tiles and pieces that lie anyhow, on no grid: the final tally, a box that is being learnt."""
