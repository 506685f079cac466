"""The button box at the table: presses become confirmations, LEDs show what is awaited."""
