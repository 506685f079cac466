"""What an edition of Envyra prints and a set-up fixes: components, names, options and the tables made of them."""
