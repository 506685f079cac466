"""Which actions and draws are legal in a position of Envyra, and which clause forbids the others."""
