/* SPDX-License-Identifier: MIT */
/*
 * fake_cuda.c -- a CUDA driver that lives in host memory, for tests
 *
 * It defines exactly the functions of CU_API and is built as libcuda.so.1, so
 * the program loads it like the real driver.  It tests how the host uses the
 * driver, not the kernels: one loop in plain C over binning.h and weighing.h
 * replaces all kernels, but those for sequences, text, gzip and zstd, which run
 * as C (cuda_sequences.h, cuda_text.h, cuda_inflate.h, cuda_zstd.h).  It does
 * check what a real kernel needs: valid addresses and enough shared memory.
 *
 * Streams are lazy.  An operation on a stream runs only when the program waits
 * for it, or for a later event; then only this operation and those that it
 * depends on run.  A real device may be as late as this.  So a program that
 * refills a buffer before its copy has completed, or forgets to make one stream
 * wait for another, gets wrong counts in every run, not once in a blue moon.
 *
 * The environment, read once:
 *
 *     FAKE_CU_EAGER=1         everything runs at once
 *     FAKE_CU_EAGER=copies    copies to the device run at once, kernels late
 *     FAKE_CU_DEVICES=N       number of devices (1); CUDA_VISIBLE_DEVICES, read
 *                             by cuInit(), says which are shown.  Device N has
 *                             the UUID GPU-N0000000
 *     FAKE_CU_INIT=CODE       what cuInit() returns; 34 is the toolkit's stub
 *                             library, which knows no error names either
 *     FAKE_CU_START_MS=N      cuInit() takes N milliseconds
 *     FAKE_CU_KERNEL_MS=N     each kernel takes N milliseconds
 *     FAKE_CU_LIE=1           each kernel silently skips a record
 *     FAKE_CU_SHARED=BYTES    what a block can have of shared memory (232448)
 *     FAKE_CU_CACHE=BYTES     the second-level cache (64 MiB)
 *     FAKE_CU_NOREGISTER=1    cuMemHostRegister() refuses
 *     FAKE_CU_FAIL, FAKE_CU_LATE_MS, FAKE_CU_FIRED, FAKE_CU_GATE
 *                             what goes wrong: see fault.h
 *     FAKE_CU_LEDGER=FILE     append the ledger at exit; not after _exit()
 *
 * The ledger, one number at the end of each line:
 *
 *     outstanding CLASS N     acquired and never released
 *     misuse all N            calls that no correct program makes; before it
 *     misuse KIND SYMBOL N    for each kind and symbol that occurred
 *     note WHAT N             legal, but to be looked at
 *     work WHAT N             what the devices did
 *     calls SYMBOL N          for every symbol
 *
 * A release is booked when it is tried: when an injected error makes it fail
 * the program has done what it could.
 *
 * A kernel that would read or write where it must not does nothing; it counts
 * as a misuse by cuLaunchKernel, and the context is lost as a real one is.
 */

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_sequences.h"

#include "cuda_inflate.h"
#include "cuda_text.h"
#include "cuda_zstd.h"
#include "engine/gpu/cuda/cu_api.h"
#include "fault.h"
#include "kernels/binning/binning.h"
#include "kernels/binning/counting.h"
#include "kernels/binning/weighing.h"

/* A definition below that does not match its declaration is an error. */
#define DECLARE(symbol, parameters) CUresult symbol parameters;
CU_API(DECLARE)
#undef DECLARE

/* More of cuda.h's numbers, for this file only. */
enum {
    ERROR_INVALID_VALUE = 1,
    ERROR_OUT_OF_MEMORY = 2,
    ERROR_NOT_INITIALIZED = 3,
    ERROR_STUB_LIBRARY = 34,
    ERROR_INVALID_DEVICE = 101,
    ERROR_INVALID_IMAGE = 200,
    ERROR_INVALID_CONTEXT = 201,
    ERROR_INVALID_HANDLE = 400,
    ERROR_NOT_FOUND = 500,
    ERROR_ILLEGAL_ADDRESS = 700,
    ERROR_CONTEXT_IS_DESTROYED = 709,
    ERROR_ALREADY_REGISTERED = 712,
    ERROR_NOT_REGISTERED = 713,
};

static const struct {
    CUresult code;
    const char *name;
    const char *text;
} error_table[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

enum {
    DEVICES_MAX = 64,
    PAGE_BYTES = 4096,
    PIECE_BYTES = 1 << 20,
    POISON = 0xA5,
    MULTIPROCESSORS = 4,
    BLOCKS_PER_MULTIPROCESSOR = 2,
    THREADS_PER_MULTIPROCESSOR = 2048,
    THREADS_PER_BLOCK_MAX = 1024,
    WARP_THREADS = 32,
    ALIGNMENT = 16, /* what the kernels need */

    /* Shared memory: of a block, unless FAKE_CU_SHARED says so ... */
    SHARED_BYTES = 232448,
    /* ... with what is not dynamic, unless cuFuncSetAttribute() allows more */
    SHARED_BYTES_DEFAULT = 48 << 10,
    SHARED_BYTES_RESERVED = 1 << 10, /* ... of each block, by the driver */
    CACHE_BYTES = 64 << 20,          /* unless FAKE_CU_CACHE says so */
    WORD_BYTES = 4,
};

/* Shared memory that the kernels for sequences need. */
#define SHARED_WORDS_MIN 2048

/* More cells than that are more than 32 bits can number. */
#define CELLS_MAX ((uint64_t)1 << 31)

/* ---- the configuration ---- */

/* Set by need_config() for good. */
static struct {
    bool is_eager;
    bool has_eager_copies;
    int all_devices;
    CUresult init;
    int start_ms;
    int kernel_ms;
    bool is_lying;
    size_t shared_bytes;
    int cache_bytes;
    bool refuses_registration;
    const char *ledger;
} config;

static void
read_config(void)
{
    const char *eager = getenv("FAKE_CU_EAGER");

    if (eager != NULL && strcmp(eager, "copies") == 0)
        config.has_eager_copies = true;
    else
        config.is_eager = fault_config_number("FAKE_CU_EAGER", 0) != 0;
    config.all_devices = fault_config_number("FAKE_CU_DEVICES", 1);
    if (config.all_devices > DEVICES_MAX)
        fault_bad_config("FAKE_CU_DEVICES", "more than there is room for");
    config.init = fault_config_number("FAKE_CU_INIT", CUDA_SUCCESS);
    config.start_ms = fault_config_number("FAKE_CU_START_MS", 0);
    config.kernel_ms = fault_config_number("FAKE_CU_KERNEL_MS", 0);
    config.is_lying = fault_config_number("FAKE_CU_LIE", 0) != 0;
    config.shared_bytes =
        (size_t)fault_config_number("FAKE_CU_SHARED", SHARED_BYTES);
    config.cache_bytes = fault_config_number("FAKE_CU_CACHE", CACHE_BYTES);
    config.refuses_registration =
        fault_config_number("FAKE_CU_NOREGISTER", 0) != 0;
    fault_configure();
    config.ledger = getenv("FAKE_CU_LEDGER");
}

/*
 * Read the environment, if that has not been done.  It cannot be left to a
 * constructor: a thread sanitizer does not know that dlopen() in one thread
 * makes what it has done visible to dlopen() in another.
 */
static void
need_config(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_config);
}

/* ---- the state of the driver: all of it under one lock ---- */

/* A device and its primary context. */
struct CUctx_st {
    unsigned int retained; /* 0: the context does not exist */
    CUresult lost;         /* a sticky error of this context, or 0 */
};

enum kind {
    KIND_MODULE,
    KIND_FUNCTION,
    KIND_STREAM,
    KIND_EVENT,
};

/* The head of an object with a handle; never freed, so never ambiguous. */
struct object {
    struct object *next;
    enum kind kind;
    bool is_live;
    CUcontext context;
};

struct CUmod_st {
    struct object object;
};

enum kernel {
    KERNEL_BYTES,
    KERNEL_BYTES_2,
    KERNEL_BYTES_3,
    KERNEL_BYTES_4,
    KERNEL_WORDS,
    KERNEL_FLOATS,
    KERNEL_LANE,
    KERNEL_SHARED,
    KERNEL_PACKED,
    KERNEL_GLOBAL,
    KERNEL_SAMPLES_LANE,
    KERNEL_SAMPLES_SHARED,
    KERNEL_SAMPLES_PACKED,
    KERNEL_SAMPLES_GLOBAL,
    KERNEL_WEIGHTS_SHARED,
    KERNEL_WEIGHTS_GLOBAL,
    KERNEL_CARRY,

    /* With a struct sequence_work. */
    KERNEL_LINES,
    KERNEL_CLASSIFY,
    KERNEL_CHECK,
    KERNEL_FIELDS,
    KERNEL_KMERS,
    KERNEL_LISTS,
    KERNEL_DRAIN,

    /* With a struct text_work. */
    KERNEL_LEARN,
    KERNEL_PREPARE,
    KERNEL_FIND,
    KERNEL_FIND_SPANS,
    KERNEL_FIND_NUMBERS,
    KERNEL_CELLS,

    /* With a struct zstd_work, in the order of enum cuda_zstd. */
    KERNEL_ENTROPY,
    KERNEL_WINDOW,
    KERNEL_JOIN,
    KERNEL_PLACE,
    KERNEL_RESOLVE,
    KERNEL_SUM,

    /* With a struct inflate_work, in the order of enum cuda_inflate. */
    KERNEL_INFLATE,
    KERNEL_INFLATE_SUM,
    KERNEL_INFLATE_SKETCH,
    KERNELS
};

