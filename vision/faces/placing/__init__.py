"""Where a learnt picture may lie in a crop: at its edge, turned, partly covered, by its look or points of its print."""
