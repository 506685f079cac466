"""Which tiles lie on a map.

`space_faces` names the face in each space, `space_votes` the tiles that they add up to, `tile_naming` both, one space
by another; `hidden_tiles` names those of which pieces hide the print, `whole_tiles` says which may lie where no space
tells.
"""
