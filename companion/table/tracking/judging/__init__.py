"""What settled pictures mean: explanations weighed against each other, one verdict for all of them."""
