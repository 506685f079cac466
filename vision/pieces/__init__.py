"""Pieces that stand on faces or in gaps: candidates, shapes, shadows, likelihoods, counts."""
