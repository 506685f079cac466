"""What the routes do: look, act, overrule, and what the devices are asked."""
