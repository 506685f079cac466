"""Round pieces by their rims: edges, circles that vote for their middles, the size they share.

`search` is the way in: `edges`, then `rims` of any size and shape, then those of the usual one (`shapes`). `alike`
looks for broken ones anew; `ovals` and `beans` put two ends of one piece together, `parted` takes two pieces apart;
`bare` and `clear` say which rims are none. Printed chips are found by `whole`, `labelled` and `spotted`; `stacked`
says which pieces lie on others.
"""
