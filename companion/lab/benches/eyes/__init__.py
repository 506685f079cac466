"""The benchmarks of seeing: pieces counted and named, hands, grids, and how long pictures take to read."""
