"""Maps of hexagonal spaces: which pieces of several spaces lie on them, and what stands on the spaces and corners.

In the order of a reading, which `map_reader` puts together: `map_views` says whether an arm has come in, `space_faces`
names the face in each space, `space_votes` the tiles that they add up to on the `map_plan`, `tile_naming` both, one
space by another, beside the `bare_table`; `pieces_on_spaces` finds figures and tokens (`discs` and `piece_edges` those
on corners and bare table, and what goes on as light does); `beside_tiles` and `same_detail` say what has stayed as it
was.
"""
