/* SPDX-License-Identifier: MIT */
/*
 * text_job.c -- a device counts fields of text
 *
 * Three kernels run for each batch of chunks (kernels/text/text_work.h).  The
 * host decides which keys the device knows: between two batches the device
 * learns the keys of the last lists.  The CPU counts listed records after their
 * chunk is completed.  A chunk whose list has no room is refused; but the
 * device learns the keys in the list.
 *
 * If keys hardly ever repeat, chunks are refused although the device has
 * learned as many keys as possible.  Then the device looks at a few chunks only
 * now and then.
 */

#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "engine/gpu/device/device_engine.h"
#include "engine/gpu/device/device_refusals.h"
#include "engine/text_layout.h"

/* As text::THREADS (text.cuh). */
#define BLOCK_THREADS 256

/* Of the scratch memory of a chunk, in words. */
#define SCRATCH_ALIGNMENT 32

/*
 * The list of a chunk has room for one record in so many bytes: a sixteenth of
 * the chunk's bytes goes over the wire the other way.
 */
#define LIST_RECORD_BYTES 128
#define LIST_ROOM_MIN 64

/* The keys sent between two batches. */
#define LEARN_MAX ((uint32_t)1 << 15)
#define KEYS_PER_BLOCK 1024

/* The keys looked up in the dictionary together. */
#define KEYS_TOGETHER 256

/*
 * A refused chunk is useless if it teaches less than 1 / USELESS_SHARE of the
 * keys that fit into its list.  Chunks under way while their keys were learned
 * are useless, too.  After USELESS_MAX useless chunks in a row the next
 * PAUSE_MIN chunks are left to the CPU.  Each time half as many useless chunks
 * follow, the pause is twice as long, up to PAUSE_MAX chunks.
 */
#define USELESS_SHARE 16
#define USELESS_MAX (4 * CHECKPOINT_SLOTS)
#define PAUSE_MIN 16
#define PAUSE_MAX 1024

static void
shape(const struct device_engine *device, uint64_t *cells, unsigned int *planes)
{
    *cells = text_layout_cells(device->engine.spec, device->text.keys_max);
    *planes = 1;
}

/* The kernel that finds the cells. */
static enum device_kernel
find_kernel(const struct spec *spec)
{
    if (text_layout_has_spans(spec))
        return DEVICE_FIND_SPANS;
    return text_layout_bins(spec) > 0 ? DEVICE_FIND_NUMBERS : DEVICE_FIND;
}

/* ---- opening ---- */

static int
choose(struct device_engine *device, struct error *error)
{
    const size_t shared_bytes = TEXT_SHARED_WORDS * sizeof(binning_u32);
    enum device_kernel find = find_kernel(device->engine.spec);

    if (device->wanted != STRATEGY_AUTO) {
        error_set(
            error, EXIT_NO_DEVICE,
            "%s: --tune=strategy=%s is not possible: text has no strategies",
            device->engine.name, kernel_strategy_name(device->wanted));
        return -1;
    }
    if (device->shared_bytes < shared_bytes) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: text needs %zu bytes of shared memory, it has %zu",
                  device->engine.name, shared_bytes, device->shared_bytes);
        return -1;
    }
    device->batch = device_refusals_batch(device);
    device->kernel.shared_bytes = shared_bytes;
    device->block_threads = BLOCK_THREADS;
    device->kernels |= 1u << DEVICE_LEARN | 1u << DEVICE_PREPARE | 1u << find |
                       1u << DEVICE_CELLS;
    snprintf(device->how, sizeof device->how, "text (%s, %s), for %u keys",
             device_kernel_name(find), device_kernel_name(DEVICE_CELLS),
             device->text.keys_max);
    return 0;
}

