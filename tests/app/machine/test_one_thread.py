"""The commands keep BLAS to one thread, and leave alone what somebody set."""

from __future__ import annotations

import os
import subprocess
import sys

from companion.app.machine.one_thread import BLAS_THREADS, bound_blas


def test_what_somebody_set_is_left_alone() -> None:
    environment = {"OPENBLAS_NUM_THREADS": "4"}
    bound_blas(environment)
    assert environment == {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def test_gathering_the_commands_does_not_import_numpy_before_it_is_bound() -> None:
    code = "import sys; from companion.app.cli import gather; gather(); print('numpy' in sys.modules)"
    free = {name: value for name, value in os.environ.items() if name not in BLAS_THREADS}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=free)
    assert done.stdout.strip() == "False"
