# SPDX-License-Identifier: MIT
"""module.py -- gpuhist.run() and table(), and how they fail

Prints a line "PASS name" or "FAIL name" for each check.  Needs the module and its
program; without numpy it checks that run() needs none.
"""

import array
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import warnings

import gpuhist

try:
    import numpy as np
except ImportError:
    np = None


def holds(passed, name, got=None):
    print('PASS' if passed else 'FAIL', name, flush=True)
    if not passed:
        print('#', repr(got)[:600].replace('\n', ' '), flush=True)


def lines(values):
    """What the program prints of VALUES, without those that do not occur."""
    return ''.join('%s\t%d\n' % pair
                   for pair in sorted(collections.Counter(values).items())).encode()


def check_data():
    """All that can be counted."""
    data = random.Random(1).randbytes(1 << 20) if hasattr(random.Random, 'randbytes') \
        else os.urandom(1 << 20)
    wanted = lines(data)
    for name, value in [('bytes', data), ('a bytearray', bytearray(data)),
                        ('a memoryview', memoryview(data)),
                        ('a view with steps', memoryview(data * 2)[::2])]:
        got = gpuhist.run(['--nonzero'], value)
        if name.endswith('steps'):
            wanted = lines((data * 2)[::2])
        holds(got == wanted, name, got)
    holds(gpuhist.run(['--nonzero'], b'') == b'', 'no bytes')
    for code in 'bBhHiIlLqQ':
        values = array.array(code, [1, 2, 2, 100])
        got = gpuhist.run(['--nonzero'], values)
        holds(got == b'1\t1\n2\t2\n100\t1\n', 'an array of ' + code, got)
    for code in 'fd':
        got = gpuhist.run(['--nonzero'], array.array(code, [0.5, -2, -2]))
        holds(got == b'-2\t2\n0.5\t1\n', 'an array of ' + code, got)
    got = gpuhist.run(['--nonzero', '--dtype=u1'], array.array('H', [257]))
    holds(got == b'1\t2\n', 'an option wins against the type of an array', got)


def check_paths(directory):
    path = pathlib.Path(directory, '-x')
    path.write_bytes(b'a\nb\na\n')
    for name, arguments in [('a path', (['-l'], path)),
                            ('a path in args', (['-l', str(path)],)),
                            ('a Path in args', (['-l', path],))]:
        got = gpuhist.run(*arguments)
        holds(got == b'a\t2\nb\t1\n', name, got)
    os.chdir(directory)
    got = gpuhist.run(['-l'], pathlib.Path('-x'))
    holds(got == b'a\t2\nb\t1\n', 'a path that looks like an option', got)
    got = gpuhist.run(['-l', '--files0-from=-'], bytes(path) + b'\0')
    holds(got == b'a\t2\nb\t1\n', 'names of files', got)
    os.chdir('/')


def raised(function, *arguments):
    try:
        return function(*arguments)
    except Exception as mistake:
        return mistake


def restore(program):
    """Have PROGRAM called again, or if it is None the one of the module."""
    if program is None:
        del os.environ['GPUHIST']
    else:
        os.environ['GPUHIST'] = program


def check_mistakes():
    for status, message, arguments in [
            (1, '/none: cannot open: No such file or directory', (['-l', '/none'],)),
            (2, '--dtype=x: takes one type; --record takes several',
             (['--dtype=x'], b''))]:
        got = raised(gpuhist.run, *arguments)
        holds(isinstance(got, gpuhist.Error) and got.status == status and
              str(got) == got.message == message, 'status %d' % status, got)
    for name, arguments in [('a str as data', (['-l'], 'text')),
                            ('a number as data', (['-l'], 3)),
                            ('a str as args', ('-l', b'')),
                            ('items that have no type',
                             (['-l'], memoryview(b'a').cast('?')))]:
        got = raised(gpuhist.run, *arguments)
        holds(isinstance(got, TypeError), name, got)
    program = os.environ.get('GPUHIST')
    os.environ['GPUHIST'] = '/none/gpuhist'
    holds(isinstance(raised(gpuhist.run, ['-V']), FileNotFoundError), 'no program')
    restore(program)


