"""Maps of hexagonal spaces: which pieces of several spaces lie on them, and what stands there.

In the order of a reading, which `map_reader` puts together: `map_views` says whether an arm has come in, `since` what
is known from the reading before, `naming` which tiles lie on the `map_plan`, beside the `bare_table`; `pieces_on_map`
reads what stands there by the readers of `standing`, where `beside_tiles` says what stays as it was; `laid_tiles` says
what still lies there.
"""
