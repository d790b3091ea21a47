/* SPDX-License-Identifier: MIT */
/*
 * test_pipeline.c -- every schedule of small runs of the real pipeline
 *
 * The code of src/run (pipeline.c, consumers.c, watcher.c, readers.c, merge.c)
 * and of src/sync is compiled for the threads of schedule.h.  Everything else is
 * replaced: inputs deliver numbered samples, and engines record the numbers that
 * they have counted.  Each call that may fail does fail: the n-th call for
 * each n, as often as a run allows, in every schedule.
 *
 * In all schedules the run must end.  If it succeeds, each sample is counted
 * exactly once.  It may fail only if the faults leave no other way.  A snapshot
 * counts exactly the first samples, as many as its bytes.
 *
 * The test failed, as it should, with: any one of the wakeups removed in
 * pool_release() (both), pool_fill_end() and pool_end(); signals instead of
 * broadcasts to the engines; "if" instead of "while" around a wait; TAKEN
 * chunks ignored by is_drained(); chunks of a failed engine lost, or counted
 * and given back; a run that does not stop when its last engine fails.  Each of
 * the wakeups in pool_fill_start(), pool_add(), pool_give_back() and
 * pool_count_device() can be removed and the run still ends, but later.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "base/clock.h"
#include "engine/cpu/cells/record_count.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/fields/device_counts.h"
#include "engine/cpu/fields/first_values.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "hist/rebin.h"
#include "run/pipeline.h"

#define SAMPLES_MAX 8
#define HEAP_BYTES 3072
#define DEVICE_DEPTH 3

/* Of a run, unless the environment says otherwise: `make model`.  Of one that
   has more, only where it starts is explored. */
#define STATES_MAX 25000
#define STATES_START 10000

/* A run, and what may go wrong in it. */
struct run {
    const char *name;
    unsigned int readers, decoders, hosts, devices;
    size_t chunks, samples;
    bool is_patient;       /* devices wait for more before they complete */
    bool is_demanded;      /* no GPU, no run; so are several */
    bool is_alone;         /* no engine counts the chunks of a device again */
    unsigned int cpus;     /* few: readers count, too */
    unsigned int faults;   /* the limit of things that fail */
    unsigned int refusals; /* the limit of chunks that devices refuse ... */
    bool has_leftovers;    /* ... or count but for leftovers, for hosts */
    bool is_reserve;       /* hosts count nothing but those */
    bool is_hanging;       /* devices do not die, they hang */
    unsigned int spurious_wakeups;
    unsigned int every;  /* bytes between snapshots; 0: none */
    bool is_interrupted; /* snapshots also at any time */
    size_t per_input;    /* samples of an input with its own counts; 0: none */
    bool is_large;       /* more than STATES_MAX */
};

/* The failures so far, which decide how the run may end. */
struct faults {
    unsigned int left;
    unsigned int devices; /* that died */
    unsigned int opening; /* of them, at once */
    bool host;            /* out of memory */
    bool reader;
    bool thread; /* that could not be started */
};

/* All state of a run. */
static struct world {
    struct pipeline pipeline;
    struct inputs inputs;
    struct budget budget; /* without devices that decode */
    struct progress progress;
    struct faults faults;
    unsigned int refusals; /* that are left */
    struct error error;
    struct snapshot counts;
    int status;               /* of the run */
    size_t next;              /* sample to be handed out */
    size_t in_hand;           /* the reader's that is running */
    size_t size[SAMPLES_MAX]; /* of those handed out, as they were read */
    unsigned char
        leased[SAMPLES_MAX]; /* of some: whether it is leased, or was */
    size_t snapshots;
    size_t interruptions;
    size_t reported;  /* samples of inputs that are, if each has its counts */
    size_t reading;   /* samples that are claimed and not read yet */
    bool is_due;      /* the next one has ended */
    size_t unsettled; /* hosts that have counted since settle() */
    bool is_ending;   /* an input has failed: no other GPU is opened */
    bool is_wrong;    /* one of them */
    bool is_vain;     /* an engine was given nothing to count */
    /* One for each thread: where things are does not depend on the order. */
    size_t heap_used[SCHEDULE_THREADS_MAX];
    _Alignas(16) char heap[SCHEDULE_THREADS_MAX][HEAP_BYTES];
} world;

static const struct run *run;
static struct plan plan;
static struct spec spec;
static struct spec sample[SAMPLES_MAX]; /* only their addresses are used */