def check_said():
    """Warnings are those of Python, and are about the line that called."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        gpuhist.run(['-l', '--where=1=b'], b'a\n')
    holds(len(caught) == 1 and caught[0].filename == __file__ and
          'gpuhist' not in str(caught[0].message), 'a warning',
          [str(warning) for warning in caught])
    script = 'import gpuhist; gpuhist.run(["-b4", "--plot"], b"a")'
    said = subprocess.run([sys.executable, '-c', script], stderr=subprocess.PIPE,
                          check=True).stderr
    holds(said.count(b'\n') > 4, 'a picture goes to standard error', said)


def check_signals(directory):
    """An interrupt ends the program, too, and so does a signal of its own."""
    # What a shell runs in the background ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fifo = os.path.join(directory, 'fifo')
    os.mkfifo(fifo)
    held = os.open(fifo, os.O_RDWR)
    timer = threading.Timer(.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        gpuhist.run(['-l', fifo])
        got = 'it ended'
    except KeyboardInterrupt:
        got = None
    holds(got is None, 'an interrupt', got)
    try:
        os.waitpid(-1, os.WNOHANG)
        left = True
    except ChildProcessError:
        left = False
    holds(not left, 'no process is left')
    os.close(held)
    path = os.path.join(directory, 'killed')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\nkill -TERM $$\n')
    os.chmod(path, 0o700)
    program = os.environ.get('GPUHIST')
    os.environ['GPUHIST'] = path
    got = raised(gpuhist.run, [])
    holds(repr(got) == "Error('ended by SIGTERM', -15)", 'a signal', got)
    restore(program)


def check_table():
    data = b'city,price\na,1\nb,2.5\n,3\nb,x\n'
    table = gpuhist.table(['--csv', '-g', 'city', '-f', 'price', '-b2', '--range=0,2'],
                          data)
    holds(table.dtype.names == ('city', 'lo', 'hi', 'count', 'flow'), 'columns',
          table.dtype)
    holds(table.dtype['lo'] == 'f8' and table.dtype['city'] == 'O' and
          table.dtype['count'] == 'i8', 'types of columns', table.dtype)
    holds(table.tolist()[0] == ('a', 1.0, 2.0, 1, None), 'a row', table[0])
    holds([row[4] for row in table] == [None, 'overflow', 'overflow', 'invalid'] and
          np.isnan(table['lo'][3]), 'rows outside of the bins', table)
    table = gpuhist.table(['-l'], 'nan\n\xe4\n'.encode() + b'\xff\ninf\n')
    holds(table['line'].tolist() == ['inf', 'nan', '\xe4', os.fsdecode(b'\xff')],
          'texts that look like numbers, and are not UTF-8', table)
    table = gpuhist.table(['--nonzero'], np.array([2**63, 1, 1], 'u8'))
    holds(table['value'].dtype == 'u8' and table['value'].tolist() == [1, 2**63],
          'great numbers', table)
    table = gpuhist.table(['--nonzero'], np.array([np.nan, np.inf, .5]))
    holds(repr(table['value'].tolist()) == '[0.5, inf, nan]', 'no numbers', table)
    values = np.array([(3, 1.5), (3, 2.5), (9, 7)], [('id', '>i2'), ('x', 'f4')])
    table = gpuhist.table(['-g', 'id', '-f', 'x', '--columns=count,mean,nan'], values)
    holds(table.dtype.names == ('id', 'count', 'mean', 'nan') and
          table['mean'].dtype == 'f8' and table.tolist() == [(3, 2, 2, 0), (9, 1, 7, 0)],
          'a structured array', table)
    table = gpuhist.table(['--nonzero'], values)
    holds(table['field'].tolist() == ['id', 'id', 'x', 'x', 'x'], 'fields', table)
    times = np.array(['2026-01-01', '2026-01-03', '2026-01-01'], 'M8[D]')
    table = gpuhist.table(['--nonzero'], times)
    holds(table['value'].astype('M8[D]').tolist() == np.unique(times).tolist() and
          table['count'].tolist() == [2, 1], 'times', table)
    for kind in '?', '>f4', '<u2', '>i8', '<f2':
        values = np.arange(12).reshape(3, 4).astype(kind).T[::2]
        table = gpuhist.table(['--nonzero'], values)
        wanted, counts = np.unique(values, return_counts=True)
        holds(table['value'].tolist() == wanted.tolist() and
              table['count'].tolist() == counts.tolist(), kind, table)
    table = gpuhist.table(['--csv', '-f', 'a_hex'], b'a_hex\n41\n')
    holds(table.dtype.names[0] == 'a_hex' and table['a_hex'][0] == '41',
          'a field whose name ends as an escape', table)
    table = gpuhist.table(['-b1', '--range=0,1'], np.array([np.nan, 0.5], 'f4'))
    holds(table['flow'].tolist() == [None, 'nan'], 'the row of NaN', table)
    table = gpuhist.table(['--csv', '-g', 'a', '-f', 'b:lower', '--columns=mode'],
                          b'a,b\nx,inf\n')
    holds(table['mode'].tolist() == ['inf'], 'a figure of texts', table)
    holds(gpuhist.run(['--nonzero'], np.array([0x00088b1f], 'u4')) == b'559903\t1\n',
          'numbers that begin as gzip does')
    holds(isinstance(raised(gpuhist.table, '-l', b''), TypeError), 'one text')
    holds(gpuhist.table(['-l'], b'').dtype.names == ('line', 'count'), 'no rows')
    table = gpuhist.table(['-l', '--top=1'], b'a\na\nb\n')
    holds(table.tolist() == [('a', 2, False), (None, 1, True)], 'the rest', table)
    for args in ['--format=csv'], ['--csv', '-f1', '-g2', '--pivot']:
        got = raised(gpuhist.table, args, data)
        holds(isinstance(got, ValueError), 'no table: ' + args[-1], got)


def check_mapped(directory):
    """An array that ends where its file does is the file."""
    path = os.path.join(directory, 'x.f8')
    np.arange(1000.0).tofile(path)
    said = []
    for values in np.memmap(path), np.memmap(path, 'f8')[500:], \
            np.memmap(path, 'f8')[:500]:
        table = gpuhist.table(['--nonzero'], values)
        wanted, counts = np.unique(values, return_counts=True)
        said.append(table['value'].tolist() == wanted.tolist() and
                    table['count'].tolist() == counts.tolist())
    holds(all(said), 'a mapped file', said)


def main():
    check_data()
    check_mistakes()
    check_said()
    with tempfile.TemporaryDirectory() as directory:
        check_paths(directory)
        check_signals(directory)
        if np is not None:
            check_mapped(directory)
    if np is not None:
        check_table()
    else:
        holds(isinstance(raised(gpuhist.table, [], b''), ImportError),
              'table() without numpy')
        holds(isinstance(raised(gpuhist.histogram, []), ImportError),
              'histogram() without numpy')


main()
