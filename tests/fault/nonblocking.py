#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
nonblocking.py -- run a command with a standard stream that does not wait

    nonblocking.py FD COMMAND...

Descriptor FD of COMMAND, 1 or 2, is a pipe with O_NONBLOCK that is full when
COMMAND starts.  It is read, into the file "read", once COMMAND sleeps.
At the end the exit status is printed.
"""

import fcntl
import os
import subprocess
import sys
import time

NAPS = 5  # when it is seen asleep so often, it waits
deadline = time.monotonic() + 60


def is_asleep(process):
    """Whether it sleeps, or has ended."""
    with open('/proc/%d/stat' % process.pid) as stat:
        return stat.read().rpartition(')')[2].split()[0] in 'SZ'


def main():
    number = int(sys.argv[1])
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    filling = os.write(writer, bytes(4096))
    streams = {'stdout' if number == 1 else 'stderr': writer}
    process = subprocess.Popen(sys.argv[2:], **streams)
    os.close(writer)
    naps = 0
    while naps < NAPS:
        if time.monotonic() > deadline:
            process.kill()
            sys.exit('it takes too long')
        naps = naps + 1 if is_asleep(process) else 0
        time.sleep(0.01)
    text = b''
    while chunk := os.read(reader, 65536):
        text += chunk
    with open('read', 'wb') as file:
        file.write(text[filling:])
    print(process.wait())


main()
