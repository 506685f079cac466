"""Lets the C library give freed memory back to the machine: a camera's threads make and drop pictures all evening."""

from __future__ import annotations

import ctypes
import gc

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3  # of glibc's malloc.h

ARENAS = 1
"""By default eight for each core, and each keeps what its busiest moment needed: of 371 MB held 130 were free. The
threads that allocate pictures are few, so that they seldom wait for each other."""


MAPPED_BYTES = 4_000_000
"""What is as large goes back as soon as it is freed, and leaves no hole among what stays: whole pictures and their
float32 copies. Reading takes 2 % more processor time; from 2 MB on it took 17 % more."""


def bound_heaps(libc: object = None) -> bool:
    """Let freed memory be used again by all threads, and large pictures go back at once; whether the C library knows
    of this (glibc). Before threads begin. What is left between things in use goes back by `trim_heaps`.
    """
    mallopt = getattr(libc or ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(M_ARENA_MAX, ARENAS) == 1 and mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES) == 1


def trim_heaps(libc: object = None) -> None:
    """Give back what is free now, where the C library can."""
    trim = getattr(libc or ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def give_back() -> None:
    """Collect what was dropped and give it back: after much was dropped at once, as a game with its eyes."""
    gc.collect()
    trim_heaps()
