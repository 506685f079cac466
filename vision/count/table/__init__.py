"""What the table looks like on which pieces lie, bare and changed."""
