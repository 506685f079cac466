"""Why the box does not answer, in words, with the command that mends it."""
