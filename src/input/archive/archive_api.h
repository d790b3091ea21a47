/* SPDX-License-Identifier: MIT */
/*
 * archive_api.h -- the functions of libarchive, loaded when an archive is read
 *
 * libarchive needs a dozen other libraries.  A run without archives loads none
 * of them, and starts in less time.
 */

#ifndef GPUHIST_ARCHIVE_API_H
#define GPUHIST_ARCHIVE_API_H

#include <sys/types.h>

#include <archive.h>
#include <archive_entry.h>

/* X(type, function, parameters) */
#define ARCHIVE_API(X)                                                     \
    X(const char *, archive_version_string, (void))                        \
    X(struct archive *, archive_read_new, (void))                          \
    X(int, archive_read_free, (struct archive *))                          \
    X(int, archive_read_support_format_7zip, (struct archive *))           \
    X(int, archive_read_support_format_tar, (struct archive *))            \
    X(int, archive_read_support_format_zip, (struct archive *))            \
    X(int, archive_read_set_format_option,                                 \
      (struct archive *, const char *, const char *, const char *))        \
    X(int, archive_read_set_read_callback,                                 \
      (struct archive *, archive_read_callback *))                         \
    X(int, archive_read_set_seek_callback,                                 \
      (struct archive *, archive_seek_callback *))                         \
    X(int, archive_read_set_callback_data, (struct archive *, void *))     \
    X(int, archive_read_open1, (struct archive *))                         \
    X(int, archive_read_next_header2,                                      \
      (struct archive *, struct archive_entry *))                          \
    X(int, archive_read_data_block,                                        \
      (struct archive *, const void **, size_t *, la_int64_t *))           \
    X(int, archive_read_data_skip, (struct archive *))                     \
    X(la_int64_t, archive_filter_bytes, (struct archive *, int))           \
    X(int, archive_errno, (struct archive *))                              \
    X(const char *, archive_error_string, (struct archive *))              \
    X(void, archive_set_error, (struct archive *, int, const char *, ...)) \
    X(int, archive_format, (struct archive *))                             \
    X(const char *, archive_format_name, (struct archive *))               \
    X(struct archive_entry *, archive_entry_new2, (struct archive *))      \
    X(void, archive_entry_free, (struct archive_entry *))                  \
    X(mode_t, archive_entry_filetype, (struct archive_entry *))            \
    X(const char *, archive_entry_hardlink, (struct archive_entry *))      \
    X(const char *, archive_entry_pathname, (struct archive_entry *))      \
    X(const char *, archive_entry_pathname_utf8, (struct archive_entry *)) \
    X(la_int64_t, archive_entry_size, (struct archive_entry *))            \
    X(int, archive_entry_size_is_set, (struct archive_entry *))            \
    X(int, archive_entry_is_data_encrypted, (struct archive_entry *))      \
    X(int, archive_entry_sparse_reset, (struct archive_entry *))           \
    X(int, archive_entry_sparse_next,                                      \
      (struct archive_entry *, la_int64_t *, la_int64_t *))

struct archive_api {
#define ARCHIVE_API_MEMBER(type, function, parameters) \
    type(*function) parameters;
    ARCHIVE_API(ARCHIVE_API_MEMBER)
#undef ARCHIVE_API_MEMBER
};

/* Load libarchive.  Returns NULL, or one sentence: why the library is missing
   (a static text). */
const char *archive_api_load(struct archive_api *api);

#endif