/* Set the fields that are equal for all batches. */
static void
open_work(struct device_engine *device)
{
    const struct spec *spec = device->engine.spec;
    binning_u32 chunk = (binning_u32)device->pool->chunk_bytes;
    binning_u32 words = text_scratch_words(chunk);
    binning_u32 room = chunk / LIST_RECORD_BYTES;
    bool is_key = !text_layout_has_spans(spec) && !spec->shown[0].is_text;
    uint32_t bins = text_layout_bins(spec);
    uint32_t span;
    struct text_field field = text_layout_field(spec, &span);

    device->text.work = (struct text_work){
        .hash_key = device->text.dictionary.hash_key,
        .data_stride = (binning_u32)device->stride,
        .scratch_stride = (words + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT *
                          SCRATCH_ALIGNMENT,
        .slot_mask = device->text.dictionary.slot_mask,
        .list_room = room < LIST_ROOM_MIN ? LIST_ROOM_MIN : room,
        .prefix = is_key ? spec->prefix : KEY_BYTES_MAX,
        .format = spec->text,
        .field = field,
        .span = span,
        .bins = bins,
        .first_bin = (binning_u32)text_layout_first_bin(device->text.keys_max),
    };
    if (bins > 0)
        device->text.work.axis = spec->counted[0];
}

/* Allocate the device's memory; no slot has a key. */
static int
open_memory(struct device_engine *device, struct error *error)
{
    const struct device_operations *operations = device->operations;
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, NULL};
    const struct spec *spec = device->engine.spec;
    struct device_text *text = &device->text;
    const struct text_work *work = &text->work;
    size_t slots = (size_t)text->dictionary.slot_mask + 1;
    size_t scratch = (device->batch - 1) * work->scratch_stride +
                     text_scratch_words((binning_u32)device->pool->chunk_bytes);
    size_t lists = device->batch * text_list_words(work->list_room);

    /* Of an axis without a table, not even one of an edge. */
    if (find_kernel(spec) == DEVICE_FIND_NUMBERS &&
        device_upload(device, &device->edges, spec->edges.edge,
                      spec->edges.count * sizeof *spec->edges.edge, error) < 0)
        return -1;
    if (operations->allocate(device, &text->slots,
                             slots * sizeof(struct text_slot), NULL,
                             error) < 0 ||
        operations->allocate(device, &text->arena, text->dictionary.arena_bytes,
                             NULL, error) < 0 ||
        operations->allocate(device, &text->learned,
                             LEARN_MAX * sizeof(struct text_slot), NULL,
                             error) < 0 ||
        operations->allocate(device, &device->scratch,
                             scratch * sizeof(binning_u32), NULL, error) < 0 ||
        operations->allocate(device, &text->lists, lists * sizeof(binning_u32),
                             NULL, error) < 0)
        return -1;
    return operations->clear(device, &command, text->slots,
                             slots * sizeof(struct text_slot), error);
}

/* Allocate host memory for the data that comes with each chunk. */
static int
open_lists(struct device_engine *device, struct error *error)
{
    struct device_text *text = &device->text;
    size_t words = text_list_words(text->work.list_room);
    size_t bytes = device->refusal_count * words * sizeof *text->list;

    device_open_host(device, &text->listed, bytes);
    text->list = text->listed.address;
    if (text->list == NULL)
        text->list = malloc(bytes);
    text->chunk = calloc(device->refusal_count, sizeof *text->chunk);
    text->leftovers = calloc(device->engine.depth, sizeof *text->leftovers);
    device->engine.leftovers = text->leftovers;
    return text->list != NULL && text->chunk != NULL && text->leftovers != NULL
               ? 0
               : error_fail_memory(error);
}

static int
open_text(struct device_engine *device, struct error *error)
{
    struct device_text *text = &device->text;
    struct hash_key hash_key = {{0}};

    machine_random(hash_key.word, 2);
    if (text_dictionary_open(&text->dictionary, hash_key, text->keys_max,
                             text_layout_arena_bytes(text->keys_max)) < 0)
        return error_fail_memory(error);
    device->engine.dictionary = &text->dictionary;
    text->pause = PAUSE_MIN;
    open_work(device);
    if (open_memory(device, error) < 0 ||
        device_open_event(device, &device->stepped, EVENT_LOOSE, error) < 0 ||
        device_refusals_open(device, error) < 0)
        return -1;
    return open_lists(device, error);
}

static void
close_text(struct device_engine *device)
{
    struct device_text *text = &device->text;

    text_dictionary_close(&text->dictionary);
    if (text->listed.address == NULL)
        free(text->list);
    free(text->chunk);
    free(text->leftovers);
}

/* ---- lists ---- */

/* Returns where the list of chunk NUMBER is, on the host. */
static uint32_t *
list_of(const struct device_engine *device, uint64_t number)
{
    const struct device_text *text = &device->text;

    return text->list + number % device->refusal_count *
                            text_list_words(text->work.list_room);
}

