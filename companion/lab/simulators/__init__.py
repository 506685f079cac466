"""Simulated tables, lines, draws and pictures that stand in for the world."""
