"""How the pages are served: the door of requests, sockets that know their callers, https, a name on the network."""
