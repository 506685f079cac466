"""Games on a printed board of squares: the board found by its learnt picture, marked tiles named on its squares."""
