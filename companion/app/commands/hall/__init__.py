"""Commands of a hall: the hub, and what a table does to belong to one."""
