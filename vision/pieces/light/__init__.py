"""Light that is not one over a face: parts lit anew, the light beside a piece, and what print is seen through."""
