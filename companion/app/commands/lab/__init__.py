"""The two commands that measure: bench and evaluate, the only ones that import companion.lab."""
