"""Whether a picture counts: hands, motion and changes of light.

`view_state` is the way in. `arms` looks for an arm in one picture, `reach` for what has come in since an earlier one;
`skin`, `hidden_grain` and `as_before` say what is a hand and what is the table, `other_light` what only light has
changed, `resting` what stays and disturbs no more. `covered_print` is for printed boards.
"""
