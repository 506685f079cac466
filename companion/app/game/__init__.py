"""The game being played: how it is begun, what belongs to it, and the tally at its end."""