/* Choose whether this call fails. */
static bool
fails(void)
{
    if (world.faults.left == 0 || schedule_choose(2) == 0)
        return false;
    world.faults.left--;
    return true;
}

/* ---- memory, time, messages ---- */

void *
world_allocate(size_t count, size_t size)
{
    unsigned int self = schedule_self();
    void *memory = world.heap[self] + world.heap_used[self];

    world.heap_used[self] += (count * size + 15) / 16 * 16;
    if (world.heap_used[self] > HEAP_BYTES)
        abort();
    return memory;
}

double
clock_now(void)
{
    return 0;
}

double
clock_busy(void)
{
    return 0;
}

struct timespec
clock_after(double seconds)
{
    (void)seconds;
    return (struct timespec){0};
}

void
clock_cond_init(pthread_cond_t *cond)
{
    pthread_cond_init(cond, NULL);
}

void
error_set(struct error *error, enum exit_status status, const char *format, ...)
{
    (void)format;
    if (error->status == EXIT_DONE)
        error->status = status;
}

int
error_fail_memory(struct error *error)
{
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

void
error_move(struct error *to, struct error *from)
{
    if (to->status == EXIT_DONE)
        *to = *from;
    *from = ERROR_NONE;
}

void
error_clear(struct error *error)
{
    *error = ERROR_NONE;
}

/* ---- inputs: samples with numbers ---- */

enum {
    LEASED = 1,
    RETURNED = 2,
};

static void
end_lease(void *owner, unsigned int number)
{
    unsigned char *leased = owner;

    world.is_wrong |= leased[number] != LEASED;
    leased[number] = RETURNED;
}

/* Every other sample is leased, if that is possible. */
static void
take_lease(struct lease *lease, size_t number)
{
    if (lease == NULL || number % 2 == 0)
        return;
    *lease = (struct lease){.data = &world.leased[number],
                            .end = end_lease,
                            .owner = world.leased,
                            .slot = (unsigned int)number};
    world.leased[number] = LEASED;
}

/* Whether all samples of the input that is not reported are claimed. */
static bool
is_claimed(void)
{
    size_t samples = world.next - world.reported;

    return samples == run->per_input ||
           (samples > 0 && world.next == run->samples);
}

/* As await_report() of inputs.c. */
static void
await_report(struct inputs *inputs)
{
    if (!world.is_due)
        snapshot_gate_shut(inputs->gate);
    world.is_due = true;
    pthread_mutex_unlock(&inputs->lock);
    snapshot_gate_await(inputs->gate);
    pthread_mutex_lock(&inputs->lock);
}

/*
 * Claim the next sample of an input that has its own counts, as claim_next() of
 * inputs.c does.  Returns whether there is one.
 */
static bool
claim_sample(struct inputs *inputs, size_t *number)
{
    pthread_mutex_lock(&inputs->lock);
    while (world.reported < run->samples && (is_claimed() || world.is_due)) {
        if (world.reading == 0)
            await_report(inputs);
        else
            pthread_cond_wait(&inputs->changed, &inputs->lock);
    }
    bool is_there = world.next < run->samples;
    if (is_there) {
        *number = world.next++;
        world.reading++;
    }
    pthread_cond_broadcast(&inputs->changed);
    pthread_mutex_unlock(&inputs->lock);
    return is_there;
}

/* As inputs_read() below, if each input has its own counts. */
static size_t
read_input(struct inputs *inputs, struct input_reader *reader, size_t capacity)
{
    size_t number;

    if (!claim_sample(inputs, &number))
        return 0;
    snapshot_gate_enter(inputs->gate);
    pthread_mutex_lock(&inputs->lock);
    world.reading--;
    pthread_mutex_unlock(&inputs->lock);
    reader->is_inside = true;
    reader->has_more = true;
    world.in_hand = number;
    world.size[number] = capacity;
    take_lease(reader->lease, number);
    return capacity;
}

char *
inputs_unreported(struct inputs *inputs, uint64_t *start_bytes)
{
    static char name[] = "input";

    (void)inputs;
    *start_bytes = 0;
    return name;
}

bool
inputs_have_read_one(struct inputs *inputs)
{
    (void)inputs;
    return is_claimed() && world.reading == 0;
}

void
inputs_end_report(struct inputs *inputs)
{
    pthread_mutex_lock(&inputs->lock);
    world.reported = world.next;
    world.is_due = false;
    pthread_mutex_unlock(&inputs->lock);
}

size_t
inputs_read(struct inputs *inputs, struct input_reader *reader, void *buffer,
            size_t capacity)
{
    (void)buffer;
    reader->has_more = false;
    if (run->per_input > 0)
        return read_input(inputs, reader, capacity);
    snapshot_gate_enter(inputs->gate);
    if (world.next == run->samples) {
        snapshot_gate_leave(inputs->gate, 0);
        return 0;
    }
    /* As if it had been time for it while this reader waited. */
    reader->has_more = run->is_interrupted && world.interruptions == 0 &&
                       schedule_choose(2) != 0;
    if (reader->has_more) {
        world.interruptions++;
        snapshot_gate_shut(inputs->gate);
        snapshot_gate_leave(inputs->gate, 0);
        return 0;
    }
    reader->is_inside = true;
    world.in_hand = world.next++;
    world.size[world.in_hand] = capacity;
    take_lease(reader->lease, world.in_hand);
    return capacity;
}

void
inputs_hand_over(const struct inputs *inputs, struct input_reader *reader,
                 size_t bytes)
{
    if (reader->is_inside)
        snapshot_gate_leave(inputs->gate, bytes);
    reader->is_inside = false;
}

void
inputs_leave(struct inputs *inputs, struct input_reader *reader)
{
    (void)inputs;
    (void)reader;
}

void
inputs_set_gate(struct inputs *inputs, struct snapshot_gate *gate)
{
    inputs->gate = gate;
}

bool
inputs_want_reader(struct inputs *inputs, const struct input_reader *reader)
{
    (void)inputs;
    (void)reader;
    return world.next < run->samples;
}

unsigned int
inputs_idle_readers(struct inputs *inputs)
{
    return atomic_load(&inputs->waiting);
}

/* Of several GPUs, any may be the last that is started. */
bool
inputs_have_failed(struct inputs *inputs)
{
    (void)inputs;
    world.is_ending |= run->devices > 1 && schedule_choose(2) != 0;
    return world.is_ending;
}

void
inputs_stop_track(struct inputs *track)
{
    (void)track; /* there are no tracks */
}

struct series_total
inputs_series(struct inputs *inputs)
{
    (void)inputs;
    return (struct series_total){0};
}

/* It is called right after inputs_read(), by the same thread. */
const struct spec *
auto_range_extend(struct auto_range *ranging, const unsigned char *data,
                  size_t size)
{
    (void)ranging;
    (void)data;
    if (size > 0 && fails()) {
        world.faults.reader = true;
        return NULL;
    }
    return size > 0 ? &sample[world.in_hand] : &spec;
}

bool
interval_is_set(const struct interval *interval)
{
    return interval->bytes > 0;
}

void
snapshot_close(struct snapshot *counts)
{
    histogram_close(&counts->histogram);
}

/* ---- specs ---- */

int
auto_range_open(struct auto_range *ranging, const struct spec *first)
{
    ranging->first = ranging->start = first;
    return 0;
}

void
auto_range_restart(struct auto_range *ranging, bool keeps_specs)
{
    (void)ranging;
    (void)keeps_specs;
}

const struct spec *
auto_range_current(struct auto_range *ranging)
{
    return ranging->first;
}

int
rebin_histogram(const struct spec *from, const struct spec *to,
                struct histogram *histogram)
{
    (void)from;
    (void)to;
    (void)histogram;
    return 0;
}

void
auto_range_close(struct auto_range *ranging)
{
    (void)ranging;
}

void
spec_find_ranges(const struct spec *counted, const struct histogram *histogram)
{
    (void)counted;
    (void)histogram;
}

/* The oracle is check(), not the run's own check. */
bool
snapshot_adds_up(const struct snapshot *counts)
{
    (void)counts;
    return true;
}

/* ---- engines that die ---- */

/* What a sample counts for: all of it, and its leftovers. */
enum {
    WHOLE = 2,
    LEFTOVERS = 1,
};

struct model_engine {
    struct engine engine; /* first */
    size_t held[DEVICE_DEPTH];
    size_t held_count;
    bool refused[DEVICE_DEPTH];
    struct engine_leftovers leftovers[DEVICE_DEPTH];
    bool is_open;
    bool is_unsettled;
};

/*
 * Whether a call of ENGINE fails.  One that hangs returns late or never; if
 * late, it is the caller's business to notice.
 */
static bool
dies(const struct engine *engine)
{
    if (!fails())
        return false;
    if (run->is_hanging && engine->type->kind == CONSUMER_DEVICE) {
        world.faults.devices++;
        world.faults.opening += !((const struct model_engine *)engine)->is_open;
        schedule_call(schedule_choose(2) != 0);
        return false;
    }
    if (engine->type->kind == CONSUMER_HOST)
        world.faults.host = true;
    else
        world.faults.devices++;
    return true;
}

/* The status of an ENGINE that dies. */
static enum exit_status
death_of(const struct engine *engine)
{
    return engine->type->kind == CONSUMER_DEVICE ? EXIT_NO_DEVICE : EXIT_DATA;
}

static int
model_open(struct engine *engine, const struct pool *pool, struct error *error)
{
    (void)pool;
    if (engine->type->kind == CONSUMER_DEVICE && dies(engine)) {
        world.faults.opening++;
        error_set(error, EXIT_NO_DEVICE, "died");
        return -1;
    }
    ((struct model_engine *)engine)->is_open = true;
    return 0;
}

static int
model_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct model_engine *model = (struct model_engine *)engine;
    size_t number = (size_t)(chunk->spec - sample);

    if (engine->starts_over)
        histogram_open(&engine->histogram, SAMPLES_MAX, 1);
    engine->starts_over = false;
    if (chunk->used == 0) {
        world.is_vain = true;
        return 0;
    }
    world.is_wrong |= number % 2 != 0 && (*chunk->data != LEASED ||
                                          chunk->data != &world.leased[number]);
    if (dies(engine)) {
        error_set(error, death_of(engine), "died");
        return -1;
    }
    if (engine->type->kind == CONSUMER_HOST) {
        engine->histogram.value[number] +=
            chunk->leftover_count > 0 ? LEFTOVERS : WHOLE;
        world.unsettled += !model->is_unsettled;
        model->is_unsettled = true;
    } else {
        model->held[model->held_count++] = number;
    }
    return 0;
}

