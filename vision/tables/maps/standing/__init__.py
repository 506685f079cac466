"""What stands on the spaces and corners of a map.

`pieces_on_spaces` finds figures and tokens, `discs` those on corners, `bare_spaces` those beside the tiles;
`piece_edges` says what goes on beyond a piece as light does, `same_detail` what only light has changed.
"""
