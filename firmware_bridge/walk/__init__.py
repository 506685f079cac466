"""A guided walk round the box: lights each colour of each station and asks for each contact."""
