"""What an edition of Rifts of N'Norya prints and a set-up fixes: components, names, options, and the tables of both."""
