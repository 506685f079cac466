"""The dashboard's host: the ports that the pages see, set-up steps, the server."""
