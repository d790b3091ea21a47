# SPDX-License-Identifier: MIT
"""_memory.py -- give the bytes of an object to another process, as an open file

A memfd is a file in memory without a name: the program reads it with several
threads, as it does any regular file.  An array that is mapped from a file needs
no copy: the file is given.
"""

import contextlib
import ctypes
import fcntl
import os
import pickle
import stat
import struct
import sys

# What the program calls the types that Python's struct has, but for bytes.
KINDS = {**dict.fromkeys('bhilq', 'i'), **dict.fromkeys('HILQ', 'u'),
         **dict.fromkeys('efd', 'f')}


def create(name):
    """The descriptor of an empty file in memory.

    It is none of the first three, which a new process has of its own.
    """
    first = create_any(name)
    if first > 2:
        return first
    try:
        return fcntl.fcntl(first, fcntl.F_DUPFD_CLOEXEC, 3)
    finally:
        os.close(first)


def create_any(name):
    """As create(), with any number."""
    if hasattr(os, 'memfd_create'):
        return os.memfd_create(name)
    # A Python that was built for older systems.
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.memfd_create(name.encode(), 1)  # MFD_CLOEXEC
    if descriptor < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return descriptor


def write(descriptor, data):
    """Write all bytes of DATA, which has a contiguous buffer."""
    with pickle.PickleBuffer(data).raw() as view:
        done = 0
        while done < len(view):
            done += os.write(descriptor, view[done:])


def find_file(array):
    """The file that holds ARRAY's bytes: a descriptor at the first of them.

    None if there is none: the array is not contiguous, or its memory is not
    shared with a file that can be opened.
    """
    if not array.flags.c_contiguous or not array.nbytes:
        return None
    address = array.__array_interface__['data'][0]
    with open('/proc/self/maps', 'rb') as maps:
        for line in maps:
            words = line.split(None, 5)
            start, end = (int(word, 16) for word in words[0].split(b'-'))
            if start <= address < end:
                break
        else:
            return None
    if address + array.nbytes > end or words[1][3:] != b's':
        return None
    offset = int(words[2], 16) + address - start
    try:
        descriptor = os.open(words[5].rstrip(b'\n'), os.O_RDONLY | os.O_NONBLOCK)
    except (IndexError, OSError):
        return None
    # The path may name another file by now.
    status = os.fstat(descriptor)
    device = b'%02x:%02x' % (os.major(status.st_dev), os.minor(status.st_dev))
    if (words[3], int(words[4])) != (device, status.st_ino) or \
            not stat.S_ISREG(status.st_mode) or \
            offset + array.nbytes > status.st_size:
        os.close(descriptor)
        return None
    os.lseek(descriptor, offset, os.SEEK_SET)
    return descriptor


def is_numpy(data):
    """Whether DATA is an array of numpy, which need not be installed."""
    numpy = sys.modules.get('numpy')
    return numpy is not None and isinstance(data, numpy.ndarray)


def type_name(form):
    """What --dtype calls the items that a buffer calls FORM.

    '' for bytes, None if the program has no such type.
    """
    order = form[:1] if form[:1] in '@=<>!' else ''
    letter = form[len(order):]
    if letter in ('B', 'c'):
        return ''
    if letter not in KINDS:
        return None
    size = struct.calcsize((order or '@') + letter)
    is_big = order in ('>', '!') or order in ('', '@', '=') and sys.byteorder == 'big'
    return '%s%s%d' % ('>' if is_big else '<', KINDS[letter], size)


def array_type(data):
    """As type_name(), of the items of an object with a buffer."""
    try:
        with memoryview(data) as view:
            return type_name(view.format)
    except ValueError:
        # Dates of numpy have no buffer.
        if is_numpy(data):
            return None
        raise


def copy(data, name):
    """A file in memory with the bytes of DATA, in C order, and its options."""
    options = []
    descriptor = create('gpuhist')
    try:
        if name is None:
            import numpy.lib.format
            with os.fdopen(os.dup(descriptor), 'wb') as file:
                numpy.lib.format.write_array(file, data, allow_pickle=False)
            options = ['--npy']
        else:
            with memoryview(data) as view:
                write(descriptor, data if view.c_contiguous else view.tobytes())
        os.lseek(descriptor, 0, os.SEEK_SET)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, options


def find_whole_file(data):
    """As find_file(), if the file ends where the array does."""
    descriptor = find_file(data)
    if descriptor is not None:
        end = os.lseek(descriptor, 0, os.SEEK_CUR) + data.nbytes
        if end == os.fstat(descriptor).st_size:
            return descriptor
        os.close(descriptor)
    return None


@contextlib.contextmanager
def opened(data):
    """DATA for the program: options, operands, and what is its standard input.

    The options have the type of the items of an array.
    """
    if data is None:
        yield [], [], None
        return
    if isinstance(data, os.PathLike):
        path = os.fspath(data)
        dash, here = (b'-', b'./') if isinstance(path, bytes) else ('-', './')
        yield [], [here + path if path.startswith(dash) else path], None
        return
    if isinstance(data, str):
        raise TypeError('data is a str: encode it if it is text, or give a '
                        'pathlib.Path')
    try:
        name = array_type(data)
    except TypeError:
        raise TypeError('data must be bytes, an array or a path, not %s' %
                        type(data).__name__) from None
    if name is None and not is_numpy(data):
        raise TypeError('data has items of a type that gpuhist does not count')
    # Numbers may begin as compressed files do.
    options = ['--dtype=' + name, '--decompress=none'] if name else []
    descriptor = None
    if name is not None and is_numpy(data):
        descriptor = find_whole_file(data)
    if descriptor is None:
        descriptor, more = copy(data, name)
        options += more
    try:
        yield options, [], descriptor
    finally:
        os.close(descriptor)