/* Whether all of PAIRS can be parts of CHUNK. */
static bool
is_possible(const struct device_chunk *chunk, const uint32_t *pair,
            size_t pairs)
{
    for (size_t i = 0; i < pairs; i++) {
        size_t at = pair[2 * i];
        size_t size = pair[2 * i + 1];
        if (at > chunk->size ||
            (size != TEXT_WHOLE_RECORD && size > chunk->size - at))
            return false;
    }
    return true;
}

/* Learn the keys of PAIRS.  Returns how many are new. */
static size_t
learn(struct device_engine *device, const struct device_chunk *chunk,
      const uint32_t *pair, size_t pairs)
{
    struct text_dictionary *dictionary = &device->text.dictionary;
    uint32_t prefix = device->text.work.prefix;
    bool is_csv = text_work_has_quotes(&device->text.work) != 0 &&
                  !text_layout_has_spans(device->engine.spec);
    struct text_key key[KEYS_TOGETHER];
    size_t count = 0;
    size_t learned = 0;

    for (size_t i = 0; i < pairs && !text_dictionary_is_full(dictionary); i++) {
        const unsigned char *bytes = chunk->data + pair[2 * i];
        uint32_t size = pair[2 * i + 1];
        /* The value of a quoted field has other bytes. */
        if (size != TEXT_WHOLE_RECORD && !(is_csv && size > 0 && *bytes == '"'))
            key[count++] =
                (struct text_key){bytes, size < prefix ? size : prefix};
        if (count == KEYS_TOGETHER) {
            learned += text_dictionary_learn(dictionary, key, count);
            count = 0;
        }
    }
    return learned + text_dictionary_learn(dictionary, key, count);
}

/* A chunk IS_REFUSED or not, and taught LEARNED keys: leave the next chunks to
   the CPU if refusals do not end. */
static void
judge(struct device_engine *device, bool is_refused, size_t learned)
{
    struct device_text *text = &device->text;

    if (!is_refused) {
        text->useless = 0;
        text->pause = PAUSE_MIN;
        return;
    }
    if (learned > text->work.list_room / USELESS_SHARE)
        text->useless = 0;
    else if (++text->useless == USELESS_MAX) {
        text->useless = USELESS_MAX / 2;
        device->engine.skips = text->pause;
        if (text->pause < PAUSE_MAX)
            text->pause *= 2;
    }
}

/* Look at the data of the next chunks, up to number END, which the device has
   counted. */
static int
look_until(struct device_engine *device, uint64_t end, struct error *error)
{
    struct device_text *text = &device->text;
    uint32_t room = text->work.list_room;

    for (; text->looked < end; text->looked++) {
        size_t place = (size_t)(text->looked % device->refusal_count);
        const struct device_chunk *chunk = &text->chunk[place];
        const uint32_t *list = list_of(device, text->looked);
        const uint32_t *pair = list + TEXT_LIST_HEAD;
        bool is_refused = device->refusal[place] != 0;
        uint32_t pairs = is_refused && list[0] > room ? room : list[0];

        if (pairs > room || !is_possible(chunk, pair, pairs)) {
            error_set(error, EXIT_NO_DEVICE,
                      "%s: it lists records that do not exist",
                      device->engine.name);
            return -1;
        }
        judge(device, is_refused, learn(device, chunk, pair, pairs));
    }
    return 0;
}

/*
 * Look at the chunks of all batches but the last.  An engine that holds chunks
 * back until they are safe would complete these chunks much later.
 */
static int
look_ahead(struct device_engine *device, struct error *error)
{
    const struct device_text *text = &device->text;

    while (text->looked + device->batch < device->launched) {
        uint64_t end = device->slot[text->looked % CHECKPOINT_SLOTS].end;
        const struct device_slot *last =
            &device->slot[(end - 1) % CHECKPOINT_SLOTS];
        if (device->operations->wait(device, &last->counted, error) < 0 ||
            look_until(device, end, error) < 0)
            return -1;
    }
    return 0;
}

/* ---- counting ---- */

/* Write SIZE bytes at FROM, which never change, after the last kernel. */
static int
send(struct device_engine *device, uintptr_t to, size_t at, const void *from,
     size_t size, struct error *error)
{
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, &device->stepped};

    if (device->operations->write(device, &command, to, at, from, size, error) <
        0)
        return -1;
    device->last = &device->stepped;
    return 0;
}

