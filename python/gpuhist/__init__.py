# SPDX-License-Identifier: MIT
"""gpuhist -- count how often values occur, exactly, on all processors or a GPU

run() calls the program, histogram() is that of numpy, and table() makes an array
of what the program prints.  doc/python.md has examples.
"""

from ._histogram import histogram
from ._program import Error, run
from ._table import table

__all__ = ['Error', 'histogram', 'run', 'table']
