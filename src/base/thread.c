/* thread.c -- threads with enough stack */

#include <stddef.h>

#include "base/thread.h"

/* The stack that counting and printing need, with a margin. */
#define STACK_BYTES_MIN ((size_t)1 << 20)

int
thread_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    size_t stack_bytes;
    int result = pthread_attr_init(&attributes);

    if (result != 0)
        return result;
    if (pthread_attr_getstacksize(&attributes, &stack_bytes) == 0 &&
        stack_bytes < STACK_BYTES_MIN)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES_MIN);
    result = pthread_create(thread, &attributes, function, argument);
    pthread_attr_destroy(&attributes);
    return result;
}
