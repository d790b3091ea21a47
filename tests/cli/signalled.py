#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
signalled.py -- run a command, feed it, and send it signals at the right moment

    signalled.py [OPTION]... ACTION... -- COMMAND...

Standard input is a pipe that stays open; standard output and standard error
go to the files "out" and "err".  At the end the script prints the status as a
shell shows it.  (It is in Python because a shell starts background commands
with SIGINT ignored.)

    -f FILE       the data
    -i SIGNAL     COMMAND starts with SIGNAL ignored
    -n FD         COMMAND starts with O_NONBLOCK set on FD
    -p SIGNAL     COMMAND starts with SIGNAL blocked and pending
    -o WHAT       standard output is a pipe: "unread" or "closed"
    -e WHAT       nobody reads standard error: a "pipe", "terminal" or "socket",
                  or a pipe whose other end is "closed"

    SIGNAL        send it, once COMMAND waits for signals
    feed          write the data
    storm         likewise, in pieces, and send USR1 after each of them
    close         close standard input
    ask:REGEX     send USR1 until REGEX matches standard error
    says:REGEX    wait until REGEX matches standard error
    later         wait until a second signal no longer counts as a repetition
    flood         send more USR1 than standard error has room for lines; each
                  one must be taken
    fill          fill standard error
    taken         wait until COMMAND has read all of the data
    hail          have processes send USR1 without a pause, until the end
"""

import fcntl
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import termios
import time

PIECES = 20
FLOOD = 600
FLOOD_BYTES = FLOOD * len('gpuhist: 0 bytes read in 0.0 s, 0 B/s')
deadline = time.monotonic() + 60


def number_of(name):
    return getattr(signal, 'SIG' + name)


def parse(arguments):
    options = {'-f': [], '-i': [], '-n': [], '-p': [], '-o': [], '-e': []}
    while arguments[0] in options:
        options[arguments[0]].append(arguments[1])
        arguments = arguments[2:]
    split = arguments.index('--')
    return options, arguments[:split], arguments[split + 1:]


def load(path):
    with open(path, 'rb') as file:
        return file.read()


def open_unread(what):
    """The two ends of WHAT, with room for fewer lines than FLOOD."""
    if what in ['pipe', 'closed']:
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    elif what == 'terminal':
        reader, writer = pty.openpty()
    else:
        pair = socket.socketpair()
        pair[1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        reader, writer = (end.detach() for end in pair)
    return reader, writer


class Run:
    def __init__(self, options, command):
        self.options = options
        self.is_ready = False
        self.hail = []
        stdout = subprocess.PIPE
        if not options['-o']:
            # It is left to the child.
            stdout = open('out', 'wb')
        elif 'closed' in options['-o']:
            # Before the child runs: it may be fast.
            reader, stdout = os.pipe()
            os.close(reader)
        if options['-e']:
            self.reader, self.err = open_unread(options['-e'][0])
        else:
            self.err = os.open('err', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        if 'closed' in options['-e']:
            os.close(self.reader)
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=stdout, stderr=self.err,
            preexec_fn=self.prepare)

    def prepare(self):
        for name in ['INT', 'TERM', 'HUP', 'USR1']:
            signal.signal(number_of(name), signal.SIG_DFL)
        for name in self.options['-i']:
            signal.signal(number_of(name), signal.SIG_IGN)
        for fd in map(int, self.options['-n']):
            flags = fcntl.fcntl(fd, fcntl.F_GETFL)
            fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        for name in self.options['-p']:
            signal.pthread_sigmask(signal.SIG_BLOCK, [number_of(name)])
            os.kill(os.getpid(), number_of(name))

    def pause(self):
        time.sleep(0.01)
        self.check_time()

    def check_time(self):
        if time.monotonic() > deadline:
            self.process.kill()
            self.end_hail()
            sys.exit('it takes too long')

    def says(self, pattern):
        return re.search(pattern, load('err').decode()) is not None

    def has_signal(self, field, name):
        """Whether NAME is in the set FIELD of /proc/PID/status."""
        status = load('/proc/%d/status' % self.process.pid).decode()
        mask = int(re.search(field + r':\s*(\w+)', status).group(1), 16)
        return mask >> (number_of(name) - 1) & 1

    def wait_until_ready(self):
        """COMMAND blocks INT or TERM only when it waits for signals."""
        while not self.is_ready and self.process.poll() is None:
            self.is_ready = self.has_signal('SigBlk', 'TERM') or \
                self.has_signal('SigBlk', 'INT')
            if not self.is_ready:
                self.pause()

    def send(self, name):
        self.wait_until_ready()
        self.process.send_signal(number_of(name))

    def feed(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def storm(self, data):
        size = len(data) // PIECES + 1
        for at in range(0, len(data), size):
            self.feed(data[at:at + size])
            self.send('USR1')
            self.pause()

    def flood(self):
        for _ in range(FLOOD):
            self.send('USR1')
            while self.has_signal('ShdPnd', 'USR1'):
                self.check_time()
        os.set_blocking(self.reader, False)
        taken = len(os.read(self.reader, FLOOD_BYTES))
        if taken >= FLOOD_BYTES:
            sys.exit('standard error took all of it')

    def unread(self):
        count = fcntl.ioctl(self.process.stdin, termios.FIONREAD, bytes(4))
        return int.from_bytes(count, sys.byteorder)

    def fill(self):
        """Without O_NONBLOCK on the descriptor that COMMAND has."""
        try:
            if self.options['-e'] == ['socket']:
                with socket.socket(fileno=os.dup(self.err)) as writer:
                    while True:
                        writer.send(b'x', socket.MSG_DONTWAIT)
            writer = os.open('/proc/self/fd/%d' % self.err,
                             os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            while True:
                os.write(writer, b'x')
        except BlockingIOError:
            pass

    def start_hail(self):
        self.wait_until_ready()
        self.hail = [subprocess.Popen(
            ['sh', '-c', 'while kill -USR1 $0; do :; done',
             str(self.process.pid)], stderr=subprocess.DEVNULL)
            for _ in range(2)]

    def end_hail(self):
        for sender in self.hail:
            sender.kill()
            sender.wait()

    def wait_for(self, pattern, name=None):
        while not self.says(pattern):
            if self.process.poll() is not None:
                sys.exit('it has ended')
            if name:
                self.send(name)
            self.pause()

    def act(self, action):
        if action == 'feed':
            self.feed(load(self.options['-f'][0]))
        elif action == 'storm':
            self.storm(load(self.options['-f'][0]))
        elif action == 'close':
            self.process.stdin.close()
        elif action == 'flood':
            self.flood()
        elif action == 'fill':
            self.fill()
        elif action == 'taken':
            while self.unread():
                self.pause()
        elif action == 'hail':
            self.start_hail()
        elif action == 'later':
            time.sleep(0.3)
        elif action.startswith('ask:'):
            self.wait_for(action[4:], 'USR1')
        elif action.startswith('says:'):
            self.wait_for(action[5:])
        else:
            self.send(action)


def main():
    options, actions, command = parse(sys.argv[1:])
    run = Run(options, command)
    for action in actions:
        run.act(action)
    while run.process.poll() is None:
        run.pause()
    run.end_hail()
    status = run.process.returncode
    print(128 - status if status < 0 else status)


main()
