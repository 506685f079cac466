"""Faces of a zone decided in the light that they tell.

`faces_in_light` is the way in: it compares doubtful faces anew, counts what stands on them and takes strange ones back.
`names_in_sun` tells cards apart where sun and shade lie on them; `counted_twice` weighs two counts; `lone_look` doubts
a light that a single face tells.
"""
