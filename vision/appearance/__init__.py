"""How printed faces look on this table in this light: the light of a picture, placed faces, rematches, bare table."""