static int
model_complete(struct engine *engine, size_t *count, struct error *error)
{
    struct model_engine *model = (struct model_engine *)engine;

    *count = 1;
    if (engine->type->kind == CONSUMER_HOST)
        return 0;
    if (dies(engine)) {
        error_set(error, death_of(engine), "died");
        return -1;
    }
    if (engine->batch > 1)
        *count = model->held_count;
    /* The last histogram stays valid until this call has returned. */
    const struct histogram last = engine->histogram;
    histogram_open(&engine->histogram, last.cells, last.planes);
    histogram_add(&engine->histogram, &last);
    for (size_t i = 0; i < *count; i++) {
        static const uint32_t pair[2];
        unsigned int choices = run->has_leftovers ? 3 : 2;
        unsigned int choice =
            world.refusals > 0 ? (unsigned int)schedule_choose(choices) : 0;
        bool has_leftovers = choice == 2;
        world.refusals -= choice > 0;
        model->refused[i] = choice == 1;
        model->leftovers[i] = (struct engine_leftovers){pair, has_leftovers};
        if (!model->refused[i])
            engine->histogram.value[model->held[i]] +=
                has_leftovers ? WHOLE - LEFTOVERS : WHOLE;
    }
    model->held_count -= *count;
    memmove(model->held, model->held + *count,
            model->held_count * sizeof *model->held);
    return 0;
}

