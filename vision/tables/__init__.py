"""What lies on a table in its places: the grid, zones of slots, the map and player boards.

`table_reader` is the way in: it finds the table, has each `zone` read (`place_reader`; of a map, the room `maps`), the
`corner_card` and the `boards`, and tells what is in the `purses`. A zone names the `face_at_place` of every slot first
and decides in the `light` of the known ones; `zone_gaps` reads what stands between them. A view that was read before is
read again by the room `again`, where `changes` say so and by the `known_table`. `place` is what comes out; `grid` says
where the cells of a grid are.
"""
