# SPDX-License-Identifier: MIT
"""faults.py -- every call of the driver goes wrong, in every way

    faults.py GPUHIST DRIVER-DIRECTORY [thin | gpu]

For each symbol, each n and each way (tests/fake/fault.h) the nth call goes
wrong.  Whatever happens, the counts are exact or there are none:

    demanded  --device=cuda: status 0, exact and silent; or 3, no counts, one
              message
    auto      status 0 and exact, with at most one warning
    pair      --device=cuda:0,1, both ready before the data come: the same once
              they come, if only one is hit; before that as demanded

and the fault is known to have been there, since the driver says so.  `thin`:
fewer of them, for programs that are slow; `gpu`: a selection for a real driver
(tests/fake/cuda_faults.c), which takes half a second for each.  It prints what
prove(1) reads.
"""

import concurrent.futures
import itertools
import math
import os
import queue
import random
import re
import select
import signal
import struct
import subprocess
import sys
import threading
import time

GPUHIST, DRIVER = sys.argv[1:3]
IS_THIN = sys.argv[3:] == ['thin']
IS_REAL = sys.argv[3:] == ['gpu']
SLOW = 3 if IS_THIN or IS_REAL else 1  # to everything that is meant to be soon
SECONDS = 60  # for a run, which takes some milliseconds

# What a call may return, whether it makes sense for that one or not: invalid
# value, out of memory, ECC error, illegal address, launch failed, not ready,
# unknown, and a number that means nothing.
CODES = itertools.cycle((1, 2, 214, 700, 719, 600, 999, 4711))
WARNING = re.compile('gpuhist: warning: a device failed, its chunks were counted '
                     r'again: cuda:([01]) \(.*\): (\w+)')
REFUSAL = re.compile(r'gpuhist: cuda(:[01])?( \(.*\))?: (\w+)')
COUNTING = re.compile(r'[;,] (\d+) GPUs?$', re.M)
PROGRESS = re.compile(r'gpuhist: \d+ bytes? .*read in ')
SHARE = re.compile(r'gpuhist: explain: (?:cuda:([01]) |cpu).* counted (\d+) bytes')


class Situation:
    """What is counted, and by whom."""

    def __init__(self, name, kind, options, chunk, data):
        self.name = f'{kind}, {name}'
        self.kind = kind
        self.chunk = chunk
        self.data = data
        self.options = [f'--chunk-size={chunk}', *options]
        if kind == 'demanded':
            self.device = ['--device=cuda']
        elif kind == 'auto':
            self.device = ['--gpu-after=0', '-j1']
        else:
            self.device = ['--device=cuda:0,1', '--gpu-after=0',
                           '--explain']
        self.file = os.path.abspath(f'data{id(self)}')
        with open(self.file, 'wb') as file:
            file.write(data)
        self.wanted = subprocess.run(
            [GPUHIST, *self.options, '--device=cpu', self.file],
            stdout=subprocess.PIPE, timeout=SECONDS, check=True).stdout
        self.gate = None
        self.calls = {}
        self.number = 0


class Slot:
    """A directory for one run at a time."""

    def __init__(self, number):
        self.path = os.path.abspath(f'slot{number}')
        os.mkdir(self.path)
        os.mkfifo(self.at('gate'))
        # Both ends: it never blocks, and nothing in it gets lost.
        self.gate = os.open(self.at('gate'), os.O_RDWR)

    def at(self, name):
        return os.path.join(self.path, name)

    def read(self, name):
        try:
            with open(self.at(name), 'rb') as file:
                return file.read()
        except FileNotFoundError:
            return b''

    def wait_for_gate(self):
        if not select.select([self.gate], [], [], SECONDS)[0]:
            raise TimeoutError('the gate was not opened')
        os.read(self.gate, 100)

    def has_gpus(self, process, number):
        """Wait until NUMBER GPUs count; False if a fault came first."""
        end = time.monotonic() + SECONDS
        while process.poll() is None and not self.read('fired'):
            if str(number) in COUNTING.findall(self.read('err').decode()):
                return True
            if time.monotonic() > end:
                raise TimeoutError('no GPU counts')
            process.send_signal(signal.SIGUSR1)
            time.sleep(0.002)
        return False

    def close_gate(self):
        while select.select([self.gate], [], [], 0)[0]:
            os.read(self.gate, 100)

    def wait_for_waking(self):
        """Wait until the late call continues, if there is one."""
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            fired = self.read('fired')
            if b'woke' in fired:
                return
            if b'fired' in fired:
                end = time.monotonic() + SECONDS
            time.sleep(0.01)