static const struct {
    const char *name;
    size_t static_shared_bytes;
} kernel_table[KERNELS] = {
    [KERNEL_BYTES] = {"count_bytes", 0},
    [KERNEL_BYTES_2] = {"count_bytes_2", 0},
    [KERNEL_BYTES_3] = {"count_bytes_3", 0},
    [KERNEL_BYTES_4] = {"count_bytes_4", 0},
    [KERNEL_WORDS] = {"count_words", 0},
    [KERNEL_FLOATS] = {"count_floats", 0},
    [KERNEL_LANE] = {"count_records_lane", 0},
    [KERNEL_SHARED] = {"count_records_shared", 0},
    [KERNEL_PACKED] = {"count_records_packed", 0},
    [KERNEL_GLOBAL] = {"count_records_global", 32 << 10},
    [KERNEL_SAMPLES_LANE] = {"count_samples_lane", 0},
    [KERNEL_SAMPLES_SHARED] = {"count_samples_shared", 0},
    [KERNEL_SAMPLES_PACKED] = {"count_samples_packed", 0},
    [KERNEL_SAMPLES_GLOBAL] = {"count_samples_global", 32 << 10},
    [KERNEL_WEIGHTS_SHARED] = {"add_weights_shared", 0},
    [KERNEL_WEIGHTS_GLOBAL] = {"add_weights_global", 0},
    [KERNEL_CARRY] = {"carry_weights", 0},
    [KERNEL_LINES] = {"sequence_lines", 0},
    [KERNEL_CLASSIFY] = {"sequence_classify", 0},
    [KERNEL_CHECK] = {"sequence_check", 0},
    [KERNEL_FIELDS] = {"sequence_fields", 0},
    [KERNEL_KMERS] = {"sequence_kmers", 0},
    [KERNEL_LISTS] = {"sequence_lists", 0},
    [KERNEL_DRAIN] = {"sequence_drain", 0},
    [KERNEL_LEARN] = {"text_learn", 0},
    [KERNEL_PREPARE] = {"text_prepare", 0},
    [KERNEL_FIND] = {"text_find", 0},
    [KERNEL_FIND_SPANS] = {"text_find_spans", 0},
    [KERNEL_FIND_NUMBERS] = {"text_find_numbers", 0},
    [KERNEL_CELLS] = {"text_count", 0},
    [KERNEL_ENTROPY] = {"zstd_entropy", 0},
    [KERNEL_WINDOW] = {"zstd_prepare", 0},
    [KERNEL_JOIN] = {"zstd_join", 0},
    [KERNEL_PLACE] = {"zstd_place", 0},
    [KERNEL_RESOLVE] = {"zstd_resolve", 0},
    [KERNEL_SUM] = {"zstd_sum", 0},
    [KERNEL_INFLATE] = {"inflate_decode", 0},
    [KERNEL_INFLATE_SUM] = {"inflate_sum", 0},
    [KERNEL_INFLATE_SKETCH] = {"inflate_sketch", 0},
};

struct CUfunc_st {
    struct object object;
    CUmodule module;
    enum kernel kernel;
    size_t dynamic_bytes_max; /* of shared memory */
};

enum operation_kind {
    OPERATION_SET,
    OPERATION_COPY_IN,
    OPERATION_COPY_OUT,
    OPERATION_COPY_INSIDE,
    OPERATION_KERNEL,
    OPERATION_WAIT,
};

struct operation {
    struct operation *next;
    enum operation_kind kind;
    CUdeviceptr device; /* what is set or copied ... */
    size_t bytes;
    unsigned char value;     /* ... SET: with what */
    const void *from;        /* ... COPY_IN */
    void *to;                /* ... COPY_OUT */
    CUdeviceptr destination; /* ... COPY_INSIDE */
    enum kernel kernel;      /* KERNEL: which one ... */
    struct counting task;    /* ... and its parameters ... */
    struct binning_axis axis;
    struct sequence_work work;   /* ... those of sequences ... */
    struct text_work text;       /* ... or of other text ... */
    struct zstd_work zstd;       /* ... or of zstd ... */
    struct inflate_work inflate; /* ... or of gzip ... */
    unsigned int chunks;         /* ... of which there are so many ... */
    bool traps;                  /* ... of which a real one would not survive */
    CUstream awaited;            /* WAIT: until this stream ... */
    uint64_t awaited_done;       /* ... has done this many operations */
};

struct CUstream_st {
    struct object object;
    struct operation *first; /* the oldest that is not done */
    struct operation *last;
    uint64_t queued; /* operations ever */
    uint64_t done;
    bool is_running; /* some thread runs FIRST and has let go of the lock */
};

struct CUevent_st {
    struct object object;
    CUstream stream; /* of the last record; NULL: never recorded */
    uint64_t position;
};

enum memory_kind {
    MEMORY_DEVICE,
    MEMORY_HOST,       /* by cuMemHostAlloc() */
    MEMORY_REGISTERED, /* by cuMemHostRegister() */
};

struct memory {
    struct memory *next;
    enum memory_kind kind;
    bool is_live;
    uint64_t address; /* as the program knows it */
    size_t bytes;
    unsigned char *contents; /* not of REGISTERED */
    CUcontext context;       /* of DEVICE */
    uint64_t weights;        /* of a histogram: added since the last carry */
};

enum misuse {
    MISUSE_NOT_INITIALIZED,
    MISUSE_NO_CONTEXT,
    MISUSE_WRONG_CONTEXT,
    MISUSE_BAD_HANDLE,
    MISUSE_DOUBLE_RELEASE,
    MISUSE_NOT_REGISTERED,
    MISUSE_OVERLAP,
    MISUSE_BAD_ARGUMENT,
    MISUSE_BAD_MEMORY,
    MISUSE_BAD_SHARED_MEMORY,
    MISUSE_BAD_CELL,
    MISUSE_NO_CARRY,
    MISUSES
};

