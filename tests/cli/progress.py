#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
progress.py -- what a terminal shows of a run that takes its time

    progress.py PROGRAM

Each run has a terminal of its own, or none; all runs go on at the same time.
A screen draws what a run writes as a terminal does, so that overwritten text is
gone.  No run ends before something has happened on its screen, or on that of a
run that began later.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

deadline = time.monotonic() + 60
count = 0
LINE = re.compile(r'^\d+ bytes( \([\d.]+ \wiB\))? read in [\d.]+ s, ')


def ok(passed, name, got=None):
    global count
    count += 1
    print("%s %d - %s" % ('ok' if passed else 'not ok', count, name))
    if not passed:
        print('# got: %r' % (got,))


class Screen:
    """It has COLUMNS columns, and rows without end."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = ['']
        self.column = 0
        self.is_wrapped = False
        self.has_escape = False
        self.drawn = []  # the states of the last row when the cursor left them

    def put(self, data):
        for character in data.decode():
            if character == '\n':
                self.rows.append('')
            elif character == '\r':
                if self.column > 0:
                    self.drawn.append(self.rows[-1].rstrip())
                self.column = 0
            elif character < ' ':
                self.has_escape = True
            else:
                # Terminals differ in what the last column does.
                self.is_wrapped |= self.column >= self.columns - 1
                row = self.rows[-1].ljust(self.column)
                self.rows[-1] = row[:self.column] + character + \
                    row[self.column + 1:]
                self.column += 1

    def text(self):
        return [row.rstrip() for row in self.rows]

    def lines(self):
        return [line for line in self.drawn if line]


class Run:
    """
    PROGRAM with OPTIONS, fed by a pipe that stays open unless they name a file.
    Its standard error is a terminal with COLUMNS columns, or a file if that is
    0.  It is in the terminal's foreground unless IS_BEHIND.
    """

    def __init__(self, options, columns=80, is_behind=False, data=b'abc' * 1000):
        self.screen = Screen(columns)
        self.master = -1
        self.began = time.monotonic()
        stderr = None
        if columns:
            self.master, stderr = pty.openpty()
            self.resize(columns)
        else:
            self.path = 'err%d' % id(self)
            stderr = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        self.slave = stderr

        def prepare():
            for name in ['SIGINT', 'SIGUSR1']:
                signal.signal(getattr(signal, name), signal.SIG_DFL)
            os.setsid()
            if columns:
                fcntl.ioctl(2, termios.TIOCSCTTY, 0)

        command = [sys.argv[1]] + options
        if is_behind:
            # A job of a shell has its own process group.
            command = ['sh', '-c', 'set -m; "$@" & wait $!', 'sh'] + command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=stderr, preexec_fn=prepare)
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def resize(self, columns):
        self.screen.columns = columns
        fcntl.ioctl(self.master, termios.TIOCSWINSZ,
                    struct.pack('HHHH', 24, columns, 0, 0))

    def look(self):
        """Read what the terminal has been sent so far."""
        while self.master >= 0 and select.select([self.master], [], [], 0)[0]:
            self.screen.put(os.read(self.master, 65536))

    def written(self):
        with open(self.path) as file:
            return file.read()

    def wait_for(self, is_so):
        """Returns False when the time is over."""
        while not is_so():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
            for run in runs:
                run.look()
        return True

    def wait_for_lines(self, number=2):
        return self.wait_for(lambda: len(self.screen.lines()) >= number)

    def end(self):
        """Close its input; returns its status and its output."""
        self.process.stdin.close()
        output = self.process.stdout.read()
        status = self.process.wait()
        self.look()
        return status, output


def shows(run, name):
    """The line is there, is drawn again, and fits."""
    is_there = run.wait_for_lines()
    screen = run.screen
    ok(is_there and not screen.is_wrapped and not screen.has_escape, name,
       screen.drawn)


with open('sparse', 'wb') as sparse:
    sparse.truncate(1 << 40)

behind = Run([], is_behind=True)
redirected = Run([], 0)
never = Run(['--progress=never'])
quiet = Run(['-q'])
always = Run(['--progress'], 0)
forced = Run(['--progress=always', '-q'], is_behind=True)
narrow = Run([], 20)
wrong = Run(['--dtype=u2'], data=b'abc')
interrupted = Run(['-j1', 'sparse'])
printed = Run(['--interrupted=print'])
asked = Run([])
frozen = Run([])
normal = Run(['--progress=auto'])
runs = [behind, redirected, never, quiet, always, forced, narrow, wrong,
        interrupted, printed, asked, frozen, normal]

# ---- it is there ----

shows(normal, 'a terminal shows how far it is')
ok(time.monotonic() - normal.began > 1, '... but not at once')
ok(LINE.match(normal.screen.drawn[-1]) and
   normal.screen.drawn[-1].startswith('3000 bytes (2.93 KiB) read in '),
   '... bytes', normal.screen.drawn[-1])
ok(re.search(r'; \d+ CPU thread', normal.screen.drawn[-1]),
   '... and who counts', normal.screen.drawn[-1])
shows(interrupted, 'a file of a known size')
ok(re.search(r', \d+ %, [\d:]+ left; ', interrupted.screen.drawn[-1]),
   '... how much, and the time left', interrupted.screen.drawn[-1])
shows(narrow, 'a narrow terminal')
ok(narrow.screen.drawn[-1] == '3000 bytes (2.93 Ki', '... it is cut off',
   narrow.screen.drawn[-1])
narrow.resize(40)
narrow.wait_for(lambda: narrow.screen.drawn and
                len(narrow.screen.drawn[-1]) > 30)
ok(39 >= len(narrow.screen.drawn[-1]) > 30, '... and follows its size',
   narrow.screen.drawn[-1])
shows(forced, '--progress=always: in the background, with -q, too')
ok(normal.wait_for(lambda: always.written().count('\n') >= 2),
   '--progress into a file: a line each time', always.written())

# ---- and where not ----

normal.look()
ok(not behind.screen.drawn, 'nothing in the background', behind.screen.drawn)
ok(not never.screen.drawn, 'nothing with --progress=never', never.screen.drawn)
ok(not quiet.screen.drawn, 'nothing with -q', quiet.screen.drawn)
ok(redirected.written() == '', 'nothing without a terminal',
   redirected.written())

# With `stty tostop` a job that writes in the background is stopped.
attributes = termios.tcgetattr(behind.slave)
attributes[3] |= termios.TOSTOP
termios.tcsetattr(behind.slave, termios.TCSANOW, attributes)
shell = behind.process.pid
with open('/proc/%d/task/%d/children' % (shell, shell)) as children:
    os.kill(int(children.read()), signal.SIGUSR1)
ok(behind.wait_for(lambda: behind.screen.rows[0].startswith('gpuhist: ')),
   '... but an answer to USR1, also with tostop', behind.screen.rows)

# ---- ten times a second ----

# The nth drawing comes no earlier than this, however late it is seen.
normal.look()
drawn = len(normal.screen.drawn)
seconds = time.monotonic() - normal.began
ok(drawn <= (seconds - 1) * 10 + 1, 'no more than ten times a second',
   (drawn, seconds))

# ---- it is gone ----

asked.wait_for_lines()
asked.process.send_signal(signal.SIGUSR1)
asked.wait_for(lambda: len(asked.screen.rows) > 1)
after = len(asked.screen.drawn)
asked.wait_for(lambda: len(asked.screen.drawn) > after + 1)
ok(re.match(r'gpuhist: 3000 bytes .* CPU thread', asked.screen.rows[0]) and
   LINE.match(asked.screen.drawn[-1]), 'USR1: a line of its own that stays',
   asked.screen.rows)

wanted = redirected.end()
ok(wanted[0] == 0 and wanted[1].count(b'\n') == 256, 'the counts', wanted)
ok(behind.end() == wanted, '... in the background, after USR1')
status = normal.end()
ok(status == wanted and normal.screen.text() == [''],
   'it is gone at the end', normal.screen.text())
ok(narrow.end() == wanted and narrow.screen.text() == [''],
   '... on a narrow terminal', narrow.screen.text())
ok(asked.end() == wanted and len(asked.screen.rows) == 2 and
   asked.screen.text()[1] == '', '... the line of USR1 is not',
   asked.screen.text())
wrong.wait_for_lines()
status, output = wrong.end()
ok(status == 1 and output == b'' and len(wrong.screen.rows) == 2 and
   wrong.screen.rows[0].startswith('gpuhist: standard input: ') and
   'ends with 1 byte of a record' in wrong.screen.text()[0] and
   wrong.screen.text()[1] == '', 'it is gone before an error',
   wrong.screen.text())
interrupted.process.send_signal(signal.SIGINT)
status, output = interrupted.end()
ok(status == -signal.SIGINT and interrupted.screen.text() == [''],
   'it is gone before a signal ends the run',
   (status, interrupted.screen.text()))
printed.wait_for_lines()
printed.process.send_signal(signal.SIGINT)
status, output = printed.end()
ok(status == -signal.SIGINT and printed.screen.text() == [
    'gpuhist: incomplete: interrupted by SIGINT after 3000 bytes', ''],
   'it is gone before a part is printed', (status, printed.screen.text()))

# A stopped terminal delays the end of the run by about a second.
frozen.wait_for_lines()
termios.tcflow(frozen.slave, termios.TCOOFF)
frozen.process.stdin.close()
ok(frozen.process.stdout.read() == wanted[1] and frozen.process.wait() == 0,
   'a stopped terminal does not stop the run')
termios.tcflow(frozen.slave, termios.TCOON)

for run in runs:
    if run.process.poll() is None:
        run.end()
print('1..%d' % count)
