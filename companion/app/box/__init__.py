"""The button box at the table: presses become confirmations, LEDs tell what is awaited."""