static const char *const misuse_name[] = {
    "not-initialized", "no-context",        "wrong-context", "bad-handle",
    "double-release",  "not-registered",    "overlap",       "bad-argument",
    "bad-memory",      "bad-shared-memory", "bad-cell",      "no-carry",
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;
static bool is_initialized;
static int devices;            /* that are shown ... */
static int shown[DEVICES_MAX]; /* ... and which */
static CUresult sticky; /* what every call returns; 0: nothing has happened */
static struct CUctx_st contexts[DEVICES_MAX];
static struct object *objects;
static struct memory *memories;
/* No pointer of the host is in this range: using one there crashes. */
static uint64_t next_address = (uint64_t)1 << 60;
static uint64_t misuses[MISUSES][CALLS];
static uint64_t calls_after_sticky;
static uint64_t released_in_use;
static uint64_t kernels_run;
static uint64_t kernel_bytes;
static uint64_t carries_run;

/* What each thread is doing. */
static _Thread_local CUcontext current;
static _Thread_local bool knows_of_no_context; /* cuCtxSetCurrent() failed */
static _Thread_local enum call call_now;
static _Thread_local bool is_late;     /* a call of it was */
static _Thread_local bool is_trapping; /* this launch is to go wrong */

/* Count a mistake of the program; returns RESULT. */
static CUresult
misused(enum misuse misuse, CUresult result)
{
    misuses[misuse][call_now]++;
    return result;
}

/* ---- every call starts with enter() and ends with leave() ---- */

/* What a call has to do that goes wrong in MODE; returns how it fails. */
static CUresult
fire(enum fault_mode mode, CUresult code)
{
    switch (mode) {
    case FAULT_LOST:
        if (current != NULL)
            current->lost = code;
        else
            sticky = code;
        return code;
    case FAULT_STICKY:
        sticky = code;
        return code;
    case FAULT_HANG:
        pthread_mutex_unlock(&lock);
        fault_hang();
    case FAULT_LATE:
        pthread_mutex_unlock(&lock);
        fault_be_late();
        pthread_mutex_lock(&lock);
        fault_tell_woken(call_now);
        is_late = true;
        return CUDA_SUCCESS;
    case FAULT_TRAP:
        is_trapping = true;
        return CUDA_SUCCESS;
    default:
        return code;
    }
}

enum needs {
    NEEDS_NOTHING,
    NEEDS_DRIVER,  /* cuInit() has succeeded */
    NEEDS_CONTEXT, /* this thread has a current context */
};

static CUresult
check_needs(enum needs needs)
{
    if (needs >= NEEDS_DRIVER && !is_initialized)
        return misused(MISUSE_NOT_INITIALIZED, ERROR_NOT_INITIALIZED);
    if (needs < NEEDS_CONTEXT)
        return CUDA_SUCCESS;
    if (current == NULL) {
        if (knows_of_no_context)
            return ERROR_INVALID_CONTEXT;
        return misused(MISUSE_NO_CONTEXT, ERROR_INVALID_CONTEXT);
    }
    if (current->retained == 0)
        return misused(MISUSE_NO_CONTEXT, ERROR_CONTEXT_IS_DESTROYED);
    return CUDA_SUCCESS;
}

/* Start CALL and take the lock.  Returns the injected error, or 0. */
static CUresult
enter(enum call call, enum needs needs)
{
    CUresult code;

    need_config();
    pthread_mutex_lock(&lock);
    call_now = call;
    enum fault_mode mode = fault_enter(call, &code);

    bool is_free = call == CALL_cuGetErrorName || call == CALL_cuGetErrorString;
    if (sticky != CUDA_SUCCESS && !is_free) {
        calls_after_sticky++;
        return sticky;
    }
    if (mode >= FAULT_EXIT) {
        pthread_mutex_unlock(&lock);
        fault_end(mode);
    }
    CUresult result = mode == FAULT_NONE ? CUDA_SUCCESS : fire(mode, code);
    if (result == CUDA_SUCCESS)
        result = check_needs(needs);
    if (result == CUDA_SUCCESS && needs == NEEDS_CONTEXT &&
        current->lost != CUDA_SUCCESS) {
        calls_after_sticky++;
        return current->lost;
    }
    return result;
}

static CUresult
leave(CUresult result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- handles ---- */

/* Make an object of BYTES, its head being a struct object. */
static void *
object_new(enum kind kind, size_t bytes)
{
    struct object *object = calloc(1, bytes);

    if (object == NULL)
        abort();
    object->kind = kind;
    object->is_live = true;
    object->context = current;
    object->next = objects;
    objects = object;
    return object;
}

/* Find the object of HANDLE without dereferencing it.  NULL: none. */
static struct object *
object_find(const void *handle, enum kind kind)
{
    for (struct object *object = objects; object != NULL;
         object = object->next) {
        if ((const void *)object == handle && object->kind == kind)
            return object;
    }
    return NULL;
}

/* Whether HANDLE may be used with the current context. */
static CUresult
object_check(const void *handle, enum kind kind)
{
    const struct object *object = object_find(handle, kind);

    if (object == NULL || !object->is_live)
        return misused(MISUSE_BAD_HANDLE, ERROR_INVALID_HANDLE);
    if (object->context != current)
        return misused(MISUSE_WRONG_CONTEXT, ERROR_INVALID_HANDLE);
    return CUDA_SUCCESS;
}

/*
 * Release HANDLE.  RESULT is what enter() said: the release is booked even if
 * the call fails.
 */
static CUresult
object_release(const void *handle, enum kind kind, CUresult result)
{
    struct object *object = object_find(handle, kind);

    if (object == NULL)
        return misused(MISUSE_BAD_HANDLE, ERROR_INVALID_HANDLE);
    if (!object->is_live)
        return misused(MISUSE_DOUBLE_RELEASE, ERROR_INVALID_HANDLE);
    if (result == CUDA_SUCCESS && object->context != current)
        result = misused(MISUSE_WRONG_CONTEXT, ERROR_INVALID_HANDLE);
    object->is_live = false;
    return result;
}

/* ---- memory ---- */

/*
 * Returns a descriptor of a file of PIECE_BYTES of POISON, or -1.  Once it is
 * there it stays, for all of the process.
 */
static int
poison_file(void)
{
    static int file = -1;
    static unsigned char poison[PIECE_BYTES];

    if (file >= 0)
        return file;
    file = memfd_create("poison", MFD_CLOEXEC);
    memset(poison, POISON, sizeof poison);
    if (file >= 0 &&
        write(file, poison, sizeof poison) != (ssize_t)sizeof poison) {
        close(file);
        file = -1;
    }
    return file;
}

/*
 * Returns BYTES full of POISON, or NULL.  Hundreds of megabytes would take a run
 * longer than all that it does with them, and it uses few: large ones show one
 * file again and again, and only pages that are written are copied.
 */
static unsigned char *
make_contents(size_t bytes)
{
    void *contents;

    if (bytes < PIECE_BYTES) {
        if (posix_memalign(&contents, PAGE_BYTES, bytes) != 0)
            return NULL;
        return memset(contents, POISON, bytes);
    }
    const int file = poison_file();
    contents = mmap(NULL, bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (contents == MAP_FAILED)
        return NULL;
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        const size_t left = bytes - done;
        if (mmap((char *)contents + done,
                 left < PIECE_BYTES ? left : PIECE_BYTES,
                 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file,
                 0) == MAP_FAILED) {
            munmap(contents, bytes);
            return NULL;
        }
    }
    return contents;
}

/* Give CONTENTS of make_contents(BYTES) back; nobody reads them any more. */
static void
release_contents(unsigned char *contents, size_t bytes)
{
    if (bytes < PIECE_BYTES) {
        memset(contents, POISON, bytes);
        free(contents);
    } else {
        munmap(contents, bytes);
    }
}

static struct memory *
memory_add(enum memory_kind kind, uint64_t address, size_t bytes)
{
    struct memory *memory = calloc(1, sizeof *memory);

    if (memory == NULL)
        abort();
    memory->kind = kind;
    memory->is_live = true;
    memory->address = address;
    memory->bytes = bytes;
    memory->context = current;
    memory->next = memories;
    memories = memory;
    return memory;
}

/* Whether BYTES from ADDRESS on share a byte with MEMORY. */
static bool
memory_overlaps(const struct memory *memory, uint64_t address, size_t bytes)
{
    return address < memory->address + memory->bytes &&
           memory->address < address + bytes;
}

/* Find the live device memory that holds all of the range.  NULL: none. */
static struct memory *
device_memory(CUdeviceptr address, size_t bytes, const struct CUctx_st *context)
{
    for (struct memory *memory = memories; memory != NULL;
         memory = memory->next) {
        if (memory->kind == MEMORY_DEVICE && memory->is_live &&
            memory->context == context && address >= memory->address &&
            bytes <= memory->bytes &&
            address - memory->address <= memory->bytes - bytes)
            return memory;
    }
    return NULL;
}

/* Where the range is; NULL where device_memory() finds none. */
static void *
device_range(CUdeviceptr address, size_t bytes, const struct CUctx_st *context)
{
    const struct memory *memory = device_memory(address, bytes, context);

    if (memory == NULL)
        return NULL;
    return memory->contents + (address - memory->address);
}

static CUresult
check_device_range(CUdeviceptr address, size_t bytes)
{
    if (bytes == 0 || device_range(address, bytes, current) == NULL)
        return misused(MISUSE_BAD_MEMORY, ERROR_INVALID_VALUE);
    return CUDA_SUCCESS;
}

/* Host memory need not be known, but must not be so in part. */
static CUresult
check_host_range(const void *host, size_t bytes)
{
    uint64_t address = (uintptr_t)host;

    if (host == NULL)
        return misused(MISUSE_BAD_MEMORY, ERROR_INVALID_VALUE);
    for (const struct memory *memory = memories; memory != NULL;
         memory = memory->next) {
        if (!memory->is_live || !memory_overlaps(memory, address, bytes))
            continue;
        if (memory->kind == MEMORY_DEVICE || address < memory->address ||
            address + bytes > memory->address + memory->bytes)
            return misused(MISUSE_BAD_MEMORY, ERROR_INVALID_VALUE);
    }
    return CUDA_SUCCESS;
}

/*
 * Find the memory that starts at ADDRESS, for its release.  NULL with *RESULT
 * set: there is none, or none any more.
 */
static struct memory *
memory_to_release(enum memory_kind kind, uint64_t address, CUresult *result)
{
    struct memory *dead = NULL;

    for (struct memory *memory = memories; memory != NULL;
         memory = memory->next) {
        if (memory->kind != kind || memory->address != address)
            continue;
        if (memory->is_live)
            return memory;
        dead = memory;
    }
    if (kind == MEMORY_REGISTERED)
        *result = misused(MISUSE_NOT_REGISTERED, ERROR_NOT_REGISTERED);
    else
        *result =
            misused(dead != NULL ? MISUSE_DOUBLE_RELEASE : MISUSE_BAD_MEMORY,
                    ERROR_INVALID_VALUE);
    return NULL;
}

/* ---- kernels ---- */

/* Of the weights' kernels: the counts and the sums. */
static unsigned int
weight_planes(const struct counting *task)
{
    return 1 + weighing_planes(task->weight_type);
}

static bool
is_weighing(enum kernel kernel)
{
    return kernel >= KERNEL_WEIGHTS_SHARED && kernel <= KERNEL_CARRY;
}

static bool
is_sequencing(enum kernel kernel)
{
    return kernel >= KERNEL_LINES && kernel <= KERNEL_DRAIN;
}

static bool
is_of_text(enum kernel kernel)
{
    return kernel >= KERNEL_LEARN && kernel <= KERNEL_CELLS;
}

static bool
is_of_zstd(enum kernel kernel)
{
    return kernel >= KERNEL_ENTROPY && kernel <= KERNEL_SUM;
}

static bool
is_of_inflate(enum kernel kernel)
{
    return kernel >= KERNEL_INFLATE;
}

/* Whether the axis is a parameter. */
static bool
is_sampling(enum kernel kernel)
{
    return kernel >= KERNEL_SAMPLES_LANE && kernel <= KERNEL_SAMPLES_GLOBAL;
}

static size_t
histogram_bytes(enum kernel kernel, const struct counting *task)
{
    return task->cells * sizeof(uint64_t) *
           (is_weighing(kernel) ? weight_planes(task) : 1);
}

/* Of kernels/binning/edges.h: a node for each edge of a full tree, and node 0. */
static size_t
tree_bytes(const struct binning_axis *axis)
{
    size_t node_bytes = axis->type == SAMPLE_F4 ? 4 : 8;
    size_t nodes = 1;

    if (axis->kind != BINNING_EDGES)
        return 0;
    while (nodes - 1 < axis->bins + 1)
        nodes *= 2;
    return nodes * node_bytes;
}

/* The dynamic shared memory that a kernel needs, as its file says. */
static size_t
dynamic_bytes(enum kernel kernel, const struct counting *task,
              const struct binning_axis *axis)
{
    size_t cells = task->cells;

    switch (kernel) {
    case KERNEL_BYTES:
    case KERNEL_BYTES_2:
    case KERNEL_BYTES_3:
    case KERNEL_BYTES_4:
        return 256 * 32 * WORD_BYTES;
    case KERNEL_WORDS:
        return 32768 * WORD_BYTES;
    case KERNEL_FLOATS:
        return cells * (1 + (size_t)task->columns) * WORD_BYTES;
    case KERNEL_LANE:
        return cells * 32 * WORD_BYTES;
    case KERNEL_SHARED:
        return cells * WORD_BYTES;
    case KERNEL_SAMPLES_LANE:
        return tree_bytes(axis) + cells * 32 * WORD_BYTES;
    case KERNEL_SAMPLES_SHARED:
        return tree_bytes(axis) + cells * WORD_BYTES;
    case KERNEL_PACKED:
    case KERNEL_SAMPLES_PACKED:
        return (cells + 1) / 2 * WORD_BYTES;
    case KERNEL_WEIGHTS_SHARED:
        return cells * weight_planes(task) * 2 * WORD_BYTES;
    case KERNEL_WEIGHTS_GLOBAL:
        return counting_weight_slots(weight_planes(task)) *
               (1 + 2 * (size_t)weight_planes(task)) * WORD_BYTES;
    default:
        return 0;
    }
}

/* What a running kernel sees; all in the memory of its device. */
struct view {
    const struct counting *task;
    enum kernel kernel;
    const struct CUctx_st *context;
    const unsigned char *data;
    uint64_t *histogram;
    const struct binning_axis *axes;
    struct binning_tables tables;
};

/* Whether the tables of AXIS exist; must be checked before they are read. */
static bool
is_sound(const struct view *view, const struct binning_axis *axis)
{
    const struct counting *task = view->task;
    uint32_t size = binning_size(axis->type);
    size_t bytes;

    if (axis->type >= SAMPLE_DECIMAL || axis->table > CELLS_MAX ||
        axis->bins > CELLS_MAX || axis->offset > task->record_bytes ||
        size > task->record_bytes - axis->offset)
        return false;
    switch (axis->kind) {
    case BINNING_RAW:
        return size <= 2;
    case BINNING_LOOKUP:
        bytes = sizeof(uint32_t) << 8 * (size & 3);
        return size <= 2 &&
               device_range(task->lookup + axis->table * sizeof(uint32_t),
                            bytes, view->context) != NULL;
    case BINNING_EDGES:
        bytes = (axis->bins + 1) * sizeof(double);
        return device_range(task->edges + axis->table * sizeof(double), bytes,
                            view->context) != NULL;
    default:
        return true;
    }
}

/* The number of channels of the kernels of bytes.cuh, or 0. */
static uint32_t
channels(enum kernel kernel)
{
    return kernel <= KERNEL_BYTES_4 ? kernel - KERNEL_BYTES + 1 : 0;
}

/* What the kernels of bytes.cuh take for granted. */
static bool
are_bytes(const struct view *view)
{
    for (uint32_t i = 0; i < view->task->axis_count; i++) {
        const struct binning_axis *axis = &view->axes[i];
        if (axis->kind != BINNING_RAW || binning_size(axis->type) != 1 ||
            axis->stride != 1)
            return false;
    }
    return true;
}

/* What count_floats takes for granted. */
static bool
is_even_float(const struct view *view)
{
    const struct binning_axis *axis = view->axes;

    return axis->type == SAMPLE_F4 && axis->kind == BINNING_EVEN &&
           !axis->is_swapped && axis->base == 0 && axis->stride == 1 &&
           view->task->cells == axis->bins + BINNING_NAN + 1;
}

/* What count_samples_* take for granted. */
static bool
is_sample(const struct view *view)
{
    const struct binning_axis *axis = view->axes;
    uint32_t size = binning_size(axis->type);

    return axis->base == 0 && axis->stride == 1 && axis->offset % size == 0 &&
           view->task->record_bytes % size == 0;
}

/* Find what the task points to; false: a device would not. */
static bool
view_open(struct view *view, const struct binning_axis *axis)
{
    const struct counting *task = view->task;
    size_t axes_bytes = task->axis_count * sizeof *view->axes;

    view->histogram = device_range(
        task->histogram, histogram_bytes(view->kernel, task), view->context);
    if (view->kernel == KERNEL_CARRY)
        return true;
    view->data = device_range(task->data, task->size, view->context);
    if (view->kernel == KERNEL_WORDS)
        return true;
    view->axes = device_range(task->axes, axes_bytes, view->context);
    if (is_sampling(view->kernel))
        view->axes = axis;
    view->tables.edges = device_range(task->edges, 1, view->context);
    view->tables.lookup = device_range(task->lookup, 1, view->context);
    for (uint32_t i = 0; i < task->axis_count; i++) {
        if (!is_sound(view, &view->axes[i]))
            return false;
    }
    if (is_sampling(view->kernel))
        return is_sample(view);
    return (view->kernel != KERNEL_FLOATS || is_even_float(view)) &&
           (channels(view->kernel) == 0 || are_bytes(view));
}

/* Count CELL for RECORD; false: there is no such cell. */
static bool
add(const struct view *view, const unsigned char *record, uint64_t cell)
{
    const struct counting *task = view->task;
    struct weighing_parts parts;

    if (cell >= task->cells)
        return false;
    view->histogram[cell]++;
    if (!is_weighing(view->kernel))
        return true;
    weighing_split(task->weight_type,
                   binning_load(record + task->weight_offset, task->weight_type,
                                task->weight_is_swapped),
                   &parts);
    for (uint32_t i = 0; i < parts.count; i++) {
        uint64_t plane = 1 + parts.first + i;
        view->histogram[plane * task->cells + cell] +=
            (uint64_t)parts.addend[i];
    }
    return true;
}

/* Count RECORD; false: one of its cells does not exist. */
static bool
add_record(const struct view *view, const unsigned char *record)
{
    const struct counting *task = view->task;
    uint64_t joint = 0;

    /* It looks at no axis. */
    if (view->kernel == KERNEL_WORDS)
        return add(view, record, binning_load(record, SAMPLE_U2, 0));

    for (uint32_t i = 0; i < task->axis_count; i++) {
        const struct binning_axis *axis = &view->axes[i];
        uint64_t bits =
            binning_load(record + axis->offset, axis->type, axis->is_swapped);
        uint64_t cell =
            axis->base + axis->stride * binning_cell(axis, &view->tables, bits);
        if (task->is_joint)
            joint += cell;
        else if (!add(view, record, cell))
            return false;
    }
    return !task->is_joint || add(view, record, joint);
}

/* A kernel made an invalid access, which ends the context. */
static void
kernel_fails(struct CUctx_st *context, enum misuse misuse)
{
    misuses[misuse][CALL_cuLaunchKernel]++;
    context->lost = ERROR_ILLEGAL_ADDRESS;
}

static void
run_carry(const struct view *view, struct memory *memory)
{
    const struct counting *task = view->task;

    for (uint64_t cell = 0; cell < task->cells; cell++)
        weighing_carry(view->histogram + task->cells + cell,
                       weighing_digits(task->weight_type), task->cells);
    memory->weights = 0;
    carries_run++;
}

/* The entries of all lists of k-mers. */
static size_t
list_bytes(const struct sequence_work *work)
{
    return (size_t)work->lists * work->list_room * sizeof(uint32_t);
}

/* Where the last chunk of a batch of CHUNKS ends behind the data. */
static size_t
data_bytes(const struct sequence_work *work, unsigned int chunks)
{
    return (size_t)work->data_stride * (work->first_chunk + chunks - 1) +
           work->size[chunks - 1];
}

static size_t
scratch_bytes(const struct sequence_work *work, unsigned int chunks)
{
    return ((size_t)work->scratch_stride * (chunks - 1) +
            sequence_scratch_words(work->size[chunks - 1])) *
           sizeof(uint32_t);
}

/* Do the work of a kernel for sequences, for chunk number CHUNK. */
static void
run_chunk(const struct operation *operation, unsigned int chunk,
          struct CUctx_st *context)
{
    static void (*const kernels[])(const struct sequence_task *) = {
        sequence_mark_lines,   sequence_mark_classify, sequence_mark_check,
        sequence_count_fields, sequence_count_kmers,   sequence_list_kmers,
        sequence_drain_lists};
    const struct sequence_work *work = &operation->work;
    size_t shared_bytes = work->shared_words * sizeof(uint32_t);
    struct sequence_task task = {
        .work = *work,
        .data = device_range(work->data, data_bytes(work, chunk + 1), context),
        .histogram = device_range(work->histogram,
                                  cuda_sequences_cells(work) * sizeof(uint64_t),
                                  context),
        .scratch = device_range(work->scratch, scratch_bytes(work, chunk + 1),
                                context),
        .status =
            device_range(work->status, (chunk + 1) * sizeof(uint32_t), context),
        .list_entries =
            device_range(work->list_entries, list_bytes(work), context),
        .list_sizes = device_range(work->list_sizes,
                                   work->lists * sizeof(uint32_t), context),
        .shared = malloc(shared_bytes),
    };

    if (task.shared == NULL)
        abort();
    memset(task.shared, POISON, shared_bytes);
    sequence_task_choose(&task, work, chunk);
    uint64_t reads = task.histogram[SEQUENCE_TOTAL_READS];
    kernels[operation->kernel - KERNEL_LINES](&task);
    /* A read is lost where reads are counted. */
    task.histogram[SEQUENCE_TOTAL_READS] -=
        config.is_lying && task.histogram[SEQUENCE_TOTAL_READS] > reads;
    free(task.shared);
    if (operation->kernel == KERNEL_LINES)
        kernel_bytes += work->size[chunk];
}

static void
run_sequences(const struct operation *operation, struct CUctx_st *context)
{
    for (unsigned int chunk = 0; chunk < operation->chunks; chunk++)
        run_chunk(operation, chunk, context);
    kernels_run++;
}

/* Do the work of a kernel for text, for chunk number CHUNK. */
static void
run_text_chunk(const struct operation *operation, unsigned int chunk,
               struct CUctx_st *context)
{
    const struct text_work *work = &operation->text;
    size_t size = work->size[chunk];
    size_t shared_bytes = TEXT_SHARED_WORDS * sizeof(uint32_t);
    struct text_task task = {
        .work = *work,
        .data = device_range(
            work->data,
            (size_t)work->data_stride * (work->first_chunk + chunk) + size,
            context),
        .histogram = device_range(
            work->histogram, cuda_text_cells(work) * sizeof(uint64_t), context),
        .scratch = device_range(work->scratch,
                                ((size_t)work->scratch_stride * chunk +
                                 text_scratch_words(work->size[chunk])) *
                                    sizeof(uint32_t),
                                context),
        .status =
            device_range(work->status, (chunk + 1) * sizeof(uint32_t), context),
        .list = device_range(work->lists,
                             (size_t)(chunk + 1) *
                                 text_list_words(work->list_room) *
                                 sizeof(uint32_t),
                             context),
        .slots = device_range(
            work->slots,
            ((size_t)work->slot_mask + 1) * sizeof(struct text_slot), context),
        .arena = device_range(work->arena, sizeof(uint64_t), context),
        .learned = device_range(
            work->learned, work->learn * sizeof(struct text_slot), context),
        .edges = device_range(work->edges, sizeof(double), context),
        .shared = malloc(shared_bytes),
    };

    if (task.shared == NULL)
        abort();
    memset(task.shared, POISON, shared_bytes);
    text_task_choose(&task, work, chunk);
    uint64_t records = task.histogram[TEXT_TOTAL_RECORDS];
    cuda_text_run((int)(operation->kernel - KERNEL_LEARN), &task);
    task.histogram[TEXT_TOTAL_RECORDS] -=
        config.is_lying && task.histogram[TEXT_TOTAL_RECORDS] > records;
    free(task.shared);
    if (operation->kernel == KERNEL_PREPARE)
        kernel_bytes += size;
}

static void
run_text(const struct operation *operation, struct CUctx_st *context)
{
    for (unsigned int chunk = 0; chunk < operation->chunks; chunk++)
        run_text_chunk(operation, chunk, context);
    kernels_run++;
}

/* Do the work of a kernel for zstd. */
static void
run_zstd(const struct operation *operation, struct CUctx_st *context)
{
    const struct zstd_work *work = &operation->zstd;
    size_t whole = (size_t)work->history + work->room;
    uint64_t before = work->history * sizeof(uint32_t);
    size_t shared_bytes = CUDA_ZSTD_WORDS * sizeof(uint32_t);
    struct zstd_batch batch = {
        .work = *work,
        .packed = device_range(work->packed, 1, context),
        .tasks = device_range(work->tasks,
                              work->blocks * sizeof(struct zstd_task), context),
        .found = device_range(
            work->found, work->blocks * sizeof(struct zstd_found), context),
        .literals = device_range(work->literals, 1, context),
        .sequences = device_range(work->sequences, 1, context),
        .sources = device_range(work->sources + before,
                                work->room * sizeof(uint32_t), context),
        .content = device_range(work->content, whole, context),
        .before = device_range(work->before, whole, context),
        .left = device_range(work->left, sizeof(struct zstd_left), context),
        .left_before =
            device_range(work->left_before, sizeof(struct zstd_left), context),
        .progress =
            device_range(work->progress, sizeof(struct zstd_progress), context),
        .sums =
            device_range(work->sums, work->blocks * sizeof(uint64_t), context),
        .shared = malloc(shared_bytes),
    };

    if (batch.shared == NULL)
        abort();
    memset(batch.shared, POISON, shared_bytes);
    batch.sources -= work->history;
    cuda_zstd_run((enum cuda_zstd)(operation->kernel - KERNEL_ENTROPY), &batch);
    /* Wrong content is found out by its checksum. */
    if (config.is_lying && operation->kernel == KERNEL_RESOLVE &&
        batch.left->content > 0)
        batch.content[work->history] ^= 1;
    free(batch.shared);
    kernels_run++;
}

/* The bytes of content of all members of WORK. */
static uint64_t
inflate_content(const struct inflate_work *work, struct CUctx_st *context)
{
    const struct inflate_task *tasks = device_range(
        work->tasks, work->members * sizeof(struct inflate_task), context);
    const struct inflate_task *last = &tasks[work->members - 1];

    return (uint64_t)last->content_at + last->content;
}

/* Do the work of a kernel for deflate data. */
static void
run_inflate(const struct operation *operation, struct CUctx_st *context)
{
    const struct inflate_work *work = &operation->inflate;
    uint64_t content = inflate_content(work, context);
    size_t shared_bytes = CUDA_INFLATE_WORDS * sizeof(uint32_t);
    struct inflate_batch batch = {
        .work = *work,
        .packed = device_range(work->packed, 1, context),
        .tasks = device_range(
            work->tasks, work->members * sizeof(struct inflate_task), context),
        .content = device_range(work->content, content, context),
        .refused = device_range(work->refused, work->members * sizeof(uint32_t),
                                context),
        .shared = malloc(shared_bytes),
    };

    if (batch.shared == NULL)
        abort();
    if (operation->kernel == KERNEL_INFLATE_SKETCH)
        batch.sketches = device_range(
            work->sketches, work->members * sizeof *batch.sketches, context);
    memset(batch.shared, POISON, shared_bytes);
    cuda_inflate_run((enum cuda_inflate)(operation->kernel - KERNEL_INFLATE),
                     &batch);
    /* Wrong content is found out by its checksum. */
    if (config.is_lying && operation->kernel == KERNEL_INFLATE && content > 0)
        batch.content[0] ^= 1;
    free(batch.shared);
    kernels_run++;
}

/* Do the work of a kernel, one record at a time. */
static void
run_kernel(const struct operation *operation, struct CUctx_st *context)
{
    if (config.kernel_ms > 0) {
        pthread_mutex_unlock(&lock);
        fault_sleep_ms(config.kernel_ms);
        pthread_mutex_lock(&lock);
    }

    const struct counting *task = &operation->task;
    struct view view = {task, operation->kernel, context, .data = NULL};
    struct memory *memory = device_memory(task->histogram, 1, context);

    if (operation->traps) {
        context->lost = ERROR_ILLEGAL_ADDRESS;
        return;
    }
    if (is_sequencing(operation->kernel)) {
        run_sequences(operation, context);
        return;
    }
    if (is_of_text(operation->kernel)) {
        run_text(operation, context);
        return;
    }
    if (is_of_zstd(operation->kernel)) {
        run_zstd(operation, context);
        return;
    }
    if (is_of_inflate(operation->kernel)) {
        run_inflate(operation, context);
        return;
    }
    if (!view_open(&view, &operation->axis)) {
        kernel_fails(context, MISUSE_BAD_MEMORY);
        return;
    }
    if (operation->kernel == KERNEL_CARRY) {
        run_carry(&view, memory);
        return;
    }
    uint64_t records = task->size / task->record_bytes;
    if (is_weighing(operation->kernel))
        memory->weights += records;
    if (memory->weights > WEIGHING_ADDS_MAX)
        kernel_fails(context, MISUSE_NO_CARRY);
    for (uint64_t i = config.is_lying ? 1 : 0; i < records; i++) {
        if (!add_record(&view, view.data + i * task->record_bytes)) {
            kernel_fails(context, MISUSE_BAD_CELL);
            return;
        }
    }
    kernels_run++;
    kernel_bytes += task->size;
}

/* ---- streams ---- */

static void run_until(CUstream stream, uint64_t done);

/*
 * A copy to the device.  After a late call the memory may be in use again.
 * The copied bytes are not used then, so the thread sanitizer ignores this.
 */
static void __attribute__((no_sanitize("thread")))
copy_in(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (!is_late) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i++)
        to[i] = ((const volatile unsigned char *)from)[i];
}

/* The memory exists: freeing it runs the operations that use it first. */
static void
run_operation(const struct operation *operation, struct CUctx_st *context)
{
    size_t bytes = operation->bytes;

    /* After a sticky error the device runs nothing. */
    if (sticky != CUDA_SUCCESS || context->lost != CUDA_SUCCESS)
        return;
    switch (operation->kind) {
    case OPERATION_SET:
        memset(device_range(operation->device, bytes, context),
               operation->value, bytes);
        device_memory(operation->device, bytes, context)->weights = 0;
        break;
    case OPERATION_COPY_IN:
        copy_in(device_range(operation->device, bytes, context),
                operation->from, bytes);
        break;
    case OPERATION_COPY_OUT:
        memcpy(operation->to, device_range(operation->device, bytes, context),
               bytes);
        break;
    case OPERATION_COPY_INSIDE:
        memcpy(device_range(operation->destination, bytes, context),
               device_range(operation->device, bytes, context), bytes);
        break;
    case OPERATION_KERNEL:
        run_kernel(operation, context);
        break;
    case OPERATION_WAIT:
        run_until(operation->awaited, operation->awaited_done);
        break;
    }
}

/* Run STREAM until it has done DONE operations. */
static void
run_until(CUstream stream, uint64_t done)
{
    while (stream->done < done) {
        if (stream->is_running) {
            pthread_cond_wait(&progress, &lock);
            continue;
        }
        struct operation *operation = stream->first;
        stream->is_running = true;
        run_operation(operation, stream->object.context);
        stream->is_running = false;
        stream->first = operation->next;
        stream->done++;
        free(operation);
        pthread_cond_broadcast(&progress);
    }
}

/* The same for a call that waits: it says how that went. */
static CUresult
run_and_check(CUstream stream, uint64_t done)
{
    run_until(stream, done);
    return stream->object.context->lost;
}

/* Put OPERATION on STREAM, both of the current context. */
static CUresult
enqueue(CUstream stream, struct operation operation)
{
    struct operation *copy = malloc(sizeof *copy);

    if (copy == NULL)
        abort();
    *copy = operation;
    copy->next = NULL;
    if (stream->first == NULL)
        stream->first = copy;
    else
        stream->last->next = copy;
    stream->last = copy;
    stream->queued++;
    if (config.is_eager ||
        (config.has_eager_copies && operation.kind == OPERATION_COPY_IN))
        run_until(stream, stream->queued);
    return CUDA_SUCCESS;
}

/* Whether something that waits on STREAM uses the host's MEMORY. */
static bool
is_in_use(const struct memory *memory, const struct CUstream_st *stream)
{
    for (const struct operation *operation = stream->first; operation != NULL;
         operation = operation->next) {
        const void *host = operation->kind == OPERATION_COPY_IN
                               ? operation->from
                               : operation->to;
        if (host != NULL &&
            memory_overlaps(memory, (uintptr_t)host, operation->bytes))
            return true;
    }
    return false;
}

/*
 * Release MEMORY.  A driver waits for the device before it unmaps anything,
 * but only for device memory is that common knowledge: so say if it has to.
 */
static void
memory_release(struct memory *memory)
{
    for (struct object *object = objects; object != NULL;
         object = object->next) {
        if (object->kind != KIND_STREAM)
            continue;
        CUstream stream = (CUstream)object;
        if (memory->kind == MEMORY_DEVICE) {
            if (object->context == memory->context)
                run_until(stream, stream->queued);
        } else if (is_in_use(memory, stream)) {
            released_in_use++;
            run_until(stream, stream->queued);
        }
    }
    memory->is_live = false;
    if (memory->contents != NULL)
        release_contents(memory->contents, memory->bytes);
    memory->contents = NULL;
}

/* All that is in CONTEXT goes with it. */
static void
abandon(const struct CUctx_st *context)
{
    for (struct object *object = objects; object != NULL; object = object->next)
        object->is_live &= object->context != context;
    for (struct memory *memory = memories; memory != NULL;
         memory = memory->next)
        memory->is_live &= memory->context != context;
}

/* ---- the driver's functions: errors ---- */

/* Set *TEXT to the name of ERROR or to its meaning, and leave. */
static CUresult
leave_with_text(CUresult result, CUresult error, bool is_name,
                const char **text)
{
    if (result == CUDA_SUCCESS && config.init == ERROR_STUB_LIBRARY)
        result = ERROR_STUB_LIBRARY;
    if (result != CUDA_SUCCESS)
        return leave(result);
    *text = NULL;
    for (size_t i = 0; i < sizeof error_table / sizeof *error_table; i++) {
        if (error_table[i].code == error)
            *text = is_name ? error_table[i].name : error_table[i].text;
    }
    return leave(*text != NULL ? CUDA_SUCCESS : ERROR_INVALID_VALUE);
}

CUresult
cuGetErrorName(CUresult error, const char **text)
{
    CUresult result = enter(CALL_cuGetErrorName, NEEDS_NOTHING);

    return leave_with_text(result, error, true, text);
}

CUresult
cuGetErrorString(CUresult error, const char **text)
{
    CUresult result = enter(CALL_cuGetErrorString, NEEDS_NOTHING);

    return leave_with_text(result, error, false, text);
}

/* ---- devices and contexts ---- */

/*
 * The device that an entry of CUDA_VISIBLE_DEVICES names, up to a comma; -1:
 * none.
 */
static int
named_device(const char *entry)
{
    char uuid[32];
    char *end;

    if (strncmp(entry, "GPU-", 4) == 0) {
        size_t length = strcspn(entry, ",");
        for (int i = 0; i < config.all_devices; i++) {
            snprintf(uuid, sizeof uuid, "GPU-%x0000000", (unsigned int)i);
            if (length > 4 && strncmp(uuid, entry, length) == 0)
                return i;
        }
        return -1;
    }
    long number = strtol(entry, &end, 10);
    end += strspn(end, " ");
    if (end == entry || (*end != ',' && *end != '\0') || number < 0 ||
        number >= config.all_devices)
        return -1;
    return (int)number;
}

/*
 * Find out which devices are shown, as NVIDIA's driver 580 does: an entry that
 * names none ends the list, and no entry may occur twice.
 */
static CUresult
show_devices(void)
{
    const char *list = getenv("CUDA_VISIBLE_DEVICES");

    devices = 0;
    if (list == NULL || config.all_devices == 0) {
        for (int i = 0; i < config.all_devices; i++)
            shown[devices++] = i;
        return CUDA_SUCCESS;
    }
    for (;;) {
        int device = named_device(list);
        if (device < 0)
            return devices > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
        for (int i = 0; i < devices; i++) {
            if (shown[i] == device)
                return ERROR_INVALID_DEVICE;
        }
        shown[devices++] = device;
        list += strcspn(list, ",");
        if (*list++ == '\0')
            return CUDA_SUCCESS;
    }
}

CUresult
cuInit(unsigned int flags)
{
    need_config();
    fault_sleep_ms(config.start_ms);
    CUresult result = enter(CALL_cuInit, NEEDS_NOTHING);
    if (result == CUDA_SUCCESS)
        result = config.init;
    if (result == CUDA_SUCCESS && flags != 0)
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    if (result == CUDA_SUCCESS)
        result = show_devices();
    if (result == CUDA_SUCCESS)
        is_initialized = true;
    return leave(result);
}

static bool
is_device(CUdevice device)
{
    return device >= 0 && device < devices;
}

CUresult
cuDeviceGetCount(int *count)
{
    CUresult result = enter(CALL_cuDeviceGetCount, NEEDS_DRIVER);

    if (result == CUDA_SUCCESS)
        *count = devices;
    return leave(result);
}

CUresult
cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult result = enter(CALL_cuDeviceGet, NEEDS_DRIVER);

    if (result == CUDA_SUCCESS && !is_device(ordinal))
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_DEVICE);
    if (result == CUDA_SUCCESS)
        *device = ordinal;
    return leave(result);
}

