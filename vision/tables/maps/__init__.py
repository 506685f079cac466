"""Maps of hexagonal spaces: which pieces of several spaces lie on them, and what stands on the spaces and corners."""
