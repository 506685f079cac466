"""Where the table is in a picture: markers, lens, pose and its tracker, the lattice of tiles, planes, crops.

By `markers`, a `pose` is found and fitted (`pose_fit`) through the `camera_model`, and followed from frame to frame by
`pose_tracker`. Without markers the tiles tell it: `quads`, `squares`, the `lattice` they lie in, `tile_fit`. `rectify`
and `plane` cut crops out by it; `zones` says which places lie together and are in the picture.
"""