class Outcome:
    """What came of one run."""

    def __init__(self, slot, status):
        lines = slot.read('err').decode().splitlines()
        fired = slot.read('fired').decode().split()
        self.status = status
        self.out = slot.read('out')
        self.messages = [x for x in lines if ': explain: ' not in x and
                         not PROGRESS.match(x)]
        self.shares = {m[1] or 'cpu': int(m[2]) for m in map(SHARE.match, lines) if m}
        self.has_fired = fired[:1] == ['fired']
        self.is_early = 'early' in fired
        self.has_woken = 'woke' in fired


def write(process, slot, situation, is_late):
    """Write the data; if a call is late, the second half after that call."""
    half = len(situation.data) // 2 // situation.chunk * situation.chunk
    begin = 0
    pipe = process.stdin
    try:
        with pipe:
            slot.wait_for_gate()
            if slot.has_gpus(process, 2 if situation.kind == 'pair' else 1):
                # However quick the CPU is, it leaves this to a GPU.
                begin = situation.chunk
                pipe.write(situation.data[:begin])
                pipe.flush()
                slot.wait_for_gate()
            pipe.write(situation.data[begin:half])
            pipe.flush()
            if is_late:
                slot.wait_for_waking()
            pipe.write(situation.data[half:])
    except BrokenPipeError:
        pass


def run(slot, situation, fault='', timeout=None, environment=()):
    """Count, with this fault."""
    options = [f'--gpu-timeout={timeout}'] if timeout else []
    is_gated = situation.gate is not None
    for name in ('fired', 'out', 'err'):
        with open(slot.at(name), 'wb'):
            pass
    slot.close_gate()
    env = dict(os.environ, LD_LIBRARY_PATH=DRIVER, FAKE_CU_FAIL=fault,
               FAKE_CU_FIRED=slot.at('fired'), FAKE_CU_LEDGER=slot.at('ledger'),
               FAKE_CU_LATE_MS=str(int(2000 * (timeout or 0))))
    env.update(environment)
    if situation.kind == 'pair':
        env['FAKE_CU_DEVICES'] = '2'
    if is_gated:
        env['FAKE_CU_GATE'] = f'cuEventCreate:{situation.gate}:{slot.at("gate")}'
    with open(slot.at('out'), 'wb') as out, open(slot.at('err'), 'wb') as err:
        with subprocess.Popen(
                [GPUHIST, *situation.options, *situation.device, *options,
                 *([] if is_gated else [situation.file])],
                env=env, stdout=out, stderr=err,
                stdin=subprocess.PIPE if is_gated else subprocess.DEVNULL
                ) as process:
            try:
                if is_gated:
                    write(process, slot, situation, ':late' in fault)
                status = process.wait(SECONDS)
            except (TimeoutError, subprocess.TimeoutExpired) as error:
                process.kill()
                status = str(error)
    return Outcome(slot, status)


