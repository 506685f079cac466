"""How printed faces look on this table in this light: the light of a picture, placed faces, rematches, bare table.

A `placed_face` is drawn where it lies and fitted there by `face_fit`; all of them make up the `canvas`, beside what is
seen. The light is told by known faces (`picture_light`, `broad_light`, `sun_and_shade`), else by print of which nothing
is known (`print_light`), else by the markers (`marker_light`). `print_search`, `print_detail` and `common_print` go by
fine print in any light, `colour_blur` says how coarse colour is, `twins` decides between faces that differ in little.
`background` is the bare table, `leftovers` what is neither.
"""
