"""Pieces that stand on faces or in gaps: candidates, shapes, shadows, likelihoods, counts.

`finder` is the way in. `residual` and `likelihood_maps` say what every pixel of a canvas speaks for, `candidates` where
a piece of which `shapes` may stand, `scene` which of them explain a region best, `joint_search` the same for pieces
that touch. `shadows` tell where the light comes from, the room `light` what lies in more than one. Against a piece
speak `no_piece` and `piece_edges`; `probability` says how sure the count is. Pieces on bare table have a room of their
own, `between_faces`.
"""