static void
model_settle(struct engine *engine)
{
    struct model_engine *model = (struct model_engine *)engine;

    world.unsettled -= model->is_unsettled;
    model->is_unsettled = false;
}

static void
model_close(struct engine *engine)
{
    (void)engine;
}

static const struct engine_type host_type = {
    CONSUMER_HOST,  model_open,   model_submit,
    model_complete, model_settle, model_close,
};
static const struct engine_type device_type = {
    CONSUMER_DEVICE, model_open, model_submit,
    model_complete,  NULL,       model_close,
};

static struct engine *
new_engine(const struct engine_type *type, size_t depth, bool is_patient)
{
    struct model_engine *model = world_allocate(1, sizeof *model);

    model->engine = (struct engine){.type = type,
                                    .spec = &spec,
                                    .histogram_spec = &spec,
                                    .depth = depth,
                                    .batch = is_patient ? depth : 1,
                                    .refused = model->refused,
                                    .leftovers = model->leftovers};
    histogram_open(&model->engine.histogram, SAMPLES_MAX, 1);
    return &model->engine;
}

struct engine *
engine_cpu_new(const struct spec *first, struct shared_counts *shared)
{
    (void)first;
    (void)shared;
    return new_engine(&host_type, 1, false);
}

struct engine *
engine_cuda_new(struct cu_start start, int ordinal, const struct spec *first,
                enum strategy strategy, bool is_alone, uint32_t text_keys)
{
    (void)text_keys;
    (void)start;
    (void)ordinal;
    (void)first;
    (void)strategy;
    (void)is_alone;
    return new_engine(&device_type, DEVICE_DEPTH, run->is_patient);
}

