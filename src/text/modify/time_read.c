/* SPDX-License-Identifier: MIT */
/* time_read.c -- the time that a text of a log is */

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "base/eight_bytes.h"
#include "base/little_endian.h"
#include "text/modify/calendar.h"
#include "text/modify/time_read.h"

#define DAY_MINUTES 1440

/* The rest of a text. */
struct time_text {
    const unsigned char *at;
    const unsigned char *end;
};

/* ---- bytes ---- */

static inline bool
is_blank(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The next byte; 0 at the end. */
static inline unsigned char
peek(const struct time_text *text)
{
    return text->at < text->end ? *text->at : 0;
}

static inline size_t
left(const struct time_text *text)
{
    return (size_t)(text->end - text->at);
}

static inline bool
take(struct time_text *text, unsigned char byte)
{
    bool is_next = text->at < text->end && *text->at == byte;

    text->at += is_next;
    return is_next;
}

/* Returns whether there is at least one blank. */
static bool
take_blanks(struct time_text *text)
{
    const unsigned char *before = text->at;

    while (text->at < text->end && is_blank(*text->at))
        text->at++;
    return text->at > before;
}

static size_t
count_digits(const struct time_text *text)
{
    size_t count = 0;

    while (count < left(text) && ascii_is_digit(text->at[count]))
        count++;
    return count;
}

/* Take exactly COUNT digits, no more than 9. */
static inline bool
take_number(struct time_text *text, size_t count, unsigned int *number)
{
    if (left(text) < count)
        return false;
    *number = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ascii_is_digit(text->at[i]))
            return false;
        *number = *number * 10 + (text->at[i] - '0');
    }
    text->at += count;
    return true;
}

static bool
take_year(struct time_text *text, struct logged_time *time)
{
    unsigned int year;

    if (!take_number(text, 4, &year))
        return false;
    time->year = (int)year;
    return true;
}

/* ---- names ---- */

/* Three letters in lower case in the low 24 bits. */
#define THREE(a, b, c) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

static const uint32_t months[12] = {
    THREE('j', 'a', 'n'), THREE('f', 'e', 'b'), THREE('m', 'a', 'r'),
    THREE('a', 'p', 'r'), THREE('m', 'a', 'y'), THREE('j', 'u', 'n'),
    THREE('j', 'u', 'l'), THREE('a', 'u', 'g'), THREE('s', 'e', 'p'),
    THREE('o', 'c', 't'), THREE('n', 'o', 'v'), THREE('d', 'e', 'c'),
};

static const uint32_t weekdays[CALENDAR_DAYS_OF_WEEK] = {
    THREE('m', 'o', 'n'), THREE('t', 'u', 'e'), THREE('w', 'e', 'd'),
    THREE('t', 'h', 'u'), THREE('f', 'r', 'i'), THREE('s', 'a', 't'),
    THREE('s', 'u', 'n'),
};

/* Abbreviations that the tz database has for the zones of today. */
static const char *const zones[] = {
    "ACDT", "ACST", "ADT",  "AEDT", "AEST", "AKDT", "AKST", "AST",
    "AWST", "BST",  "CAT",  "CDT",  "CEST", "CET",  "CST",  "EAT",
    "EDT",  "EEST", "EET",  "EST",  "HDT",  "HKT",  "HST",  "IDT",
    "IST",  "JST",  "KST",  "MDT",  "MEST", "MET",  "MSK",  "MST",
    "NDT",  "NST",  "NZDT", "NZST", "PDT",  "PKT",  "PST",  "SAST",
    "SST",  "WAT",  "WEST", "WET",  "WIB",  "WIT",  "WITA",
};

/* Take one of the COUNT names of NAMES.  Returns its number, from 1; 0: it is
   another text. */
static unsigned int
take_name(struct time_text *text, const uint32_t *names, unsigned int count)
{
    if (left(text) < 3)
        return 0;
    uint32_t letters = THREE(text->at[0], text->at[1], text->at[2]);
    /* The bit makes letters lower; no other byte may become a letter. */
    uint32_t lower = letters | 0x202020;
    if ((letters & 0xc0c0c0) != 0x404040)
        return 0;
    for (unsigned int i = 0; i < count; i++) {
        if (names[i] == lower) {
            text->at += 3;
            return i + 1;
        }
    }
    return 0;
}

static bool
take_month(struct time_text *text, struct logged_time *time)
{
    time->month = take_name(text, months, 12);
    return time->month > 0;
}

