"""Pictures and whole sets of the three games, drawn by the renderer and written as folders with truth."""
