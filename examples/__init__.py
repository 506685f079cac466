"""Games in folders of their own, as anybody could write them: `COMPANION_GAMES_DIR=examples companion play ...`."""
