"""Photograph-like pictures of glossy candies and chips: kinds, camera, table, pieces, and what is beside them."""
