"""Keeps the linear algebra libraries to one thread."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

# What the builds of BLAS that numpy may come with obey; they read it once, when numpy is imported.
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def bound_blas(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let BLAS work in the thread that calls it, unless the environment says otherwise. Before numpy is imported.

    The eyes multiply thousands of small matrices a picture: threads that wait for each other cost more than they do.
    """
    for name in BLAS_THREADS:
        environment.setdefault(name, "1")
