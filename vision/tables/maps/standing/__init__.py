"""What stands on the spaces and corners of a map.

`pieces_on_spaces` counts figures and tokens by what `space_search` finds on each space, `corner_tokens` those on
corners (`discs`), `bare_spaces` finds those beside the tiles; `standing_pieces` holds the readers of one map,
`map_in_picture` what they are given; `same_detail` says what only light has changed.
"""