/* Only with DEVICE_AUTO, which no plan here has. */
struct engine *
engine_opencl_new(int ordinal, const struct spec *first, enum strategy strategy,
                  bool is_alone, bool may_replace)
{
    (void)ordinal;
    (void)first;
    (void)strategy;
    (void)is_alone;
    (void)may_replace;
    return NULL;
}

/* No run here counts text. */
int
field_counts_open(struct field_counts *sharing, const struct spec *first,
                  unsigned int threads, size_t memory_limit,
                  struct error *error)
{
    (void)sharing;
    (void)first;
    (void)threads;
    (void)memory_limit;
    (void)error;
    return -1;
}

int
device_counts_add(struct field_counts *sharing,
                  const struct histogram *histogram, const char *name,
                  struct error *error)
{
    (void)sharing;
    (void)histogram;
    (void)name;
    (void)error;
    return -1;
}

int
device_counts_add_keys(struct field_counts *sharing,
                       const struct histogram *histogram,
                       const struct text_dictionary *dictionary,
                       uint64_t leftovers, const char *name,
                       struct error *error)
{
    (void)sharing;
    (void)histogram;
    (void)dictionary;
    (void)leftovers;
    (void)name;
    (void)error;
    return -1;
}

int
field_counts_finish(struct field_counts *sharing, bool is_counting,
                    struct snapshot *counts, struct error *error)
{
    (void)sharing;
    (void)is_counting;
    (void)counts;
    (void)error;
    return -1;
}

uint64_t
field_counts_keys(struct field_counts *sharing)
{
    (void)sharing;
    return 0;
}

int
field_counts_fail(enum key_result result, const struct field_counts *sharing,
                  const struct error *failure, struct error *error)
{
    (void)result;
    (void)sharing;
    (void)failure;
    (void)error;
    return -1;
}

bool
first_values_have_members(const struct spec *first)
{
    (void)first;
    return false;
}

void
first_values_scan(struct first_values *values, const struct scan *scan,
                  const struct chunk *chunk)
{
    (void)values;
    (void)scan;
    (void)chunk;
}

/* No input here has a hole. */
int
field_counts_add_zeros(struct field_counts *fields, uint64_t records,
                       struct error *error)
{
    (void)fields;
    (void)records;
    (void)error;
    return -1;
}

void
record_count_zeros(const struct spec *counted, uint64_t records,
                   struct histogram *histogram)
{
    (void)counted;
    (void)records;
    (void)histogram;
}

void
field_counts_restart(struct field_counts *sharing)
{
    (void)sharing;
}

void
field_counts_close(struct field_counts *sharing)
{
    (void)sharing;
}

struct engine *
field_engine_new(const struct spec *first, struct field_counts *sharing)
{
    (void)first;
    (void)sharing;
    return NULL;
}

/* ---- a run ---- */

/* Whether snapshot COUNTS has exactly the samples of its first bytes. */
static bool
is_beginning(const struct snapshot *counts)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < run->samples; i++) {
        uint64_t wanted = bytes < counts->bytes;
        if (counts->histogram.value[i] != wanted * WHOLE)
            return false;
        bytes += wanted * world.size[i];
    }
    return bytes == counts->bytes;
}

/* Whether COUNTS, of one input, has exactly its samples. */
static bool
is_input(const struct snapshot *counts)
{
    for (size_t i = 0; i < run->samples; i++) {
        uint64_t wanted = i >= world.reported && i < world.next;
        if (counts->histogram.value[i] != wanted * WHOLE)
            return false;
    }
    return true;
}

/* Take the counts of each input, and their sum at the end. */
static int
run_inputs(void)
{
    struct snapshot counts;
    struct histogram sum;
    char *name;
    int result;

    histogram_open(&sum, SAMPLES_MAX, 1);
    while ((result = pipeline_input(&world.pipeline, &name, &counts,
                                    &world.error)) > 0) {
        world.snapshots++;
        world.is_wrong |= !is_input(&counts);
        histogram_add(&sum, &counts.histogram);
        if (pipeline_go_on(&world.pipeline, &world.error) < 0)
            return -1;
    }
    if (result < 0 ||
        pipeline_finish(&world.pipeline, &world.counts, &world.error) < 0)
        return -1;
    histogram_add(&world.counts.histogram, &sum);
    return 0;
}

