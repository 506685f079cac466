"""Folders of table photographs with layout, catalogue and truth, and the readers that learn from them."""
