"""Round pieces by their rims: edges, circles that vote for their middles, the size they share."""
