"""Tracking the table by pictures: evidence, hypotheses and one verdict.

`table_tracker` is the way in. What pictures show is read and fused in the room `reading`; `doings` and `hypotheses` say
what may have happened, the room `judging` weighs it and gives a verdict, `purses` what coins say of it; `happenings`
come out. `standing` is the table of states: alarm, question, or neither, with `open_matters` and `lasting_doubts`.
`retold` is a record in which one face was misread; `overdue` notices what people forget. `agreeing` and `hands_seen`
say what later pictures are compared with.
"""
