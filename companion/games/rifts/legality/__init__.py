"""Which actions and draws are legal in a position of Rifts of N'Norya, and which clause forbids the others."""
