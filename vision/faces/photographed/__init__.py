"""Recognition of pieces learnt from photographs: uneven light, loose cuts, several pictures a kind.

`prepare` and `faults` look at what is learnt from, `album` holds it. Of a crop `finding` says which pictures it may
show, `light` and `tied` what light lies on it, `compare` how well each explains it, `fields` how much of the print is
there. `framed` cuts a piece out of its frame; `one_colour`, with `gloss` and `marks`, reads pieces without print;
`shadow` and `anyhow` say what a shadow, or a piece above, excuses.
"""
