"""Arms: what reaches in over the slots from outside, and what rests at the rim and is none."""
