"""Films of whole games: a script of what a camera would see, its pictures by the renderer, its truth."""