static void
run_pipeline(void)
{
    const struct interval every = {.bytes = run->every};
    struct snapshot counts;

    world.status = pipeline_start(&world.pipeline, &plan, &spec, &world.inputs,
                                  &every, &world.error);
    if (world.status == 0 && run->per_input > 0) {
        world.status = run_inputs();
        return;
    }
    while (world.status == 0) {
        int result = pipeline_snapshot(&world.pipeline, &counts, &world.error);
        if (result <= 0) {
            world.status = result;
            break;
        }
        world.snapshots++;
        world.is_wrong |= !is_beginning(&counts);
    }
    if (world.status == 0)
        world.status =
            pipeline_finish(&world.pipeline, &world.counts, &world.error);
}

/* Whether the chunks of a device that died are lost. */
static bool
has_loss(void)
{
    return run->is_alone && world.faults.devices > world.faults.opening;
}

/* Whether the faults leave no way to count everything. */
static bool
is_hopeless(void)
{
    const struct faults *faults = &world.faults;

    return faults->reader || faults->host || faults->thread || has_loss() ||
           ((run->hosts == 0 || run->is_reserve) &&
            (faults->devices == run->devices ||
             (faults->devices > 0 && world.is_ending))) ||
           (run->is_demanded && faults->opening > 0);
}

static const char *
check(void)
{
    const struct pipeline *pipeline = &world.pipeline;
    size_t bytes = 0;

    if (world.is_wrong)
        return "a snapshot or what is lent is wrong";
    if (world.is_vain)
        return "an engine was to count nothing";
    if (world.status < 0 && world.error.status == EXIT_DONE)
        return "it failed without a reason";
    if (world.status < 0 && !is_hopeless())
        return "it failed without need";
    /* A run that failed, but is repeated, has no threads either. */
    bool is_repeated =
        world.status < 0 && pipeline_may_repeat(pipeline, &world.error);
    bool is_over = is_repeated ? !run->is_hanging
                               : world.status == 0 && !pipeline->is_abandoned;
    if (is_over && !schedule_is_alone())
        return "a thread was left behind";
    if (world.status < 0)
        return NULL;
    /* One that hangs may return in time. */
    if (has_loss() && !run->is_hanging)
        return "it went on without chunks that a device may have released";
    for (size_t i = 0; i < run->samples; i++) {
        if (world.counts.histogram.value[i] < WHOLE)
            return "a sample was lost";
        if (world.counts.histogram.value[i] > WHOLE)
            return "a sample was counted more than once";
        if (world.leased[i] == LEASED)
            return "a lease has not ended";
        bytes += world.size[i];
    }
    if (plan_readers_count(&plan) && run->readers == 1 &&
        pipeline->consumers.host_count > pipeline->consumers.host_readers)
        return "a thread that only counts has nothing to do";
    if (world.unsettled > 0 && !plan.takes_snapshots)
        return "a host has not settled its counts";
    if (run->every > 0 &&
        world.snapshots != bytes / run->every + world.interruptions)
        return "there are not as many snapshots as there should be";
    if (run->per_input > 0 &&
        world.snapshots != (run->samples + run->per_input - 1) / run->per_input)
        return "there are not as many inputs as there should be";
    return NULL;
}

