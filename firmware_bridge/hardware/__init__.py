"""The box as a thing: its circuit, board, parts and housing, each drawn from one file of data."""