CUresult
cuDeviceGetName(char *name, int size, CUdevice device)
{
    CUresult result = enter(CALL_cuDeviceGetName, NEEDS_DRIVER);

    if (result == CUDA_SUCCESS && (!is_device(device) || size <= 0))
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)size, "Fake GPU %d", shown[device]);
    return leave(result);
}

CUresult
cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    CUresult result = enter(CALL_cuDeviceTotalMem_v2, NEEDS_DRIVER);

    if (result == CUDA_SUCCESS && !is_device(device))
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_DEVICE);
    if (result == CUDA_SUCCESS)
        *bytes = (size_t)1 << 30;
    return leave(result);
}

CUresult
cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    CUresult result = enter(CALL_cuDeviceGetAttribute, NEEDS_DRIVER);

    if (result != CUDA_SUCCESS)
        return leave(result);
    if (!is_device(device))
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_DEVICE));
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = MULTIPROCESSORS;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        *value = THREADS_PER_MULTIPROCESSOR;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = (int)config.shared_bytes;
        break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = config.cache_bytes;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = 9;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = 0;
        break;
    default:
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
        break;
    }
    return leave(result);
}

CUresult
cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    CUresult result = enter(CALL_cuDevicePrimaryCtxRetain, NEEDS_DRIVER);

    if (result == CUDA_SUCCESS && !is_device(device))
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_DEVICE);
    if (result == CUDA_SUCCESS) {
        contexts[device].retained++;
        *context = &contexts[device];
    }
    return leave(result);
}

