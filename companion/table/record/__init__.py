"""The record: stored, hashed, replayed, moved, and what of it is public."""
