"""How a table's records reach the hub: exactly once, in order, secrets committed to before they are told."""