CUresult
cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    CUresult result = enter(CALL_cuDevicePrimaryCtxRelease_v2, NEEDS_DRIVER);

    if (!is_device(device))
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_DEVICE));
    if (contexts[device].retained == 0)
        return leave(misused(MISUSE_DOUBLE_RELEASE, ERROR_INVALID_CONTEXT));
    contexts[device].retained--;
    /* Release the objects that have no release function. */
    if (contexts[device].retained == 0 && knows_of_no_context)
        abandon(&contexts[device]);
    return leave(result);
}

CUresult
cuCtxSetCurrent(CUcontext context)
{
    CUresult result = enter(CALL_cuCtxSetCurrent, NEEDS_DRIVER);
    bool is_known = context == NULL;

    for (int i = 0; i < devices; i++) {
        if (context == &contexts[i] && contexts[i].retained > 0)
            is_known = true;
    }
    if (result == CUDA_SUCCESS && !is_known)
        result = misused(MISUSE_BAD_HANDLE, ERROR_INVALID_CONTEXT);
    if (result == CUDA_SUCCESS)
        current = context;
    knows_of_no_context = result != CUDA_SUCCESS;
    return leave(result);
}

/* ---- modules ---- */

CUresult
cuModuleLoadData(CUmodule *module, const void *image)
{
    /* How every file that nvcc -fatbin makes starts. */
    static const unsigned char magic[] = {0x50, 0xED, 0x55, 0xBA};
    CUresult result = enter(CALL_cuModuleLoadData, NEEDS_CONTEXT);

    if (result != CUDA_SUCCESS)
        return leave(result);
    if (image == NULL || memcmp(image, magic, sizeof magic) != 0)
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_IMAGE));
    *module = object_new(KIND_MODULE, sizeof **module);
    return leave(CUDA_SUCCESS);
}

