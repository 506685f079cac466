"""What lies on a table in its places: the grid, zones of slots, the map and player boards."""