/* clang-format off */
static const struct run runs[] = {
    {"a host", 1, 1, 1, 0, 2, 4, .cpus = 9, .faults = 1,
     .spurious_wakeups = 1},
    {"2 readers", 2, 2, 1, 0, 3, 2, .cpus = 9},
    {"2 hosts", 1, 1, 2, 0, 2, 2, .cpus = 9, .faults = 1,
     .spurious_wakeups = 1},
    {"one more reader", 1, 2, 1, 0, 2, 2, .cpus = 9},
    {"a reader that counts", 1, 1, 2, 0, 2, 3, .cpus = 1, .faults = 1},
    {"a reader for each processor", 1, 1, 1, 0, 2, 3, .cpus = 1, .faults = 1,
     .spurious_wakeups = 1},
    {"2 readers, all of which count", 2, 2, 2, 0, 3, 3, .cpus = 2,
     .faults = 1, .is_large = true},
    {"a device", 1, 1, 0, 1, 2, 3, .cpus = 9, .faults = 1,
     .spurious_wakeups = 1},
    {"a device demanded", 1, 1, 0, 1, 3, 4, .cpus = 9, .faults = 1,
     .is_patient = true, .is_demanded = true},
    {"2 readers, a patient device", 2, 2, 0, 1, 3, 2, .cpus = 9,
     .is_patient = true},
    {"a device and a host", 1, 1, 1, 1, 2, 2, .cpus = 9, .faults = 1,
     .is_large = true},
    {"2 devices", 1, 1, 0, 2, 2, 2, .cpus = 9, .faults = 2,
     .is_demanded = true, .is_large = true},
    {"2 patient devices", 1, 1, 0, 2, 3, 3, .cpus = 9, .faults = 1,
     .is_patient = true, .is_demanded = true, .is_large = true},
    {"2 devices, each alone", 1, 1, 0, 2, 2, 2, .cpus = 9, .faults = 1,
     .is_demanded = true, .is_alone = true, .is_large = true},
    {"a device alone and a host", 1, 1, 1, 1, 2, 2, .cpus = 9, .faults = 1,
     .is_alone = true, .is_large = true},
    {"a device alone that hangs and a host", 1, 1, 1, 1, 2, 1, .cpus = 9,
     .faults = 1, .is_hanging = true, .is_alone = true, .is_large = true},
    {"3 devices", 1, 1, 0, 3, 2, 1, .cpus = 9, .is_demanded = true,
     .is_large = true},
    {"a device demanded that hangs", 1, 1, 0, 1, 2, 1, .cpus = 9, .faults = 1,
     .is_hanging = true, .is_demanded = true, .is_large = true},
    {"a device that hangs and a host", 1, 1, 1, 1, 2, 1, .cpus = 9,
     .faults = 1, .is_hanging = true, .is_large = true},
    {"2 devices that hang", 1, 1, 0, 2, 2, 1, .cpus = 9, .faults = 1,
     .is_hanging = true, .is_demanded = true, .is_large = true},
    {"a device and a reader that counts", 1, 1, 2, 1, 2, 2, .cpus = 1,
     .faults = 1, .is_large = true},
    {"a device that refuses and a host", 1, 1, 1, 1, 2, 2, .cpus = 9,
     .faults = 1, .refusals = 2, .is_large = true},
    {"a device that refuses and a reader that counts", 1, 1, 2, 1, 2, 3,
     .cpus = 1, .faults = 1, .refusals = 2, .is_large = true},
    {"a device that leaves leftovers to readers that count", 2, 2, 2, 1, 3, 2,
     .cpus = 1, .refusals = 2, .has_leftovers = true, .is_large = true},
    {"a device that refuses", 1, 1, 1, 1, 2, 3, .cpus = 9, .faults = 1,
     .refusals = 2, .is_reserve = true, .is_demanded = true, .is_large = true},
    {"2 readers, a patient device that refuses", 2, 2, 1, 1, 3, 2, .cpus = 9,
     .is_patient = true, .refusals = 2, .is_reserve = true,
     .is_demanded = true, .is_large = true},
    {"2 devices that refuse", 1, 1, 1, 2, 2, 2, .cpus = 9, .faults = 1,
     .refusals = 1, .is_reserve = true, .is_demanded = true, .is_large = true},
    {"a device that refuses and hangs", 1, 1, 1, 1, 2, 2, .cpus = 9,
     .faults = 1, .is_hanging = true, .refusals = 1, .is_reserve = true,
     .is_demanded = true, .is_alone = true, .is_large = true},
    {"a device that leaves leftovers", 1, 1, 1, 1, 2, 3, .cpus = 9, .faults = 1,
     .refusals = 2, .has_leftovers = true, .is_reserve = true,
     .is_demanded = true, .is_large = true},
    {"2 devices that leave leftovers", 1, 1, 1, 2, 2, 2, .cpus = 9, .faults = 1,
     .refusals = 1, .has_leftovers = true, .is_reserve = true,
     .is_demanded = true, .is_large = true},
    {"a device that leaves leftovers and hangs", 1, 1, 1, 1, 2, 2, .cpus = 9,
     .faults = 1, .is_hanging = true, .refusals = 1, .has_leftovers = true,
     .is_large = true},
    {"snapshots, a host", 1, 1, 1, 0, 2, 3, .cpus = 9, .faults = 1,
     .spurious_wakeups = 1, .every = 2, .is_interrupted = true},
    {"snapshots, a reader that counts", 1, 1, 2, 0, 2, 3, .cpus = 1,
     .every = 2, .is_interrupted = true},
    {"snapshots, a patient device", 1, 1, 0, 1, 3, 4, .cpus = 9, .faults = 1,
     .is_patient = true, .every = 4, .is_interrupted = true},
    {"snapshots, a device and a host", 1, 1, 1, 1, 2, 2, .cpus = 9,
     .faults = 1, .every = 2, .is_interrupted = true, .is_large = true},
    {"snapshots, a device that hangs and a host", 1, 1, 1, 1, 2, 1, .cpus = 9,
     .faults = 1, .is_hanging = true, .every = 2, .is_interrupted = true,
     .is_large = true},
    {"inputs, a host", 1, 1, 1, 0, 2, 3, .cpus = 9, .faults = 1,
     .spurious_wakeups = 1, .per_input = 2},
    {"inputs, 2 readers", 2, 2, 1, 0, 3, 3, .cpus = 9, .per_input = 2,
     .is_large = true},
    {"inputs, a reader that counts", 1, 1, 2, 0, 2, 3, .cpus = 1,
     .per_input = 1},
    {"inputs, a patient device", 1, 1, 0, 1, 3, 4, .cpus = 9, .faults = 1,
     .is_patient = true, .per_input = 3},
    {"inputs, a device and a host", 1, 1, 1, 1, 2, 2, .cpus = 9, .faults = 1,
     .per_input = 1, .is_large = true},
    {"inputs, a device that refuses", 1, 1, 1, 1, 3, 3, .cpus = 9,
     .is_patient = true, .refusals = 2, .is_reserve = true,
     .is_demanded = true, .per_input = 2},
    {"inputs, a device that leaves leftovers", 1, 1, 1, 1, 2, 2, .cpus = 9,
     .refusals = 2, .has_leftovers = true, .is_reserve = true,
     .is_demanded = true, .per_input = 1, .is_large = true},
    {"inputs, a device that hangs and a host", 1, 1, 1, 1, 2, 2, .cpus = 9,
     .faults = 1, .is_hanging = true, .per_input = 1, .is_large = true},
};
/* clang-format on */

