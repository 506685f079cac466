"""Tracking the table by pictures: evidence, hypotheses and one verdict."""
