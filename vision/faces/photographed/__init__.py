"""Recognition of pieces learnt from photographs: uneven light, loose cuts, several pictures a kind."""
