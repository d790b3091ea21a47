#!/usr/bin/env python3
"""
signalled.py -- run a command, feed it, and send it signals at the right moment

    signalled.py [OPTION]... ACTION... -- COMMAND...

Its standard input is a pipe that stays open; standard output and standard
error go to the files "out" and "err".  At the end the status is printed, as a
shell would see it.  (A shell starts what is in the background with SIGINT
ignored.)

    -f FILE       the data
    -i SIGNAL     ignore it in COMMAND
    -p SIGNAL     it is blocked in COMMAND, and has already come
    -n FD         O_NONBLOCK is set on that descriptor of COMMAND
    -o WHAT       standard output is a pipe: "unread", or "closed"

    SIGNAL        send it; not before COMMAND waits for signals
    feed          write the data
    storm         likewise, in pieces, and USR1 after each of them
    close         standard input
    ask:REGEX     send USR1 until that is on standard error
    says:REGEX    wait until it is
    later         wait for longer than two signals that belong together come
"""

import fcntl
import os
import re
import signal
import subprocess
import sys
import time

PIECES = 20
deadline = time.monotonic() + 60


def number_of(name):
    return getattr(signal, 'SIG' + name)


def parse(arguments):
    options = {'-f': [], '-i': [], '-n': [], '-p': [], '-o': []}
    while arguments[0] in options:
        options[arguments[0]].append(arguments[1])
        arguments = arguments[2:]
    split = arguments.index('--')
    return options, arguments[:split], arguments[split + 1:]


def load(path):
    with open(path, 'rb') as file:
        return file.read()


class Run:
    def __init__(self, options, command):
        self.options = options
        self.is_ready = False
        stdout = subprocess.PIPE
        if not options['-o']:
            # It is left to the child.
            stdout = open('out', 'wb')
        with open('err', 'wb') as err:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=stdout, stderr=err,
                preexec_fn=self.prepare)
        if 'closed' in options['-o']:
            self.process.stdout.close()

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
        if time.monotonic() > deadline:
            self.process.kill()
            sys.exit('it takes too long')

    def says(self, pattern):
        return re.search(pattern, load('err').decode()) is not None

    def wait_until_ready(self):
        """All that it handles is blocked at once; USR1 always, if at all."""
        while not self.is_ready and self.process.poll() is None:
            status = load('/proc/%d/status' % self.process.pid).decode()
            mask = int(re.search(r'SigBlk:\s*(\w+)', status).group(1), 16)
            self.is_ready = mask >> (signal.SIGTERM - 1) & 1 or \
                mask >> (signal.SIGINT - 1) & 1
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
    status = run.process.returncode
    print(128 - status if status < 0 else status)


main()
