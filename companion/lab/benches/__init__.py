"""The benchmarks of `companion bench`: one module a subject, each with a click command called BENCH."""
