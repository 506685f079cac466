"""What lies on a table: the grid, zones of slots, the map, player boards and the final tally."""
