"""The record: stored, hashed, replayed, moved, and what of it is public.

`records` are lines sealed by a hash; a `store` keeps them in a `database` (`store_address`, `store_tables`), and says
in words what is wrong with it (`trouble`, `rescue`). `history` makes states of them by the rules, `memory` all else
that a session knows, `replay` checks them; `updates` hands them to followers, `transfer` moves them. `disclosure` says
what has become public, `thinking` whose time has passed.
"""
