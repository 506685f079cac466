"""Recognition of printed faces: tiles, cards and wooden pieces learnt from one picture each."""