/* Send the new keys of the dictionary to the device; SLOT is any slot. */
static int
send_learned(struct device_engine *device, const struct device_slot *slot,
             struct error *error)
{
    struct device_text *text = &device->text;
    struct text_dictionary *dictionary = &text->dictionary;
    uint32_t keys = dictionary->keys - dictionary->sent;
    size_t at = dictionary->arena_sent;
    size_t blocks;

    if (keys == 0)
        return 0;
    if (keys > LEARN_MAX)
        keys = LEARN_MAX;
    blocks = (keys + KEYS_PER_BLOCK - 1) / KEYS_PER_BLOCK;
    const struct device_launch launch = {
        .kernel = DEVICE_LEARN,
        .blocks = blocks < device->blocks_max ? blocks : device->blocks_max,
        .chunks = 1,
        .slot = slot,
        .text = &text->work,
    };

    text->work.learn = keys;
    if (dictionary->arena_used > at &&
        send(device, text->arena, at, dictionary->arena + at,
             dictionary->arena_used - at, error) < 0)
        return -1;
    if (send(device, text->learned, 0, dictionary->learned + dictionary->sent,
             keys * sizeof *dictionary->learned, error) < 0 ||
        device_launch(device, &launch, NULL, &device->stepped, error) < 0)
        return -1;
    text_dictionary_sent(dictionary, keys);
    return 0;
}

/* Copy the lists of CHUNKS to the host. */
static int
read_lists(struct device_engine *device, size_t chunks, struct error *error)
{
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, &device->stepped};
    struct device_text *text = &device->text;
    size_t words = text_list_words(text->work.list_room);

    if (device->operations->read(
            device, &command, list_of(device, device->launched), text->lists,
            chunks * words * sizeof *text->list, error) < 0)
        return -1;
    device->last = &device->stepped;
    return 0;
}

static int
count(struct device_engine *device, struct device_slot *slot, size_t chunks,
      struct error *error)
{
    struct device_slot *last = &slot[chunks - 1];
    struct text_work *work = &device->text.work;
    size_t most = device->blocks_max < chunks ? 1 : device->blocks_max / chunks;
    size_t tiles = 0;

    work->first_chunk = (binning_u32)(slot->at / device->stride);
    for (size_t i = 0; i < chunks; i++) {
        size_t own = text_tiles((binning_u32)slot[i].size);
        work->size[i] = (binning_u32)slot[i].size;
        tiles = own > tiles ? own : tiles;
    }
    if (look_ahead(device, error) < 0 || send_learned(device, slot, error) < 0)
        return -1;
    struct device_launch launch = {
        .blocks = tiles < most ? tiles : most,
        .chunks = chunks,
        .slot = slot,
        .text = work,
    };
    for (int k = DEVICE_PREPARE; k <= DEVICE_CELLS; k++) {
        const struct device_event *filled =
            k == DEVICE_PREPARE ? device_slot_filled(device, last) : NULL;
        if ((device->kernels & 1u << k) == 0)
            continue;
        launch.kernel = (enum device_kernel)k;
        if (device_launch(device, &launch, filled, &device->stepped, error) < 0)
            return -1;
    }
    if (read_lists(device, chunks, error) < 0)
        return -1;
    return device_refusals_read(device, last, chunks, error);
}

/* ---- completed chunks ---- */

static void
hold(struct device_engine *device, const unsigned char *data, size_t size)
{
    uint64_t number = device->checkpoints.submitted;

    device->text.chunk[number % device->refusal_count] =
        (struct device_chunk){data, size};
}

static int
complete(struct device_engine *device, uint64_t first, size_t chunks,
         struct error *error)
{
    struct device_text *text = &device->text;

    for (size_t i = 0; i < chunks; i++) {
        if (look_until(device, first + i + 1, error) < 0)
            return -1;
        const uint32_t *list = list_of(device, first + i);
        text->leftovers[i] = (struct engine_leftovers){
            list + TEXT_LIST_HEAD, device->refused[i] ? 0 : list[0]};
    }
    return 0;
}

static bool
adds_up(const struct spec *spec, const struct histogram *histogram,
        uint64_t number)
{
    (void)spec;
    (void)number;
    return text_layout_adds_up(histogram);
}

const struct device_job text_job = {
    .shape = shape,
    .choose = choose,
    .open = open_text,
    .count = count,
    .hold = hold,
    .complete = complete,
    .close = close_text,
    .adds_up = adds_up,
};
