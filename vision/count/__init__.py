"""Counts coloured pieces that lie free on a table; colours are learnt from reference pictures."""
