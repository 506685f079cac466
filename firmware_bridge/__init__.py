"""The button box: protocol, link, virtual box and firmware."""