CUresult
cuModuleUnload(CUmodule module)
{
    CUresult result = enter(CALL_cuModuleUnload, NEEDS_CONTEXT);

    result = object_release(module, KIND_MODULE, result);
    for (struct object *object = objects; object != NULL;
         object = object->next) {
        if (object->kind == KIND_FUNCTION &&
            ((CUfunction)object)->module == module)
            object->is_live = false;
    }
    return leave(result);
}

CUresult
cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    int kernel = 0;
    CUresult result = enter(CALL_cuModuleGetFunction, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(module, KIND_MODULE);
    while (kernel < KERNELS && strcmp(name, kernel_table[kernel].name) != 0)
        kernel++;
    if (result == CUDA_SUCCESS && kernel == KERNELS)
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_NOT_FOUND);
    if (result == CUDA_SUCCESS) {
        *function = object_new(KIND_FUNCTION, sizeof **function);
        (*function)->module = module;
        (*function)->kernel = (enum kernel)kernel;
        (*function)->dynamic_bytes_max =
            SHARED_BYTES_DEFAULT - kernel_table[kernel].static_shared_bytes;
    }
    return leave(result);
}

CUresult
cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                   int value)
{
    CUresult result = enter(CALL_cuFuncSetAttribute, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(function, KIND_FUNCTION);
    if (result != CUDA_SUCCESS)
        return leave(result);
    size_t fixed = kernel_table[function->kernel].static_shared_bytes;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE));
    if (value < 0 || (size_t)value + fixed > config.shared_bytes)
        return leave(misused(MISUSE_BAD_SHARED_MEMORY, ERROR_INVALID_VALUE));
    function->dynamic_bytes_max = (size_t)value;
    return leave(CUDA_SUCCESS);
}

/* Whether blocks of THREADS threads are possible. */
static bool
is_block(uint64_t threads)
{
    return threads > 0 && threads <= THREADS_PER_BLOCK_MAX &&
           threads % WARP_THREADS == 0;
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                            int block_threads,
                                            size_t dynamic_shared_bytes)
{
    CUresult result =
        enter(CALL_cuOccupancyMaxActiveBlocksPerMultiprocessor, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(function, KIND_FUNCTION);
    if (result != CUDA_SUCCESS)
        return leave(result);
    if (block_threads <= 0 || !is_block((uint64_t)block_threads))
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE));
    if (dynamic_shared_bytes > function->dynamic_bytes_max)
        return leave(misused(MISUSE_BAD_SHARED_MEMORY, ERROR_INVALID_VALUE));
    size_t block_bytes = dynamic_shared_bytes + SHARED_BYTES_RESERVED +
                         kernel_table[function->kernel].static_shared_bytes;
    size_t room = config.shared_bytes + SHARED_BYTES_RESERVED;
    *blocks = room / block_bytes < BLOCKS_PER_MULTIPROCESSOR
                  ? (int)(room / block_bytes)
                  : BLOCKS_PER_MULTIPROCESSOR;
    return leave(CUDA_SUCCESS);
}

/* ---- memory ---- */

CUresult
cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    CUresult result = enter(CALL_cuMemAlloc_v2, NEEDS_CONTEXT);

    if (result != CUDA_SUCCESS)
        return leave(result);
    if (bytes == 0)
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE));
    unsigned char *contents = make_contents(bytes);
    if (contents == NULL)
        return leave(ERROR_OUT_OF_MEMORY);

    struct memory *memory = memory_add(MEMORY_DEVICE, next_address, bytes);
    memory->contents = contents;
    *address = next_address;
    /* Addresses are never reused, and no two allocations are adjacent. */
    next_address += (bytes + 511) / 256 * 256;
    return leave(CUDA_SUCCESS);
}

CUresult
cuMemFree_v2(CUdeviceptr address)
{
    CUresult result = enter(CALL_cuMemFree_v2, NEEDS_CONTEXT);
    struct memory *memory = memory_to_release(MEMORY_DEVICE, address, &result);

    if (memory != NULL) {
        if (result == CUDA_SUCCESS && memory->context != current)
            result = misused(MISUSE_WRONG_CONTEXT, ERROR_INVALID_VALUE);
        memory_release(memory);
    }
    return leave(result);
}

CUresult
cuMemHostAlloc(void **host, size_t bytes, unsigned int flags)
{
    CUresult result = enter(CALL_cuMemHostAlloc, NEEDS_CONTEXT);

    if (result != CUDA_SUCCESS)
        return leave(result);
    if (bytes == 0 || flags != 0)
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE));
    void *contents = make_contents(bytes);
    if (contents == NULL)
        return leave(ERROR_OUT_OF_MEMORY);

    struct memory *memory = memory_add(MEMORY_HOST, (uintptr_t)contents, bytes);
    memory->contents = contents;
    *host = contents;
    return leave(CUDA_SUCCESS);
}

CUresult
cuMemFreeHost(void *host)
{
    CUresult result = enter(CALL_cuMemFreeHost, NEEDS_CONTEXT);
    struct memory *memory =
        memory_to_release(MEMORY_HOST, (uintptr_t)host, &result);

    if (memory != NULL)
        memory_release(memory);
    return leave(result);
}

CUresult
cuMemHostRegister_v2(void *host, size_t bytes, unsigned int flags)
{
    CUresult result = enter(CALL_cuMemHostRegister_v2, NEEDS_CONTEXT);
    uint64_t address = (uintptr_t)host;

    if (result == CUDA_SUCCESS && config.refuses_registration)
        result = ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS)
        return leave(result);
    if (host == NULL || bytes == 0 ||
        (flags & ~(unsigned int)CU_MEMHOSTREGISTER_PORTABLE) != 0)
        return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE));
    for (const struct memory *memory = memories; memory != NULL;
         memory = memory->next) {
        if (memory->is_live && memory_overlaps(memory, address, bytes))
            return leave(misused(MISUSE_OVERLAP, ERROR_ALREADY_REGISTERED));
    }
    memory_add(MEMORY_REGISTERED, address, bytes);
    return leave(CUDA_SUCCESS);
}

