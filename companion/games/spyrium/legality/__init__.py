"""Which actions and draws are legal in a position of Spyrium, and which clause forbids the others."""
