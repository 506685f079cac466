"""Freed memory is used again by all threads, and goes back to the machine although small things lie between."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from companion.app.machine.freed_memory import bound_heaps, trim_heaps

PIECES, PIECE_BYTES = 60, 1_500_000

# A large piece that is freed makes glibc take smaller ones from the heap, among what stays there.
DROPPED = f"""
import resource, sys
from companion.app.machine.freed_memory import give_back

def held_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

large = bytearray(30 << 20)
del large
dropped, kept = [], []
for _ in range({PIECES}):
    dropped.append(bytearray(b"1") * {PIECE_BYTES})
    kept.append(bytearray(b"1") * 1000)
before = held_mb()
dropped.clear()
if sys.argv[1] == "given back":
    give_back()
print(before - held_mb())
"""

# A large piece that was freed makes glibc take pictures from the heap, too, unless it is told otherwise.
PICTURES, PICTURE_BYTES = 8, 6_220_800

FREED = f"""
import resource, sys
from companion.app.machine.freed_memory import bound_heaps

def held_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

if sys.argv[1] == "bound":
    assert bound_heaps()
large = bytearray(30 << 20)
del large
pictures, kept = [], []
for _ in range({PICTURES}):
    pictures.append(bytearray(b"1") * {PICTURE_BYTES})
    kept.append(bytearray(b"1") * 1000)
before = held_mb()
pictures.clear()
print(before - held_mb())
"""

THREADS = """
import ctypes, sys, threading
from companion.app.machine.freed_memory import bound_heaps
if sys.argv[1] == "bound":
    assert bound_heaps()
together = threading.Barrier(5)

def work():
    bytearray(100_000)
    together.wait()

for _ in range(4):
    threading.Thread(target=work).start()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
together.wait()
libc.malloc_info(0, ctypes.c_void_p(file := libc.fdopen(1, b"w")))
libc.fflush(ctypes.c_void_p(file))
"""

glibc = pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library is not glibc")


def said(program: str, how: str) -> str:
    done = subprocess.run([sys.executable, "-c", program, how], capture_output=True, text=True, check=True)
    return done.stdout


@glibc
@pytest.mark.parametrize(("how", "nearly_all"), [("given back", True), ("left alone", False)])
def test_what_was_dropped_at_once_goes_back_though_small_things_lie_between(how: str, nearly_all: bool) -> None:
    assert (float(said(DROPPED, how)) > 0.9 * PIECES * PIECE_BYTES / 1e6) is nearly_all


@glibc
@pytest.mark.parametrize(("how", "nearly_all"), [("bound", True), ("left alone", False)])
def test_pictures_go_back_as_soon_as_they_are_dropped(how: str, nearly_all: bool) -> None:
    assert (float(said(FREED, how)) > 0.9 * PICTURES * PICTURE_BYTES / 1e6) is nearly_all


@glibc
@pytest.mark.parametrize(("how", "one"), [("bound", True), ("left alone", False)])
def test_all_threads_share_one_heap(how: str, one: bool) -> None:
    assert (said(THREADS, how).count("<heap nr=") == 1) is one


def test_another_c_library_is_left_as_it_is() -> None:
    assert bound_heaps(object()) is False
    trim_heaps(object())