def problem(situation, fault, outcome):
    """What is wrong with OUTCOME, or None."""
    symbol, _, _, *how = fault.split(':')
    how = how[0] if how else 'once'
    may_fail = situation.kind == 'demanded' or situation.kind == 'pair' and (
        outcome.is_early or how in ('persist', 'sticky'))
    if outcome.status == 3:
        message = REFUSAL.match('\n'.join(outcome.messages))
        if not may_fail:
            return 'no counts'
        if outcome.out != b'' or len(outcome.messages) != 1 or not message:
            return 'not silent, or without a message'
        if how == 'hang' and outcome.has_fired and message[3] != re.sub('_v2$', '', symbol):
            return 'another call is blamed'
        return None
    if outcome.status != 0:
        return 'a wrong status'
    if outcome.out != situation.wanted:
        return 'WRONG COUNTS'
    if not outcome.messages:
        return None
    if situation.kind == 'demanded' or len(outcome.messages) != 1:
        return 'a message'
    if not WARNING.match(outcome.messages[0]):
        return 'a strange message'
    if situation.kind == 'pair' and sum(
            outcome.shares.values()) != len(situation.data):
        return 'the engines did not count all bytes between them'
    return None


def in_turn(situation, way):
    """The symbols that fail in this WAY, 0 or 1: half of them if thin, and in
    the next situation the other half."""
    if not IS_THIN:
        return list(situation.calls)
    return sorted(situation.calls)[(situation.number + way) % 2::2]