/* Take the name of a zone.  Returns whether there is one; if its offset is
   known, it is 0. */
static bool
take_zone_name(struct time_text *text, bool *is_known)
{
    const char *name = (const char *)text->at;
    size_t size = 0;

    while (size < left(text) && name[size] >= 'A' && name[size] <= 'Z')
        size++;
    *is_known = (size == 3 && (memcmp(name, "UTC", 3) == 0 ||
                               memcmp(name, "GMT", 3) == 0)) ||
                (size == 2 && memcmp(name, "UT", 2) == 0);
    bool is_name = *is_known;
    for (size_t i = 0;
         !is_name && size > 2 && i < sizeof zones / sizeof zones[0]; i++)
        is_name = strlen(zones[i]) == size && memcmp(zones[i], name, size) == 0;
    text->at += is_name ? size : 0;
    return is_name;
}

/* ---- times of day ---- */

/* Take the name of a zone after its offset, CET or (CET), which adds
   nothing. */
static void
take_zone_comment(struct time_text *text)
{
    struct time_text rest = *text;
    bool is_known;

    (void)take_blanks(&rest);
    bool has_bracket = take(&rest, '(');
    if (take_zone_name(&rest, &is_known) && take(&rest, ')') == has_bracket)
        *text = rest;
}

/* Take the zone at TEXT, if there is one.  Returns false: it is wrong. */
static bool
take_zone(struct time_text *text, struct logged_time *time)
{
    struct time_text rest = *text;
    unsigned int hours;
    unsigned int minutes = 0;

    if (left(text) == 0)
        return true;
    (void)take_blanks(&rest);
    unsigned char sign = peek(&rest);
    if (sign == '+' || sign == '-') {
        rest.at++;
        if (!take_number(&rest, 2, &hours))
            return false;
        if ((take(&rest, ':') || ascii_is_digit(peek(&rest))) &&
            !take_number(&rest, 2, &minutes))
            return false;
        if (hours > 23 || minutes > 59)
            return false;
        time->has_zone = true;
        time->zone_minutes = (int)(hours * 60 + minutes);
        if (sign == '-')
            time->zone_minutes = -time->zone_minutes;
        if (left(&rest) > 0)
            take_zone_comment(&rest);
    } else if (take(&rest, 'Z') || take(&rest, 'z')) {
        time->has_zone = true;
    } else if (!take_zone_name(&rest, &time->has_zone)) {
        return true;
    }
    *text = rest;
    return true;
}

/* Take a fraction, if there is one.  Returns false: it has no
   digit. */
static inline bool
take_fraction(struct time_text *text, struct time_digits *fraction)
{
    if (!take(text, '.') && !take(text, ','))
        return true;
    *fraction = (struct time_digits){text->at, count_digits(text)};
    text->at += fraction->count;
    return fraction->count > 0;
}

/* Take an hour, and what follows of minute, second, fraction and zone. */
static bool
take_clock(struct time_text *text, struct logged_time *time)
{
    if (!take_number(text, 2, &time->hour))
        return false;
    time->finest = TIME_HOUR;
    bool has_colons = take(text, ':');
    if (has_colons || ascii_is_digit(peek(text))) {
        if (!take_number(text, 2, &time->minute))
            return false;
        time->finest = TIME_MINUTE;
        if (has_colons ? take(text, ':') : ascii_is_digit(peek(text))) {
            if (!take_number(text, 2, &time->second) ||
                !take_fraction(text, &time->fraction[0]))
                return false;
            time->finest = TIME_SECOND;
        }
    }
    return take_zone(text, time);
}

/* The same where digits alone may be another thing: hh:mm at least. */
static bool
take_full_clock(struct time_text *text, struct logged_time *time)
{
    return left(text) > 2 && text->at[2] == ':' && take_clock(text, time);
}

/* ---- days, and what follows them ---- */

/* Take the time after a date of digits, if there is one. */
static bool
take_time(struct time_text *text, struct logged_time *time)
{
    time->finest = TIME_DAY;
    if (left(text) == 0)
        return true;
    return (take(text, 'T') || take(text, 't') || take_blanks(text)) &&
           take_clock(text, time);
}

/* YYYY-MM-DD with SIGN instead of the dashes, or the same without a day. */
static bool
take_parted(struct time_text *text, unsigned char sign,
            struct logged_time *time)
{
    if (!take_year(text, time) || !take(text, sign) ||
        !take_number(text, 2, &time->month))
        return false;
    if (left(text) == 0) {
        time->finest = TIME_MONTH;
        return true;
    }
    return take(text, sign) && take_number(text, 2, &time->day) &&
           take_time(text, time);
}

