"""The digital bag: commitments, unbiased sampling, proofs."""