CUresult
cuMemHostUnregister(void *host)
{
    CUresult result = enter(CALL_cuMemHostUnregister, NEEDS_CONTEXT);
    struct memory *memory =
        memory_to_release(MEMORY_REGISTERED, (uintptr_t)host, &result);

    if (memory != NULL)
        memory_release(memory);
    return leave(result);
}

/* ---- work ---- */

CUresult
cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes,
                CUstream stream)
{
    CUresult result = enter(CALL_cuMemsetD8Async, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = check_device_range(to, bytes);
    if (result == CUDA_SUCCESS)
        result = enqueue(stream, (struct operation){.kind = OPERATION_SET,
                                                    .device = to,
                                                    .bytes = bytes,
                                                    .value = value});
    return leave(result);
}

CUresult
cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                     CUstream stream)
{
    CUresult result = enter(CALL_cuMemcpyHtoDAsync_v2, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = check_device_range(to, bytes);
    if (result == CUDA_SUCCESS)
        result = check_host_range(from, bytes);
    if (result == CUDA_SUCCESS)
        result = enqueue(stream, (struct operation){.kind = OPERATION_COPY_IN,
                                                    .device = to,
                                                    .bytes = bytes,
                                                    .from = from});
    return leave(result);
}

CUresult
cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    CUresult result = enter(CALL_cuMemcpyDtoHAsync_v2, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = check_device_range(from, bytes);
    if (result == CUDA_SUCCESS)
        result = check_host_range(to, bytes);
    if (result == CUDA_SUCCESS) {
        /* Until the copy has completed the contents are undefined. */
        memset(to, POISON, bytes);
        result = enqueue(stream, (struct operation){.kind = OPERATION_COPY_OUT,
                                                    .device = from,
                                                    .bytes = bytes,
                                                    .to = to});
    }
    return leave(result);
}

CUresult
cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                     CUstream stream)
{
    CUresult result = enter(CALL_cuMemcpyDtoDAsync_v2, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = check_device_range(to, bytes);
    if (result == CUDA_SUCCESS)
        result = check_device_range(from, bytes);
    if (result == CUDA_SUCCESS && to < from + bytes && from < to + bytes)
        result = misused(MISUSE_OVERLAP, ERROR_INVALID_VALUE);
    if (result == CUDA_SUCCESS)
        result =
            enqueue(stream, (struct operation){.kind = OPERATION_COPY_INSIDE,
                                               .device = from,
                                               .bytes = bytes,
                                               .destination = to});
    return leave(result);
}

static CUresult
check_launch(const unsigned int grid[3], const unsigned int block[3],
             void **parameters, void **extra)
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

    if (grid[0] == 0 || grid[0] > INT32_MAX || grid[1] == 0 || grid[2] != 1 ||
        block[1] != 1 || block[2] != 1 || !is_block(threads) ||
        parameters == NULL || extra != NULL)
        return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    return CUDA_SUCCESS;
}

/* Memory that the host gives an address of: 0 is none. */
static CUresult
check_table(CUdeviceptr address, size_t bytes)
{
    CUresult result = check_device_range(address, bytes);

    if (result == CUDA_SUCCESS && address % ALIGNMENT != 0)
        result = misused(MISUSE_BAD_MEMORY, ERROR_INVALID_VALUE);
    return result;
}

/* Whether the numbers in TASK make sense, for KERNEL. */
static bool
is_possible(enum kernel kernel, const struct counting *task)
{
    if (task->cells == 0 || task->cells > CELLS_MAX ||
        (is_weighing(kernel) && task->weight_type >= SAMPLE_DECIMAL))
        return false;
    if (kernel == KERNEL_CARRY)
        return true;
    if (task->size == 0 || task->size > UINT32_MAX || task->record_bytes == 0 ||
        task->size % task->record_bytes != 0 || task->axis_count == 0)
        return false;
    switch (kernel) {
    case KERNEL_BYTES:
    case KERNEL_BYTES_2:
    case KERNEL_BYTES_3:
    case KERNEL_BYTES_4:
        return task->record_bytes == channels(kernel) && !task->is_joint &&
               task->cells == task->axis_count * (uint64_t)256;
    case KERNEL_WORDS:
        return task->record_bytes == 2 && task->cells == 65536;
    case KERNEL_FLOATS:
        return task->record_bytes == 4 && task->axis_count == 1 &&
               task->columns >= 1 && task->columns <= 32 &&
               (task->columns & (task->columns - 1)) == 0;
    case KERNEL_SAMPLES_LANE:
    case KERNEL_SAMPLES_SHARED:
    case KERNEL_SAMPLES_PACKED:
    case KERNEL_SAMPLES_GLOBAL:
        return task->axis_count == 1;
    case KERNEL_WEIGHTS_SHARED:
    case KERNEL_WEIGHTS_GLOBAL:
        return task->weight_offset <= task->record_bytes &&
               binning_size(task->weight_type) <=
                   task->record_bytes - task->weight_offset;
    default:
        return true;
    }
}

/* The parameters of a launch, as far as the host can be blamed for them. */
static CUresult
check_task(enum kernel kernel, const struct counting *task, void **parameters)
{
    unsigned int planes;
    CUresult result = CUDA_SUCCESS;

    if (!is_possible(kernel, task))
        return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    if (is_weighing(kernel) && kernel != KERNEL_CARRY) {
        memcpy(&planes, parameters[1], sizeof planes);
        if (planes != weight_planes(task))
            return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    }
    result = check_table(task->histogram, histogram_bytes(kernel, task));
    if (result == CUDA_SUCCESS && kernel != KERNEL_CARRY)
        result = check_table(task->data, task->size);
    if (result == CUDA_SUCCESS && kernel != KERNEL_CARRY)
        result = check_table(task->axes,
                             task->axis_count * sizeof(struct binning_axis));
    /* The size depends on the axes, which are still being copied. */
    if (result == CUDA_SUCCESS && task->edges != 0)
        result = check_table(task->edges, sizeof(double));
    if (result == CUDA_SUCCESS && task->lookup != 0)
        result = check_table(task->lookup, sizeof(uint32_t));
    return result;
}

/* The same of sequences, whose memory must have no end before theirs. */
static CUresult
check_work(const struct sequence_work *work, unsigned int chunks,
           size_t shared_bytes)
{
    CUresult result = CUDA_SUCCESS;

    if (chunks > SEQUENCE_BATCH_MAX || work->data_stride % ALIGNMENT != 0 ||
        work->k > SEQUENCE_K_MAX || work->shared_words < SHARED_WORDS_MIN)
        return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    for (unsigned int i = 0; i < chunks; i++) {
        bool is_last = i + 1 == chunks;
        if (work->size[i] == 0 || work->size[i] > 1u << 30 ||
            (!is_last &&
             (work->size[i] > work->data_stride ||
              sequence_scratch_words(work->size[i]) > work->scratch_stride)))
            return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    }
    if (shared_bytes < work->shared_words * sizeof(uint32_t))
        return misused(MISUSE_BAD_SHARED_MEMORY, ERROR_INVALID_VALUE);
    result = check_table(work->histogram,
                         cuda_sequences_cells(work) * sizeof(uint64_t));
    if (result == CUDA_SUCCESS)
        result = check_table(work->data, data_bytes(work, chunks));
    if (result == CUDA_SUCCESS)
        result = check_table(work->scratch, scratch_bytes(work, chunks));
    if (result == CUDA_SUCCESS)
        result = check_table(work->status, chunks * sizeof(uint32_t));
    if (result == CUDA_SUCCESS && work->lists > 0)
        result = check_table(work->list_entries, list_bytes(work));
    if (result == CUDA_SUCCESS && work->lists > 0)
        result = check_table(work->list_sizes, work->lists * sizeof(uint32_t));
    return result;
}

/* The same of text. */
static CUresult
check_text(const struct text_work *work, enum kernel kernel,
           unsigned int chunks, unsigned int threads, size_t shared_bytes)
{
    const uint64_t slot_bytes = sizeof(struct text_slot);
    const struct {
        CUdeviceptr address;
        uint64_t bytes;
    } tables[] = {
        {work->histogram, cuda_text_cells(work) * sizeof(uint64_t)},
        {work->status, chunks * sizeof(uint32_t)},
        {work->lists, (uint64_t)chunks * text_list_words(work->list_room) *
                          sizeof(uint32_t)},
        {work->slots, ((uint64_t)work->slot_mask + 1) * slot_bytes},
        {work->arena, sizeof(uint64_t)},
        {work->learned, (work->learn > 0 ? work->learn : 1) * slot_bytes},
        {work->data,
         (uint64_t)work->data_stride * (work->first_chunk + chunks - 1) +
             work->size[chunks - 1]},
        {work->scratch, ((uint64_t)work->scratch_stride * (chunks - 1) +
                         text_scratch_words(work->size[chunks - 1])) *
                            sizeof(uint32_t)},
    };
    CUresult result = CUDA_SUCCESS;

    if (chunks > TEXT_BATCH_MAX || work->data_stride % ALIGNMENT != 0 ||
        threads > 256 || (kernel == KERNEL_LEARN && work->learn == 0))
        return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    for (unsigned int i = 0; kernel != KERNEL_LEARN && i < chunks; i++) {
        bool is_last = i + 1 == chunks;
        if (work->size[i] == 0 || work->size[i] > 1u << 30 ||
            (!is_last &&
             (work->size[i] > work->data_stride ||
              text_scratch_words(work->size[i]) > work->scratch_stride)))
            return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    }
    if (shared_bytes < TEXT_SHARED_WORDS * sizeof(uint32_t))
        return misused(MISUSE_BAD_SHARED_MEMORY, ERROR_INVALID_VALUE);
    for (size_t i = 0;
         i < sizeof tables / sizeof *tables && result == CUDA_SUCCESS; i++)
        result = check_table(tables[i].address, tables[i].bytes);
    return result;
}