/* YYYYMMDD, and digits of the time if IS_LONG. */
static bool
take_packed(struct time_text *text, bool is_long, struct logged_time *time)
{
    return take_year(text, time) && take_number(text, 2, &time->month) &&
           take_number(text, 2, &time->day) &&
           (is_long ? take_clock(text, time) : take_time(text, time));
}

/* MM-DD. */
static bool
take_without_year(struct time_text *text, struct logged_time *time)
{
    return take_number(text, 2, &time->month) && take(text, '-') &&
           take_number(text, 2, &time->day) && take_time(text, time);
}

/* D Mon YYYY, with SIGN or blanks between. */
static bool
take_day_first(struct time_text *text, struct logged_time *time)
{
    size_t digits = count_digits(text);

    if (digits > 2 || !take_number(text, digits, &time->day))
        return false;
    unsigned char sign = peek(text);
    bool has_sign = sign == '/' || sign == '-';
    if (!(has_sign ? take(text, sign) : take_blanks(text)) ||
        !take_month(text, time) ||
        !(has_sign ? take(text, sign) : take_blanks(text)) ||
        !take_year(text, time))
        return false;
    time->finest = TIME_DAY;
    if (left(text) == 0)
        return true;
    /* After a colon, as in logs of servers, two digits are an hour. */
    if (take(text, ':'))
        return count_digits(text) == 2 && take_clock(text, time);
    return take_blanks(text) && take_full_clock(text, time);
}

/* Mon D, with a year before or after the time, or without a year. */
static bool
take_month_first(struct time_text *text, struct logged_time *time)
{
    if (!take_month(text, time) || !take_blanks(text))
        return false;
    size_t digits = count_digits(text);
    if (digits == 0 || digits > 2 || !take_number(text, digits, &time->day))
        return false;
    time->finest = TIME_DAY;
    if (left(text) == 0)
        return true;
    (void)take(text, ',');
    if (!take_blanks(text))
        return false;
    if (count_digits(text) == 4) {
        (void)take_year(text, time);
        return left(text) == 0 ||
               (take_blanks(text) && take_full_clock(text, time));
    }
    if (!take_full_clock(text, time))
        return false;
    return left(text) == 0 || (take_blanks(text) && take_year(text, time));
}

/* ---- epochs ---- */

/* DIGITS digits: 10 of the seconds, and others of a fraction. */
static bool
take_epoch(struct time_text *text, size_t digits, struct logged_time *time)
{
    int64_t seconds = 0;

    for (size_t i = 0; i < 10; i++)
        seconds = seconds * 10 + (*text->at++ - '0');
    time->fraction[0] = (struct time_digits){text->at, digits - 10};
    text->at += digits - 10;
    if (!take_fraction(text, &time->fraction[1]))
        return false;
    struct calendar_day day = calendar_day(seconds / 86400);
    unsigned int rest = (unsigned int)(seconds % 86400);
    time->year = day.year;
    time->month = day.month;
    time->day = day.day;
    time->hour = rest / 3600;
    time->minute = rest / 60 % 60;
    time->second = rest % 60;
    time->finest = TIME_SECOND;
    time->has_zone = true;
    return true;
}

/* ---- any form ---- */

/* Take a form that begins with a digit. */
static bool
take_digits_first(struct time_text *text, bool has_weekday,
                  struct logged_time *time)
{
    size_t digits = count_digits(text);
    unsigned char next = digits < left(text) ? text->at[digits] : 0;

    if (digits == 4 && (next == '-' || next == '/'))
        return take_parted(text, next, time);
    if (digits == 2 && next == '-' && left(text) > 3 &&
        ascii_is_digit(text->at[3]))
        return take_without_year(text, time);
    if (digits <= 2 && next != ':')
        return take_day_first(text, time);
    if (has_weekday)
        return false;
    if (digits == 2)
        return take_full_clock(text, time);
    if (digits == 8 || digits == 14)
        return take_packed(text, digits == 14, time);
    return (digits == 10 || digits == 13 || digits == 16 || digits == 19) &&
           take_epoch(text, digits, time);
}

/* Whether TIME, whose second is 60, is the last one of a month in UTC, as far
   as it is known. */