static void
test_run(void)
{
    static const int ordinals[] = {0, 1, 2};
    const char *deep = getenv("GPUHIST_MODEL_STATES");

    plan = (struct plan){
        .readers = run->readers,
        .decoders = run->decoders,
        .device = DEVICE_CUDA,
        .host_threads = run->hosts,
        .hosts_are_reserve = run->is_reserve,
        .gpu = ordinals,
        .gpu_count = run->devices,
        .gpu_is_demanded = run->is_demanded,
        .gpu_is_alone = run->is_alone,
        .gpu_timeout = 8,
        .cpus = run->cpus,
        .takes_snapshots = run->every > 0 || run->per_input > 0,
        .is_per_input = run->per_input > 0,
        .chunk_bytes = 2,
        .cached_bytes = 1,
        .chunk_count = run->chunks,
        .decoder_chunks = 1,
    };
    spec = (struct spec){.cells = SAMPLES_MAX, .planes = 1};
    spec.record.bytes = 1;
    world =
        (struct world){.faults.left = run->faults, .refusals = run->refusals};
    world.inputs.budget = &world.budget;
    world.inputs.reading.progress = &world.progress;

    struct schedule_program program = {
        .run = run_pipeline,
        .check = check,
        .world = &world,
        .world_bytes = sizeof world,
        .spurious_wakeups = run->spurious_wakeups,
        .states_max = deep != NULL ? strtoul(deep, NULL, 10)
                      : run->is_large && !is_expensive() ? STATES_START
                                                         : STATES_MAX,
    };
    struct schedule_result result = schedule_explore(&program);
    ok(result.failure == NULL, "%s: %lu states, %lu moves, %lu ends%s",
       run->name, result.states, result.moves, result.ends,
       result.is_complete ? "" : ", not all");
    if (result.failure != NULL)
        printf("# %s: %s\n", result.failure, result.trace);
}

int
main(void)
{
    if (IS_INSTRUMENTED) {
        puts("1..0 # SKIP a sanitizer does not know these threads");
        return 0;
    }
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        run = &runs[i];
        test_run();
    }
    return done_testing();
}
