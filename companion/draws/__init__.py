"""The digital bag: commitment, entropy of the players, unbiased draws, their proof and its verifier."""
