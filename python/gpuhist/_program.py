# SPDX-License-Identifier: MIT
"""_program.py -- find the program, and call it

What it says on standard error is an exception if it fails; else warnings are
warnings of Python, and all else, such as pictures, goes to sys.stderr.
"""

import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
import warnings

from . import _memory


class Error(Exception):
    """The program failed.

    message is what it said; status is its exit status: 1 if an input or output
    is bad, 2 if the arguments are, 3 for a GPU; or the negative number of the
    signal that ended it.
    """

    def __init__(self, message, status):
        super().__init__(message, status)
        self.message = message
        self.status = status

    def __str__(self):
        return self.message


def find():
    """The path of the program: the one that was installed with this module."""
    path = os.environ.get('GPUHIST')
    if path:
        return path
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    candidates = [os.path.join(here, 'bin', 'gpuhist')]  # pip install --target
    for installed in importlib.metadata.distributions(name='gpuhist', path=[here]):
        candidates += [str(installed.locate_file(file))
                       for file in installed.files or ()
                       if file.name == 'gpuhist' and file.parent.name == 'bin']
    for path in candidates:
        if os.access(path, os.X_OK):
            return os.path.normpath(path)
    path = shutil.which('gpuhist')
    if path is None:
        raise FileNotFoundError(
            'no program gpuhist, neither beside this module nor in the PATH; '
            'the environment variable GPUHIST may name one')
    return path


def start(args, descriptor=None, others=()):
    """Start the program; its standard input is DESCRIPTOR, and it gets OTHERS."""
    return subprocess.Popen([find(), *args], stdin=descriptor, pass_fds=others,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process, level=2):
    """What PROCESS prints; Error if it fails.

    LEVEL is the level of the stack that warnings are about, as for warn().
    """
    with process:
        try:
            output, said = process.communicate()
        except BaseException:
            # Not killed: it removes its files.
            process.terminate()
            process.wait()
            raise
    said = said.decode(errors='backslashreplace')
    if process.returncode:
        lines = [line[len('gpuhist: '):] if line.startswith('gpuhist: ') else line
                 for line in said.splitlines()]
        message = '\n'.join(lines)
        if process.returncode < 0:
            name = signal.Signals(-process.returncode).name
            message = (message + '\n' + 'ended by ' + name).lstrip()
        raise Error(message, process.returncode)
    for line in said.splitlines(keepends=True):
        if line.startswith('gpuhist: warning: '):
            warnings.warn(line[len('gpuhist: warning: '):].rstrip('\n'),
                          RuntimeWarning, stacklevel=level)
        else:
            sys.stderr.write(line)
    return output


def run(args, data=None):
    """Call gpuhist with ARGS, and return what it prints, as bytes.

    ARGS is a sequence of options and paths.  DATA is counted: bytes, anything
    with a buffer such as an array, or a pathlib.Path.  An array has the type of
    its items (--dtype, or --npy for structured ones); other options of ARGS win.
    Without DATA the program reads its standard input if ARGS has no path.

    Error is raised if the program fails.
    """
    return call(args, data)


def check_args(args):
    """Raise TypeError if ARGS is one text."""
    if isinstance(args, (str, bytes)):
        raise TypeError('args is a sequence of arguments, such as %r, not one text' %
                        args.split())


def call(args, data):
    """As run(), for a function that its caller calls."""
    check_args(args)
    with _memory.opened(data) as (options, operands, descriptor):
        return finish(start([*options, *map(os.fspath, args), *operands],
                            descriptor), 4)
