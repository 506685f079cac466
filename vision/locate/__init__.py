"""Where the table is in a picture: markers, lens, pose and its tracker, the lattice of tiles, planes, crops."""
