"""Maps of hexagonal spaces: which pieces of several spaces lie on them; `standing`: what stands on spaces and corners.

In the order of a reading, which `map_reader` puts together: `map_views` says whether an arm has come in, `space_faces`
names the face in each space, `space_votes` the tiles that they add up to on the `map_plan`, `tile_naming` both, one
space by another, beside the `bare_table`; `beside_tiles` says what stays as it was.
"""
