"""Counts coloured pieces that lie free on a table; colours are learnt from reference pictures.

`counting` is the way in, `round_pieces` most of it, `result` what comes out. A small copy (`reducing`) is searched for
round rims (`discs`) or for what differs from the `table`, divided into pieces (`clumps`); `shadows` and `on_sheets` say
which outlines are none, `leftovers` what had no rim, `cut_off` what the edge hides. `teaching` learns colours,
`appearance` says how a piece looks, `naming` which colour it is, with `glare` on it. `certainty` and `planted` say how
sure that is; `outlines` draws it.
"""