class Matrix:
    """All runs; the slots that they share; what was found."""

    def __init__(self, slots):
        self.slots = queue.SimpleQueue()
        self.all_slots = [Slot(i) for i in range(slots)]
        for slot in self.all_slots:
            self.slots.put(slot)
        self.lock = threading.Lock()
        self.injected = 0
        self.bad = []
        self.tests = 0

    def ok(self, is_ok, name):
        self.tests += 1
        print('ok' if is_ok else 'not ok', self.tests, '-', name, flush=True)

    def try_one(self, situation, fault, timeout=None, environment=()):
        """Run with FAULT and judge; returns the outcome."""
        slot = self.slots.get()
        try:
            outcome = run(slot, situation, fault, timeout, environment)
            wrong = problem(situation, fault, outcome)
            if wrong and timeout and 'did not return' in str(outcome.messages):
                # Everybody may be late on a busy machine: give them time.
                outcome = run(slot, situation, fault, 20 * timeout, environment)
                wrong = problem(situation, fault, outcome)
        finally:
            self.slots.put(slot)
        with self.lock:
            self.injected += outcome.has_fired
            if wrong:
                self.bad.append(f'{situation.name}: {fault}: {wrong}: status '
                                f'{outcome.status}, {outcome.messages}')
        return outcome

    def healthy(self, situation):
        """Find out which calls there are; and how many events, for the gate."""
        slot = self.all_slots[0]
        if os.path.exists(slot.at('ledger')):
            os.unlink(slot.at('ledger'))
        device = situation.device
        if situation.kind == 'auto':
            # Nobody would wait for its start: ask for it, or for two.  Where
            # there is another engine a large table needs one more event.
            situation.device = (['--device=cuda'] if IS_REAL else
                                ['--device=cuda:0,1', '--gpu-after=0'])
        outcome = run(slot, situation, environment={'FAKE_CU_DEVICES': '2'})
        situation.device = device
        calls = re.findall(r'^calls (\w+) (\d+)$',
                           slot.read('ledger').decode(), re.M)
        # One device makes half of the calls that two of them made.
        devices = 2 if situation.kind == 'auto' and not IS_REAL else 1
        situation.calls = {symbol: math.ceil(int(n) / devices)
                           for symbol, n in calls if n != '0'}
        if situation.kind != 'demanded':
            situation.gate = situation.calls['cuEventCreate']
            outcome = run(slot, situation)
        self.ok(outcome.status == 0 and outcome.out == situation.wanted
                and not outcome.messages and len(situation.calls) > 20,
                f'{situation.name}: a healthy run')

    def try_symbol(self, situation, symbol, hows):
        """Each call of SYMBOL, until there is none; returns how many."""
        n = 1
        while True:
            has_fired = False
            for how in hows[n % len(hows):][:1] if IS_THIN else hows:
                fault = f'{symbol}:{n}:{next(CODES)}{how}'
                has_fired |= self.try_one(situation, fault).has_fired
            if not has_fired:
                return n - 1
            is_full = situation.kind == 'demanded'
            n += n if IS_THIN else 1 if is_full or n < 4 else n // 2

    def errors(self, situation, pool):
        """Each call fails; returns which tests that is, and how they went."""
        hows = ['', ':persist', ':sticky']
        if situation.kind == 'pair':
            hows = ['', ':persist', ':lost']
        symbols = in_turn(situation, 0)
        count = dict(zip(symbols, pool.map(
            lambda symbol: self.try_symbol(situation, symbol, hows), symbols)))
        # The CPU may have been quick enough to leave a GPU almost nothing.
        never = [symbol for symbol in count if count[symbol] == 0]
        for symbol, _ in itertools.product(never, range(5)):
            count[symbol] = count[symbol] or self.try_symbol(
                situation, symbol, hows)
        never = [symbol for symbol in count if count[symbol] == 0]
        yield not never, f'each symbol failed {never}'
        if situation.kind == 'demanded' and situation.name.endswith('small'):
            # How many buffers get pinned depends on the order of the threads.
            few = [symbol for symbol in count if not IS_THIN and
                   count[symbol] != situation.calls[symbol] and
                   not symbol.startswith(('cuMemHostR', 'cuMemHostU'))]
            yield not few, f'each time {few}'

    def hangs(self, situation, seconds, numbers, pool):
        """Calls that never return; of each symbol those of NUMBERS."""
        def hang(symbol, n, seconds):
            return self.try_one(situation, f'{symbol}:{n}:1:hang',
                                seconds).has_fired

        def try_symbol(symbol):
            count = sum(hang(symbol, n, seconds)
                        for n in numbers(situation.calls[symbol]))
            # A GPU may have been left with a chunk or two.  A slow machine may
            # have had no time left to close the driver: then it gets more.
            for factor in (1, 2, 4, 8, 16):
                count = count or hang(symbol, 1, factor * seconds)
            return count

        symbols = in_turn(situation, 1)
        count = dict(zip(symbols, pool.map(try_symbol, symbols)))
        never = [symbol for symbol in count if count[symbol] == 0]
        yield not never, (f'{sum(count.values())} calls never returned, of '
                          f'each symbol {never}')

    def real(self, situation, pool):
        """A selection: of each symbol the first and the last call, or so."""
        def try_symbol(symbol):
            last = situation.calls[symbol]
            fired = [self.try_one(situation, f'{symbol}:{n}:{code}').has_fired
                     for n in sorted({1, last - last // 4})
                     for code in (2, 700)]
            hang = self.try_one(situation, f'{symbol}:1:1:hang', 1)
            return any(fired) and hang.has_fired

        calls = situation.calls
        never = [symbol for symbol, has_fired in
                 zip(calls, pool.map(try_symbol, calls)) if not has_fired]
        # A GPU that was not requested may have nothing to do.
        yield (not never or situation.kind == 'auto',
               f'each symbol failed and hung {never}')
        traps = [self.try_one(situation, f'cuLaunchKernel:{n}:700:trap')
                 for n in (1, 1, 1, 2, 3)]
        lost = [x for x in traps if x.has_fired and x.messages and
                'ILLEGAL_ADDRESS' in x.messages[0]]
        yield lost, f'{len(lost)} kernels were trapped'

    def losses(self, situation, how, pool):
        """In mid-stream, a device fails that may have released chunks."""
        symbols = {'cuMemcpyHtoDAsync_v2', 'cuEventRecord', 'cuStreamWaitEvent',
                   'cuLaunchKernel', 'cuMemcpyDtoHAsync_v2',
                   'cuEventSynchronize', 'cuMemcpyDtoDAsync_v2',
                   'cuStreamSynchronize', 'cuMemHostRegister_v2'}
        # The CPU may have been quick enough to leave a GPU almost nothing.
        is_pair = situation.kind == 'pair'
        numbers = (3, 7, 12, 20) if is_pair else (1, 2)
        if how == 'trap':
            numbers = numbers if is_pair else (1,) * 8
        elif IS_THIN:
            numbers = numbers[-2:]
        timeout = None if how in ('lost', 'trap') else 0.3 * SLOW
        faults = [f'{symbol}:{n}:719:{how}'
                  for symbol in sorted(symbols & situation.calls.keys())
                  if how != 'trap' or symbol == 'cuLaunchKernel'
                  for n in numbers]
        outcomes = list(pool.map(
            lambda fault: self.try_one(
                situation, fault, timeout,
                {'FAKE_CU_KERNEL_MS': '1' if is_pair else '0'}),
            faults))
        lost = [WARNING.match(x.messages[0]) for x in outcomes
                if x.has_fired and x.messages]
        lost = [x for x in lost if x]
        least = 3 if is_pair else 1
        yield len(lost) >= least, f'{how}: a GPU was lost {len(lost)} times'
        if how == 'late':
            woken = sum(x.has_woken for x in outcomes)
            yield woken >= least, f'{how}: {woken} of them came back'
        if is_pair and not IS_THIN:
            counted = sum(
                x.shares.get(WARNING.match(x.messages[0])[1], 0) > 0
                for x in outcomes if x.messages and x.status == 0)
            yield counted >= 1, f'{how}: {counted} times it had counted'

    def all_faults(self, situation, pools):
        """All that can go wrong in SITUATION."""
        before = self.injected
        begin = time.monotonic()
        self.healthy(situation)
        is_small = situation.name.endswith('small')
        is_pair = situation.kind == 'pair'

        def few(n):
            return {1, n // 2 + 1} if is_small and not IS_THIN else {n // 2 + 1}

        def every(n):
            return range(1, n + 1)

        # With a pair nothing but the one call may be found late.
        is_full = is_small and not is_pair and not IS_THIN
        tasks = [(self.hangs, situation, (0.3 if is_pair else 0.05) * SLOW,
                  every if is_full else few, pools.asleep)]
        if situation.kind != 'demanded':
            tasks += [(self.losses, situation, how, pools.asleep)
                      for how in ('lost', 'trap', 'hang', 'late')]
        tasks.append((self.errors, situation, pools.busy))
        if IS_REAL:
            tasks = [(self.real, situation, pools.asleep)]
        results = [pools.tasks.submit(lambda f, *arguments: list(f(*arguments)),
                                      *task) for task in tasks]
        for result in results:
            for is_ok, name in result.result():
                self.ok(is_ok, f'{situation.name}: {name}')
        self.ok(not self.bad, f'{situation.name}: {self.injected - before} '
                'faults: exact counts or none')
        for line in self.bad[:20]:
            print('#', line[:300])
        self.bad.clear()
        print(f'# {time.monotonic() - begin:.1f} s')

    def balanced(self):
        left = set()
        for slot in self.all_slots:
            left |= set(re.findall(rb'^(?:outstanding|misuse) .* [1-9]\d*$',
                                   slot.read('ledger'), re.M))
        self.ok(not left, f'what was not left by _exit() was cleaned up {left}')


def list_devices(matrix):
    """What a device does not tell stays empty."""
    env = dict(os.environ, LD_LIBRARY_PATH=DRIVER, FAKE_CU_DEVICES='2')
    hows = ('', ':persist', ':sticky')
    bad = []
    for symbol in ('cuInit', 'cuDeviceGetCount', 'cuDeviceGet',
                   'cuDeviceGetName', 'cuDeviceTotalMem_v2',
                   'cuDeviceGetAttribute'):
        for n, how in itertools.product((1, 4) if IS_THIN else (1, 2, 3, 4),
                                        hows):
            env['FAKE_CU_FAIL'] = f'{symbol}:{n}:999{how}'
            done = subprocess.run([GPUHIST, '--list-devices'], env=env,
                                  capture_output=True, timeout=SECONDS,
                                  check=False)
            lines = done.stdout.count(b'\n')
            if done.returncode or done.stderr or lines not in (1, 3):
                bad.append(env['FAKE_CU_FAIL'])
    matrix.ok(not bad, f'--list-devices: status 0 whatever fails {bad}')
    env['FAKE_CU_FAIL'] = 'cuInit:1:1:hang'
    done = subprocess.run([GPUHIST, '--list-devices', '--gpu-timeout=0.1'],
                          env=env, capture_output=True, timeout=SECONDS,
                          check=False)
    matrix.ok(done.returncode == 3 and not done.stdout and
              done.stderr.count(b'\n') == 1, '--list-devices: a driver hangs')


def situations():
    source = random.Random(1)
    if IS_REAL:
        chunk = 1 << 16
        yield Situation('bytes', 'demanded', [], chunk,
                        source.randbytes(20 * chunk))
        yield Situation('bytes', 'auto', [], chunk,
                        source.randbytes(40 * chunk))
        if b'\ncuda:1\t' in subprocess.run(
                [GPUHIST, '--list-devices'], stdout=subprocess.PIPE,
                timeout=SECONDS, check=True).stdout:
            yield Situation('bytes', 'pair', [], chunk,
                            source.randbytes(40 * chunk))
        return
    # Records whose table of 103 KiB needs everything that there is on the
    # device: axes, edges, a lookup table and sums.
    with open('edges', 'w', encoding='ascii') as file:
        file.write('\n'.join(map(str, range(699))))
    sums = ['--record=u1,f8,f4,x*51', '--weights=3', '--edges=-',
            '--edges=@' + os.path.abspath('edges')]

    def sum_data(chunks):
        return source.randbytes(chunks * 65536)

    def growing(chunks):
        """Each chunk has values further out."""
        return b''.join(
            struct.pack('<d', math.ldexp(source.random(), chunk))
            for chunk in range(chunks) for _ in range(128))

    def lines(chunks):
        """Few keys, and one that is new in each chunk."""
        text = b''.join(b'%d,k%d\n' % (i, i if i % 260 == 0 else i % 7)
                        for i in range(chunks * 260))
        return text[:chunks * 2048]

    auto_range = ['--dtype=<f8', '--bins=50', '--range=auto']
    for kind, factor in (('demanded', 1), ('auto', 2), ('pair', 2)):
        yield Situation('small', kind, [], 1024,
                        source.randbytes(20 * factor * 1024))
        yield Situation('sums', kind, sums, 65536, sum_data(14 * factor))
        yield Situation('range', kind, auto_range, 1024, growing(10 * factor))
        if kind != 'auto':
            yield Situation('text', kind, ['--csv', '-f2', '--memory-limit=4M'],
                            2048, lines(20 * factor))


class Pools:
    """Threads for runs that take processors, for runs that mostly sleep, and
    for groups of runs."""

    def __init__(self):
        self.busy = concurrent.futures.ThreadPoolExecutor(4)
        self.asleep = concurrent.futures.ThreadPoolExecutor(
            6 if IS_REAL else 16)
        self.tasks = concurrent.futures.ThreadPoolExecutor(8)


def main():
    matrix = Matrix(20)
    pools = Pools()
    for number, situation in enumerate(situations()):
        situation.number = number
        matrix.all_faults(situation, pools)
    if not IS_REAL:
        list_devices(matrix)
        matrix.balanced()
    print(f'# {matrix.injected} faults were injected')
    least = 100 if IS_REAL else 300 if IS_THIN else 3000
    matrix.ok(matrix.injected > least, 'they are many')
    print(f'1..{matrix.tests}')


main()
