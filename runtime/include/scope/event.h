/* event.h - the event word, one aligned 64-bit word per event.
 *
 *     63                      24 23               4 3    0
 *     [ ticks, low 40 bits      | id, 20 bits       | kind ]   0 = not written yet
 *
 * Values that need more follow in PAYLOAD words (60 bits, kind 15), which are
 * stored before the head; all words of one event lie in one chunk, head first.
 * An id of 20 one-bits is an escape: the id is the first PAYLOAD word.
 * A double is two PAYLOAD words: its high 32 bits, then its low 32 bits.
 *
 * For our own folders; the bytes are the contract (runtime/RECORDING.md).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EVENT_H
#define SCOPE_EVENT_H

#include <stdint.h>

#define SCOPE_KIND_BITS 4
#define SCOPE_ID_BITS 20
#define SCOPE_TICK_BITS 40
#define SCOPE_ID_ESCAPE 0xFFFFFu
#define SCOPE_TICK_SHIFT (SCOPE_KIND_BITS + SCOPE_ID_BITS)
#define SCOPE_TICK_MASK ((UINT64_C(1) << SCOPE_TICK_BITS) - 1)
#define SCOPE_PAYLOAD_BITS 60
#define SCOPE_CALL_DURATION_BITS 56

/* In brackets: the meaning of id, then the PAYLOAD words after the head (and
 * after the escaped id, if there is one). */
typedef enum scope_event_kind {
    SCOPE_EVENT_NONE = 0,
    SCOPE_EVENT_BEGIN = 1,       /* [region] */
    SCOPE_EVENT_END = 2,         /* [region] */
    SCOPE_EVENT_RESUME = 3,      /* [task] the stream's lane is now the task's */
    SCOPE_EVENT_SUSPEND = 4,     /* [task] back to the lane before its RESUME */
    SCOPE_EVENT_TASK_NEW = 5,    /* [task; (kind 4 | name 28 | code name 28)] NAMEs' ids; 0 none */
    SCOPE_EVENT_TASK_DONE = 6,   /* [task] */
    SCOPE_EVENT_THREAD = 7,      /* [thread] what follows in this stream is that thread's */
    SCOPE_EVENT_THREAD_END = 8,  /* [thread; cpu ns] the thread ends; later words move the end */
    SCOPE_EVENT_CALL = 9,        /* [region; start ns low 60, (start ns high 4 | duration ns 56)]
                                    a call with times of its own */
    SCOPE_EVENT_MARK = 10,       /* [name] */
    SCOPE_EVENT_COUNTER = 11,    /* [name; double high, double low] */
    SCOPE_EVENT_MESSAGE = 12,    /* [communicator; (kind high 3 | bytes 57),
                                    (kind low 3 | tag + 1 32 | peer + 1 25)] of the innermost open
                                    call, which may have several */
    SCOPE_EVENT_EXTENDED = 13,   /* [sub-kind; ...] */
    SCOPE_EVENT_FREE = 14,
    SCOPE_EVENT_PAYLOAD = 15,
} scope_event_kind;

typedef enum scope_extended_kind {
    SCOPE_EXTENDED_EPOCH = 1, /* [; ticks >> 40] the epoch changed; in force from this word on */
    SCOPE_EXTENDED_OPEN = 2,  /* [; region, start ticks >> 40, low 40] open, carried over a cut */
    SCOPE_EXTENDED_PAD = 3,   /* [] skip */
    SCOPE_EXTENDED_PAUSE = 4, /* [; 1 pause, 0 resume] of the session, seen by this stream */
    SCOPE_EXTENDED_TASK = 5,  /* [; task, value as in TASK_NEW] that task's name from now on */
    SCOPE_EXTENDED_SPENT = 6, /* [; ticks] in calls directly inside the innermost open one that are
                                 only in a SUM */
    SCOPE_EXTENDED_SUM = 7,   /* [; scope_sum_value ...] calls of one region on the running lane */
} scope_extended_kind;

/* The payload of SUM, in ticks, low 60 bits each; then one word for each histogram bucket that
 * is not empty: bucket << SCOPE_SUM_BUCKET_SHIFT | calls. Buckets as in scope_sum (recording.h). */
typedef enum scope_sum_value {
    SCOPE_SUM_REGION,    /* buckets that follow << 32 | region */
    SCOPE_SUM_COUNT,
    SCOPE_SUM_TOTAL,
    SCOPE_SUM_EXCLUSIVE, /* without the calls inside them */
    SCOPE_SUM_MINIMUM,
    SCOPE_SUM_MAXIMUM,
    SCOPE_SUM_FIRST,     /* begin of the first */
    SCOPE_SUM_LAST,      /* end of the last */
    SCOPE_SUM_VALUES,
} scope_sum_value;

/* What a message is to the call that has it. */
typedef enum scope_message_kind {
    SCOPE_MESSAGE_OTHER = 0,      /* nothing that is moved between two ranks; or not said */
    SCOPE_MESSAGE_SENT = 1,
    SCOPE_MESSAGE_RECEIVED = 2,
    SCOPE_MESSAGE_POSTED = 3,     /* a receive, completed by another call: no bytes; peer -1: any */
    SCOPE_MESSAGE_COLLECTIVE = 4, /* peer: the root; tag: its number on the communicator */
    SCOPE_MESSAGE_READ = 5,       /* from a file */
    SCOPE_MESSAGE_WRITTEN = 6,    /* to a file */
    SCOPE_MESSAGE_REMOTE = 7,     /* one-sided; peer: the target */
    /* What an earlier call of this rank began is complete with this one. It moves nothing more: the
     * row says nothing of it. */
    SCOPE_MESSAGE_SEND_COMPLETED = 8,       /* peer, tag: of the send; bytes: how many sends that
                                               are followed were begun since */
    SCOPE_MESSAGE_COLLECTIVE_COMPLETED = 9, /* peer, tag: as of the call that began it; bytes: which
                                               ranks it waits for, scope_collective_class */
    SCOPE_MESSAGE_KINDS,
} scope_message_kind;

