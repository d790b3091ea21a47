# SPDX-License-Identifier: MIT
"""conflicts_oracle.py -- what bench/conflicts must print, by brute force

`make` writes files of random data to the working directory; with the name of
a file it prints the table for it.  Every thread is looked at for itself: which
bytes it loads, which words it adds to, when.
"""

import random
import sys

LAYOUTS = ['lane', 'copies', 'block', 'warp', 'packed', 'spread']
PAIRS = ['packed', 'spread']  # of counters in a word, of 16-bit samples
WARPS = 4  # of a block; any number will do
BLOCKS = 3


def word(layout, value, thread):
    lane = thread % 32
    if layout == 'lane':
        return 32 * value + lane
    if layout == 'copies':
        return 16 * value + lane % 16
    if layout == 'warp':
        return 256 * (thread // 32 % WARPS) + value
    if layout == 'spread':
        return value // 2 // 32 * 32 + (value // 2 % 32 ^ value // 256 % 32)
    return value // 2 if layout == 'packed' else value


def adds(layout, load, samples):
    """(when, thread, word) of all adds; those of one warp at one time are one
    access."""
    threads = 32 * WARPS * BLOCKS
    per_vector = 8 if layout in PAIRS else 16
    if load == 'sample':
        for i, value in enumerate(samples):
            yield (i // threads,), i % threads, word(layout, value, i % threads)
        return
    vectors = len(samples) // per_vector
    for v in range(vectors):
        own = samples[v * per_vector:(v + 1) * per_vector]
        thread = v % threads
        if layout in PAIRS and len(set(own)) == 1:
            yield (v // threads, 'run'), thread, word(layout, own[0], thread)
            continue
        for turn, value in enumerate(own):
            yield (v // threads, turn), thread, word(layout, value, thread)
    for thread, value in enumerate(samples[vectors * per_vector:]):
        yield ('rest',), thread, word(layout, value, thread)


def table(data):
    print('#layout\tload\taccesses\tdegree_mean\tdegree_max\tsame_mean\t'
          'same_max\tbank_free\tfree')
    words = [data[i] + 256 * data[i + 1] for i in range(0, len(data) - 1, 2)]
    for layout in LAYOUTS:
        for load in ['vector', 'sample']:
            accesses = {}
            for when, thread, at in adds(
                    layout, load, words if layout in PAIRS else data):
                accesses.setdefault((when, thread // 32), []).append(at)
            degrees = []
            crowds = []
            for targets in accesses.values():
                banks = [sum(t % 32 == bank for t in set(targets))
                         for bank in range(32)]
                degrees.append(max(banks))
                crowds.append(max(targets.count(t) for t in set(targets)))
            n = len(accesses)
            if n == 0:
                print(layout, load, 0, *'------', sep='\t')
                continue
            print(layout, load, n, '%.6f' % (sum(degrees) / n), max(degrees),
                  '%.6f' % (sum(crowds) / n), max(crowds),
                  '%.6f' % (degrees.count(1) / n),
                  '%.6f' % (list(zip(degrees, crowds)).count((1, 1)) / n),
                  sep='\t')


def write(name, data):
    with open(name, 'wb') as file:
        file.write(bytes(data))


def make():
    random.seed(1)
    for size in [0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 65, 511, 512, 513, 530]:
        write('few.%d' % size, random.choices(range(256), k=size))
    many = 6007
    write('many.uniform', random.choices(range(256), k=many))
    write('many.text', random.choices(b'etaoin shrdlu\n', k=many))
    # Runs of 16-bit samples, some of them in step with the vectors.
    runs = []
    while len(runs) < many:
        runs += random.choices(range(256), k=2) * random.choice([1, 3, 8, 24])
    write('many.runs', runs)
    write('many.sorted', sorted(random.choices(range(256), k=many)))


if sys.argv[1] == 'make':
    make()
else:
    with open(sys.argv[1], 'rb') as source:
        table(source.read())
