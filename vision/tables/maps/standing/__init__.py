"""What stands on the spaces and corners of a map.

`pieces_on_spaces` finds figures and tokens, `discs` those on corners, `bare_spaces` those beside the tiles;
`same_detail` says what only light has changed.
"""