static bool
may_be_leap_second(const struct logged_time *time)
{
    int minutes = (int)(time->hour * 60 + time->minute) - time->zone_minutes;

    if (!time->has_zone || time->year == TIME_YEAR_NONE)
        return true;
    int64_t days = calendar_days(
        (struct calendar_day){time->year, time->month, time->day});
    days += calendar_divide(minutes, DAY_MINUTES);
    return (minutes + DAY_MINUTES) % DAY_MINUTES == DAY_MINUTES - 1 &&
           calendar_day(days + 1).day == 1;
}

static inline bool
is_valid(const struct logged_time *time)
{
    /* February has a day 29 if the year is not known. */
    int year = time->year == TIME_YEAR_NONE ? 0 : time->year;
    bool has_day = time->month >= 1 && time->month <= 12 &&
                   (time->finest == TIME_MONTH ||
                    (time->day >= 1 &&
                     time->day <= calendar_month_days(year, time->month)));
    bool is_of_day =
        time->month == 0 && time->day == 0 && time->year == TIME_YEAR_NONE;

    return (has_day || is_of_day) && time->hour <= 23 && time->minute <= 59 &&
           (time->second <= 59 ||
            (time->second == 60 && may_be_leap_second(time)));
}

static bool
read_any(struct time_text text, struct logged_time *time)
{
    *time = (struct logged_time){.year = TIME_YEAR_NONE};
    (void)take_blanks(&text);
    while (text.end > text.at && is_blank(text.end[-1]))
        text.end--;
    if (take(&text, '[')) {
        if (text.end == text.at || *--text.end != ']')
            return false;
    }
    bool has_weekday = take_name(&text, weekdays, CALENDAR_DAYS_OF_WEEK) > 0;
    if (has_weekday) {
        (void)take(&text, ',');
        if (!take_blanks(&text))
            return false;
    }
    bool is_read = ascii_is_digit(peek(&text))
                       ? take_digits_first(&text, has_weekday, time)
                       : take_month_first(&text, time);
    return is_read && left(&text) == 0 && is_valid(time);
}

/* ---- the usual form ---- */

static inline unsigned int
byte_of(uint64_t word, unsigned int place)
{
    return (unsigned int)(word >> 8 * place) & 0xff;
}

/* For each of eight digits the number of two digits that starts there. */
static inline uint64_t
pairs_of_digits(uint64_t digits)
{
    uint64_t values = digits & EIGHT_BYTES(0x0f);

    return values * 10 + (values >> 8);
}

/*
 * YYYY-MM-DD, T, t or a blank, hh:mm:ss, and any fraction and zone: the digits
 * of eight bytes at a time.  Returns false if the text is another one, or if
 * read_any() must decide.
 */
static bool
read_usual(struct time_text text, struct logged_time *time)
{
    if (left(&text) < 19)
        return false;
    const unsigned char *at = text.at;
    uint64_t date = little_endian_64(at);       /* YYYY-MM- */
    uint64_t middle = little_endian_64(at + 8); /* DDThh:mm */
    /* A dash or a colon becomes a 0, and only those do. */
    date ^= UINT64_C(0x1d00001d00000000);
    middle ^= (uint64_t)(at[10] ^ '0') << 16 | (uint64_t)0x0a << 40;
    bool is_layout = eight_bytes_are_digits(date) && byte_of(date, 4) == '0' &&
                     byte_of(date, 7) == '0' &&
                     eight_bytes_are_digits(middle) &&
                     byte_of(middle, 5) == '0' && at[16] == ':' &&
                     (at[10] == 'T' || at[10] == ' ' || at[10] == 't');
    if (!is_layout || !ascii_is_digit(at[17]) || !ascii_is_digit(at[18]))
        return false;
    date = pairs_of_digits(date);
    middle = pairs_of_digits(middle);
    *time = (struct logged_time){
        .year = (int)(byte_of(date, 0) * 100 + byte_of(date, 2)),
        .month = byte_of(date, 5),
        .day = byte_of(middle, 0),
        .hour = byte_of(middle, 3),
        .minute = byte_of(middle, 6),
        .second = (at[17] - '0') * 10u + (at[18] - '0'),
        .finest = TIME_SECOND,
        .iso = at,
        .iso_size = at[10] == 'T' ? 19 : 10,
    };
    text.at += 19;
    return take_fraction(&text, &time->fraction[0]) && take_zone(&text, time) &&
           left(&text) == 0 && is_valid(time);
}

bool
time_read(const unsigned char *text, size_t size, struct logged_time *time)
{
    struct time_text all = {text, text + size};

    return read_usual(all, time) || read_any(all, time);
}
