"""Putting the shipped firmware onto a board: which image, by which way, and whether it runs afterwards."""
