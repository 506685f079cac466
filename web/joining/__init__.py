"""How people come to the table: codes to scan, seats that are taken, which devices are there."""
