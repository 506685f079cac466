"""Readings and filmed games compared with the truth."""
