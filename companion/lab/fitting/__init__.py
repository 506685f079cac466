"""Fits the probabilities of faces and counts to drawn and rendered pictures."""
