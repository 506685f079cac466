"""Measuring: benches, simulators, evaluation and the film referee. Nothing that runs at the table imports it."""
