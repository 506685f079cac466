"""Recognition of printed faces: tiles, cards and wooden pieces learnt from one picture each.

`learning` makes a `book`; `identify` reads crops by it. A box of flat scans is read crop by crop (`read`): `coarse`
ranks all faces, `align` lays the best on the crop, `photometry` fits the light, `compare` weighs them where they
differ, `chance` makes a probability of it and `copies` one of the whole box. A box of photographs is read by
`read_photographed` with the rooms `photographed` and `placing`; `rims` says how crops are cut. `readings` is what comes
out.
"""
