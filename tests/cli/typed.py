#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
r"""
typed.py -- type a line into an interactive command

    typed.py TEXT COMMAND...

COMMAND has a terminal, and TEXT, with "\\t" for a tabulator, is typed when it has
said something.  It ends when the file "typed" is there.  What was on the terminal
is printed.
"""

import os
import pty
import select
import signal
import sys
import time

SECONDS = 40


def main():
    deadline = time.monotonic() + SECONDS
    text = sys.argv[1].replace('\\t', '\t') + '\n'
    child, master = pty.fork()
    if child == 0:
        os.environ['TERM'] = 'dumb'
        os.execvp(sys.argv[2], sys.argv[2:])
    is_typed = False
    while not os.path.exists('typed') and time.monotonic() < deadline:
        if select.select([master], [], [], 0.02)[0]:
            try:
                data = os.read(master, 65536)
            except OSError:
                break
            print(data.decode(errors='replace').replace('\r', ''), end='')
            if not is_typed:
                os.write(master, text.encode())
                is_typed = True
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


main()