typedef enum scope_collective_class {
    SCOPE_COLLECTIVE_OTHER = 0,
    SCOPE_COLLECTIVE_ALL_TO_ALL = 1,
    SCOPE_COLLECTIVE_ONE_TO_ALL = 2,
    SCOPE_COLLECTIVE_ALL_TO_ONE = 3,
    SCOPE_COLLECTIVE_PREFIX = 4,
} scope_collective_class;

/* Nonblocking and persistent sends whose completion is told: of so many bytes or more. Shorter ones
 * do not wait for their receiver, but for MPI_Issend: it is followed whatever its size. */
#define SCOPE_FOLLOWED_BYTES 4096

typedef struct scope_message {
    int64_t bytes;
    int32_t peer;         /* rank in MPI_COMM_WORLD; -1 none */
    int32_t communicator; /* id of the recording; -1 none */
    int32_t tag;          /* -1 none or any */
    uint32_t kind;        /* scope_message_kind */
} scope_message;

#define SCOPE_MESSAGE_NONE ((scope_message){0, -1, -1, -1, SCOPE_MESSAGE_OTHER})
#define SCOPE_MESSAGE_PEER_BITS 25
#define SCOPE_MESSAGE_TAG_BITS 32
#define SCOPE_MESSAGE_BYTES_BITS 57 /* more are as many as fit */
#define SCOPE_MESSAGE_BYTES_MAX ((INT64_C(1) << SCOPE_MESSAGE_BYTES_BITS) - 1)

static inline int scope_message_is_completion(uint32_t kind)
{
    return kind == SCOPE_MESSAGE_SEND_COMPLETED || kind == SCOPE_MESSAGE_COLLECTIVE_COMPLETED;
}

/* The values of MESSAGE. */
static inline uint64_t scope_message_bytes_value(const scope_message *message)
{
    const int64_t bytes = message->bytes < 0                         ? 0
                          : message->bytes > SCOPE_MESSAGE_BYTES_MAX ? SCOPE_MESSAGE_BYTES_MAX
                                                                     : message->bytes;
    return (uint64_t)(message->kind >> 3 & 7) << SCOPE_MESSAGE_BYTES_BITS | (uint64_t)bytes;
}

static inline uint64_t scope_message_value(const scope_message *message)
{
    const uint64_t peer = message->peer < 0 ? 0 : (uint64_t)message->peer + 1;
    const uint64_t tag = message->tag < 0 ? 0 : (uint64_t)message->tag + 1;
    return (uint64_t)(message->kind & 7) << (SCOPE_MESSAGE_TAG_BITS + SCOPE_MESSAGE_PEER_BITS) |
           tag << SCOPE_MESSAGE_PEER_BITS |
           (peer & ((UINT64_C(1) << SCOPE_MESSAGE_PEER_BITS) - 1));
}

/* A MESSAGE as it was decoded, of any file: whatever the words are, the members are in range. */
static inline scope_message scope_message_of(uint64_t communicator, const uint64_t values[2])
{
    const uint64_t peer = values[1] & ((UINT64_C(1) << SCOPE_MESSAGE_PEER_BITS) - 1);
    const uint64_t tag = values[1] >> SCOPE_MESSAGE_PEER_BITS & UINT32_MAX;
    const uint32_t high = (uint32_t)(values[0] >> SCOPE_MESSAGE_BYTES_BITS) & 7;
    return (scope_message){
        .bytes = (int64_t)(values[0] & (uint64_t)SCOPE_MESSAGE_BYTES_MAX),
        .peer = (int32_t)peer - 1,
        .communicator = communicator <= INT32_MAX ? (int32_t)communicator : -1,
        .tag = tag <= (uint64_t)INT32_MAX + 1 ? (int32_t)((int64_t)tag - 1) : -1,
        .kind = high << 3 |
                ((uint32_t)(values[1] >> (SCOPE_MESSAGE_TAG_BITS + SCOPE_MESSAGE_PEER_BITS)) & 7)};
}

#define SCOPE_SUM_BUCKET_SHIFT 54
#define SCOPE_SUM_BUCKETS_MAX 64

typedef enum scope_task_kind {
    SCOPE_TASK_KIND_TASK = 0,
    SCOPE_TASK_KIND_GREENLET = 1,
} scope_task_kind;

/* No event that is recorded is longer: head, escaped id, three values. SUM is written later. */
#define SCOPE_EVENT_WORDS_MAX 8

static inline uint64_t scope_event(uint64_t ticks, uint32_t id, scope_event_kind kind)
{
    return ticks << SCOPE_TICK_SHIFT | (uint64_t)id << SCOPE_KIND_BITS | (uint64_t)kind;
}

static inline uint64_t scope_payload(uint64_t value)
{
    return value << SCOPE_KIND_BITS | SCOPE_EVENT_PAYLOAD;
}

static inline scope_event_kind scope_word_kind(uint64_t word)
{
    return (scope_event_kind)(word & 15);
}

static inline uint32_t scope_word_id(uint64_t word)
{
    return (uint32_t)(word >> SCOPE_KIND_BITS) & SCOPE_ID_ESCAPE;
}

static inline uint64_t scope_word_ticks(uint64_t word)
{
    return word >> SCOPE_TICK_SHIFT;
}

static inline uint64_t scope_word_value(uint64_t word)
{
    return word >> SCOPE_KIND_BITS;
}

#endif
