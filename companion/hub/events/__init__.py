"""Events: players, pairing, results, standings. Pure: no clock, no store, no page; chance is a seed written down."""
