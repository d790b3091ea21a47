/* random.c -- words that nobody can guess */

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"

void
random_words(uint64_t *word, size_t count)
{
    size_t bytes = count * sizeof *word;
    struct timespec now;

    if (getrandom(word, bytes, GRND_NONBLOCK) == (ssize_t)bytes)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    for (size_t i = 0; i < count; i++)
        word[i] = i == 0 ? (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec
                         : (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)word;
}