/* The same of zstd. */
static CUresult
check_zstd(const struct zstd_work *work, enum kernel kernel,
           unsigned int groups, unsigned int threads)
{
    uint64_t whole = (uint64_t)work->history + work->room;
    unsigned int wanted = kernel == KERNEL_ENTROPY ? ZSTD_ENTROPY_THREADS
                          : kernel == KERNEL_SUM   ? ZSTD_SUM_THREADS
                                                   : ZSTD_THREADS;
    const struct {
        CUdeviceptr address;
        uint64_t bytes;
    } tables[] = {
        {work->packed, 1},
        {work->tasks, work->blocks * sizeof(struct zstd_task)},
        {work->found, work->blocks * sizeof(struct zstd_found)},
        {work->literals, 1},
        {work->sequences, 1},
        {work->sources + work->history * sizeof(uint32_t),
         (work->room > 0 ? work->room : 1) * sizeof(uint32_t)},
        {work->content, whole},
        {work->before, whole},
        {work->left, sizeof(struct zstd_left)},
        {work->left_before, sizeof(struct zstd_left)},
        {work->progress, sizeof(struct zstd_progress)},
        {work->sums, work->blocks * sizeof(uint64_t)},
    };
    CUresult result = CUDA_SUCCESS;

    if (work->blocks == 0 || work->blocks > ZSTD_TASKS_MAX ||
        work->history == 0 || work->history % ALIGNMENT != 0 ||
        whole > ZSTD_POSITIONS_MAX || threads != wanted ||
        (kernel == KERNEL_JOIN && groups != 1))
        return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    for (size_t i = 0;
         i < sizeof tables / sizeof *tables && result == CUDA_SUCCESS; i++)
        result = check_table(tables[i].address, tables[i].bytes);
    return result;
}

/* The same of deflate data. */
static CUresult
check_inflate(const struct inflate_work *work, enum kernel kernel,
              unsigned int groups, unsigned int threads)
{
    static const unsigned int wanted[] = {INFLATE_THREADS, INFLATE_SUM_THREADS,
                                          INFLATE_SKETCH_THREADS};
    unsigned int each = kernel == KERNEL_INFLATE_SUM ? INFLATE_SUM_MEMBERS : 1;
    const struct {
        CUdeviceptr address;
        uint64_t bytes;
    } tables[] = {
        {work->packed, 1},
        {work->tasks, work->members * sizeof(struct inflate_task)},
        {work->content, 1},
        {work->refused, work->members * sizeof(uint32_t)},
        {work->sketches, work->members * sizeof(struct sequence_sketch)},
    };
    CUresult result = CUDA_SUCCESS;

    if (work->members == 0 || groups != (work->members + each - 1) / each ||
        threads != wanted[kernel - KERNEL_INFLATE])
        return misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    for (size_t i = 0;
         i < sizeof tables / sizeof *tables && result == CUDA_SUCCESS; i++)
        result = check_table(tables[i].address, tables[i].bytes);
    return result;
}

CUresult
cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
               unsigned int grid_z, unsigned int block_x, unsigned int block_y,
               unsigned int block_z, unsigned int shared_bytes, CUstream stream,
               void **parameters, void **extra)
{
    const unsigned int grid[] = {grid_x, grid_y, grid_z};
    const unsigned int block[] = {block_x, block_y, block_z};
    struct operation operation = {.kind = OPERATION_KERNEL};
    CUresult result = enter(CALL_cuLaunchKernel, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(function, KIND_FUNCTION);
    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = check_launch(grid, block, parameters, extra);
    if (result != CUDA_SUCCESS)
        return leave(result);

    operation.kernel = function->kernel;
    if (is_sequencing(operation.kernel)) {
        memcpy(&operation.work, parameters[0], sizeof operation.work);
        operation.chunks = grid_y;
        result = check_work(&operation.work, grid_y, shared_bytes);
    } else if (is_of_text(operation.kernel)) {
        memcpy(&operation.text, parameters[0], sizeof operation.text);
        operation.chunks = grid_y;
        result = check_text(&operation.text, operation.kernel, grid_y, block_x,
                            shared_bytes);
    } else if (is_of_zstd(operation.kernel)) {
        memcpy(&operation.zstd, parameters[0], sizeof operation.zstd);
        result = check_zstd(&operation.zstd, operation.kernel, grid_x, block_x);
    } else if (is_of_inflate(operation.kernel)) {
        memcpy(&operation.inflate, parameters[0], sizeof operation.inflate);
        result = check_inflate(&operation.inflate, operation.kernel, grid_x,
                               block_x);
    } else {
        if (grid_y != 1)
            return leave(misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE));
        memcpy(&operation.task, parameters[0], sizeof operation.task);
        if (is_sampling(operation.kernel))
            memcpy(&operation.axis, parameters[1], sizeof operation.axis);
        result = check_task(operation.kernel, &operation.task, parameters);
    }
    operation.traps = is_trapping;
    is_trapping = false;
    if (result == CUDA_SUCCESS &&
        (shared_bytes > function->dynamic_bytes_max ||
         shared_bytes <
             dynamic_bytes(operation.kernel, &operation.task, &operation.axis)))
        result = misused(MISUSE_BAD_SHARED_MEMORY, ERROR_INVALID_VALUE);
    if (result == CUDA_SUCCESS)
        result = enqueue(stream, operation);
    return leave(result);
}

/* ---- streams and events ---- */

CUresult
cuStreamCreate(CUstream *stream, unsigned int flags)
{
    CUresult result = enter(CALL_cuStreamCreate, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS && flags > CU_STREAM_NON_BLOCKING)
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    if (result == CUDA_SUCCESS)
        *stream = object_new(KIND_STREAM, sizeof **stream);
    return leave(result);
}

/* What is still on it may run later. */
CUresult
cuStreamDestroy_v2(CUstream stream)
{
    CUresult result = enter(CALL_cuStreamDestroy_v2, NEEDS_CONTEXT);

    return leave(object_release(stream, KIND_STREAM, result));
}

CUresult
cuStreamSynchronize(CUstream stream)
{
    CUresult result = enter(CALL_cuStreamSynchronize, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = run_and_check(stream, stream->queued);
    return leave(result);
}

CUresult
cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    CUresult result = enter(CALL_cuStreamWaitEvent, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS)
        result = object_check(event, KIND_EVENT);
    if (result == CUDA_SUCCESS && flags != 0)
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    /* What counts is the last record before this call. */
    if (result == CUDA_SUCCESS && event->stream != NULL)
        result = enqueue(stream,
                         (struct operation){.kind = OPERATION_WAIT,
                                            .awaited = event->stream,
                                            .awaited_done = event->position});
    return leave(result);
}

CUresult
cuEventCreate(CUevent *event, unsigned int flags)
{
    const unsigned int known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
    CUresult result = enter(CALL_cuEventCreate, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS && (flags & ~known) != 0)
        result = misused(MISUSE_BAD_ARGUMENT, ERROR_INVALID_VALUE);
    if (result == CUDA_SUCCESS)
        *event = object_new(KIND_EVENT, sizeof **event);
    return leave(result);
}

CUresult
cuEventDestroy_v2(CUevent event)
{
    CUresult result = enter(CALL_cuEventDestroy_v2, NEEDS_CONTEXT);

    return leave(object_release(event, KIND_EVENT, result));
}

CUresult
cuEventRecord(CUevent event, CUstream stream)
{
    CUresult result = enter(CALL_cuEventRecord, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(event, KIND_EVENT);
    if (result == CUDA_SUCCESS)
        result = object_check(stream, KIND_STREAM);
    if (result == CUDA_SUCCESS) {
        event->stream = stream;
        event->position = stream->queued;
    }
    return leave(result);
}

CUresult
cuEventSynchronize(CUevent event)
{
    CUresult result = enter(CALL_cuEventSynchronize, NEEDS_CONTEXT);

    if (result == CUDA_SUCCESS)
        result = object_check(event, KIND_EVENT);
    if (result == CUDA_SUCCESS && event->stream != NULL)
        result = run_and_check(event->stream, event->position);
    return leave(result);
}

/* A function of CU_API that is not defined above is an error here. */
#define IS_DEFINED(symbol, parameters)      \
    CUresult symbol##_is_defined parameters \
        __attribute__((alias(#symbol), visibility("hidden")));
CU_API(IS_DEFINED)
#undef IS_DEFINED

/* ---- the ledger ---- */

static void
put_outstanding(FILE *file)
{
    static const char *const object_class[] = {"modules", "functions",
                                               "streams", "events"};
    static const char *const memory_class[] = {"device-memory", "host-memory",
                                               "registrations"};
    uint64_t live_objects[4] = {0};
    uint64_t live_memories[3] = {0};
    uint64_t retained = 0;

    for (int i = 0; i < DEVICES_MAX; i++)
        retained += contexts[i].retained;
    for (const struct object *object = objects; object != NULL;
         object = object->next)
        live_objects[object->kind] += object->is_live;
    for (const struct memory *memory = memories; memory != NULL;
         memory = memory->next)
        live_memories[memory->kind] += memory->is_live;

    fprintf(file, "outstanding contexts %" PRIu64 "\n", retained);
    for (int i = 0; i < 4; i++)
        fprintf(file, "outstanding %s %" PRIu64 "\n", object_class[i],
                live_objects[i]);
    for (int i = 0; i < 3; i++)
        fprintf(file, "outstanding %s %" PRIu64 "\n", memory_class[i],
                live_memories[i]);
}

static void
put_misuses(FILE *file)
{
    uint64_t all = 0;

    for (int i = 0; i < MISUSES; i++) {
        for (int j = 0; j < CALLS; j++) {
            if (misuses[i][j] > 0)
                fprintf(file, "misuse %s %s %" PRIu64 "\n", misuse_name[i],
                        fault_call_name((enum call)j), misuses[i][j]);
            all += misuses[i][j];
        }
    }
    fprintf(file, "misuse all %" PRIu64 "\n", all);
}

static void __attribute__((destructor)) write_ledger(void)
{
    uint64_t never_run = 0;

    need_config();
    if (config.ledger == NULL)
        return;
    FILE *file = fopen(config.ledger, "a");
    if (file == NULL)
        fault_bad_config("FAKE_CU_LEDGER", config.ledger);

    pthread_mutex_lock(&lock);
    for (const struct object *object = objects; object != NULL;
         object = object->next) {
        if (object->kind == KIND_STREAM)
            never_run += ((const struct CUstream_st *)object)->queued -
                         ((const struct CUstream_st *)object)->done;
    }
    put_outstanding(file);
    put_misuses(file);
    fprintf(file, "note pinned-memory-released-in-use %" PRIu64 "\n",
            released_in_use);
    fprintf(file, "note calls-after-a-sticky-error %" PRIu64 "\n",
            calls_after_sticky);
    fprintf(file, "note operations-never-run %" PRIu64 "\n", never_run);
    fprintf(file, "work devices %d\n", devices);
    fprintf(file, "work kernels %" PRIu64 "\n", kernels_run);
    fprintf(file, "work kernel-bytes %" PRIu64 "\n", kernel_bytes);
    fprintf(file, "work carries %" PRIu64 "\n", carries_run);
    for (int i = 0; i < CALLS; i++)
        fprintf(file, "calls %s %" PRIu64 "\n", fault_call_name((enum call)i),
                fault_calls((enum call)i));
    pthread_mutex_unlock(&lock);
    fclose(file);
}
