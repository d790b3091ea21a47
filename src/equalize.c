/* equalize.c -- spread the grey values of an image over their whole range */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equalize.h"

#define BLOCK_BYTES 65536 /* written at a time */

/* Two 64-bit numbers are multiplied. */
__extension__ typedef unsigned __int128 wide;

/* ---- the table ---- */

void
equalize_table(const uint64_t *count, size_t levels, uint32_t *table)
{
    uint64_t total = 0;
    uint64_t lowest = 0; /* pixels of the lowest value that occurs */

    for (size_t v = 0; v < levels; v++) {
        total += count[v];
        if (lowest == 0)
            lowest = count[v];
    }

    uint64_t range = total - lowest;
    uint64_t up_to = 0;
    for (size_t v = 0; v < levels; v++) {
        up_to += count[v];
        if (range == 0) {
            table[v] = (uint32_t)v;
        } else if (up_to == 0) {
            table[v] = 0;
        } else {
            wide twice = 2 * (wide)(up_to - lowest) * (levels - 1);
            table[v] = (uint32_t)((twice + range) / (2 * (wide)range));
        }
    }
}

/* ---- the content of the file ---- */

/* All of it.  0, or -1 with errno set. */
static int
write_all(int fd, const unsigned char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        data += done;
        size -= (size_t)done;
    }
    return 0;
}

/* One row, or a part of it.  OUT gets SIZE bytes. */
static void
map_pixels(unsigned char *out, const unsigned char *in, size_t size,
           unsigned int maxval, const uint32_t *table)
{
    if (maxval <= UINT8_MAX) {
        for (size_t i = 0; i < size; i++)
            out[i] = (unsigned char)table[in[i]];
        return;
    }
    for (size_t i = 0; i < size; i += 2) {
        uint32_t value = table[(unsigned int)in[i] << 8 | in[i + 1]];
        out[i] = (unsigned char)(value >> 8);
        out[i + 1] = (unsigned char)value;
    }
}

/* The whole P5 file.  0, or -1 with errno set. */
static int
write_image(int fd, const struct equalize_image *image, const uint32_t *table)
{
    unsigned char block[BLOCK_BYTES];
    size_t row_bytes =
        (size_t)image->width * (image->maxval > UINT8_MAX ? 2 : 1);
    size_t used = (size_t)sprintf((char *)block, "P5\n%u %u\n%u\n",
                                  image->width, image->height, image->maxval);

    /* Blocks are full but for the last: small rows share one.  The header
       may have left an odd number of bytes; pixels are not cut in two. */
    for (uint32_t y = 0; y < image->height; y++) {
        uint32_t row = image->is_bottom_up ? image->height - 1 - y : y;
        const unsigned char *in = image->pixels + row * row_bytes;
        for (size_t left = row_bytes; left > 0;) {
            size_t size = (sizeof block - used) & ~(size_t)1;
            if (size == 0) {
                if (write_all(fd, block, used) < 0)
                    return -1;
                used = 0;
                continue;
            }
            if (size > left)
                size = left;
            map_pixels(block + used, in, size, image->maxval, table);
            used += size;
            in += size;
            left -= size;
        }
    }
    return write_all(fd, block, used);
}

/* ---- the file ---- */

/*
 * Create a file with a name that nobody can foresee in the directory of
 * TARGET; *PATH gets the name, to be freed.  Returns a descriptor, or -1 with
 * errno set.
 *
 * mkostemp() would do but for the mode, which it sets to 0600: what the mode
 * of a new file is depends on the umask, which a process can look at only by
 * changing it, and on the directory's ACL.
 */
static int
create_beside(const char *target, char **path)
{
    const char *slash = strrchr(target, '/');
    int directory = slash == NULL ? 0 : (int)(slash + 1 - target);
    uint64_t key;

    if (getrandom(&key, sizeof key, 0) != sizeof key)
        return -1;
    if (asprintf(path, "%.*s.gpuhist-%016llx", directory, target,
                 (unsigned long long)key) < 0)
        return -1;
    int fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        int reason = errno;
        free(*path);
        errno = reason;
    }
    return fd;
}

/* Replace TARGET by a new file.  0, or -1 with errno set. */
static int
replace(const char *target, const struct equalize_image *image,
        const uint32_t *table)
{
    char *path;
    int fd = create_beside(target, &path);

    if (fd < 0)
        return -1;
    int result = write_image(fd, image, table);
    if (result == 0)
        result = fsync(fd);
    int reason = errno;
    if (close(fd) < 0 && result == 0) {
        reason = errno;
        result = -1;
    }
    if (result == 0) {
        result = rename(path, target);
        reason = errno;
    }
    if (result < 0)
        (void)unlink(path);
    free(path);
    errno = reason;
    return result;
}

/* Write to FD, which is closed in any case.  0, or -1 with errno set. */
static int
write_directly(int fd, const struct equalize_image *image,
               const uint32_t *table)
{
    if (fd < 0)
        return -1;

    int result = write_image(fd, image, table);
    int reason = errno;
    if (close(fd) < 0 && result == 0)
        return -1;
    errno = reason;
    return result;
}

/* Whether STATUS is of the file that standard output is. */
static bool
is_stdout(const struct stat *status)
{
    struct stat output;

    return fstat(STDOUT_FILENO, &output) == 0 &&
           output.st_dev == status->st_dev && output.st_ino == status->st_ino;
}

/* 0, or -1 with errno set. */
static int
write_path(const char *path, const struct equalize_image *image,
           const uint32_t *table)
{
    struct stat status;

    if (lstat(path, &status) < 0)
        return errno == ENOENT ? replace(path, image, table) : -1;
    if (S_ISREG(status.st_mode))
        return replace(path, image, table);

    /*
     * Not by its name if that is a link to standard output, such as
     * /dev/stdout: opening a regular file once more would begin at its
     * begin, and a socket cannot be opened.
     */
    if (stat(path, &status) < 0)
        return -1;
    if (is_stdout(&status))
        return write_directly(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), image,
                              table);
    if (!S_ISREG(status.st_mode))
        return write_directly(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY),
                              image, table);

    char *target = realpath(path, NULL);
    if (target == NULL)
        return -1;
    int result = replace(target, image, table);
    int reason = errno;
    free(target);
    errno = reason;
    return result;
}

int
equalize_write(const char *path, const struct equalize_image *image,
               const uint32_t *table, struct error *error)
{
    if (write_path(path, image, table) == 0)
        return 0;
    error_set(error, EXIT_DATA, "%s: cannot write: %s", path, strerror(errno));
    return -1;
}
