"""Who sits with whom and where: tables of which sizes, pairings by the optimiser, and a bound on their repeats."""
