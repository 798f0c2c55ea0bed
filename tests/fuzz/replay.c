/* replay.c - the target of fuzz.h on a corpus, without libFuzzer: a test of every build.
 *
 *     fuzz_json_replay CORPUS...
 *
 * Each file as it is; then cut at each byte, and with one bit of each byte flipped. Of long
 * files every n-th byte, n a prime, so that all tries together stay below a number that
 * SCOPE_TEST_FUZZ_TRIES sets (0: every byte). Stretches of zeros are passed over. Each file
 * has five minutes: who hangs is killed, with the name of the file on stderr.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#define USUAL_TRIES 3000u

typedef struct content {
    char *path;
    uint8_t *bytes; /* expanded */
    size_t length;
} content;

static content *contents;
static size_t content_count;

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat state;
    contents = realloc(contents, (content_count + 1) * sizeof *contents);
    if (!file || fstat(fileno(file), &state) != 0 || !contents)
        fuzz_fail("the corpus can be read", path, 0);
    content *made = &contents[content_count++];
    *made = (content){strdup(path), malloc((size_t)state.st_size + 1), (size_t)state.st_size};
    if (fread(made->bytes, 1, made->length, file) != made->length)
        fuzz_fail("the corpus can be read", path, 0);
    fclose(file);
    if (!fuzz.expand)
        return;
    uint8_t *input = made->bytes;
    made->bytes = fuzz.expand(input, made->length, &made->length);
    free(input);
}

static void add(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        add_file(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inside[4096];
        if (entry->d_name[0] != '.' &&
            snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < (int)sizeof inside)
            add_file(inside);
    }
    closedir(folder);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const content *)a)->path, ((const content *)b)->path);
}

/* A copy of its own length, so that AddressSanitizer sees who reads on. */
static void check(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, length);
    fuzz.check(copy, length);
    free(copy);
}

static bool is_empty(const content *from, size_t at)
{
    static const uint8_t zeros[64];
    const size_t start = at < 32 ? 0 : at - 32;
    return from->length > 65536 && from->length - start >= sizeof zeros &&
           memcmp(from->bytes + start, zeros, sizeof zeros) == 0;
}

static size_t prime_from(size_t least)
{
    for (size_t n = least;; n++) {
        size_t divisor = 2;
        while (divisor * divisor <= n && n % divisor)
            divisor++;
        if (n < 4 || divisor * divisor > n)
            return n;
    }
}

static unsigned sweep(content *from, size_t step)
{
    unsigned tries = 0;
    for (size_t at = 0; at < from->length; at += step) {
        if (is_empty(from, at))
            continue;
        check(from->bytes, at);
        from->bytes[at] ^= (uint8_t)(1u << (at / step) % 8);
        check(from->bytes, from->length);
        from->bytes[at] ^= (uint8_t)(1u << (at / step) % 8);
        tries += 2;
    }
    return tries;
}

int main(int argc, char **argv)
{
    const char *text = getenv("SCOPE_TEST_FUZZ_TRIES");
    const unsigned most = text ? (unsigned)atoi(text) : fuzz.tries ? fuzz.tries : USUAL_TRIES;
    for (int i = 1; i < argc; i++)
        add(argv[i]);
    if (!content_count)
        fuzz_fail("there is a corpus", argv[0], 0);
    qsort(contents, content_count, sizeof *contents, by_name);
    unsigned tries = 0;
    for (size_t i = 0; i < content_count; i++) {
        content *from = &contents[i];
        size_t filled = 0;
        for (size_t at = 0; at < from->length; at++)
            filled += !is_empty(from, at);
        const size_t share = most ? 2 * filled * content_count / most + 1 : 1;
        alarm(300);
        fprintf(stderr, "%s: ", from->path);
        check(from->bytes, from->length);
        const unsigned made = sweep(from, prime_from(share));
        fprintf(stderr, "%u\n", made);
        tries += made;
    }
    printf("%s: %zu files, %u of them cut or with a bit flipped\n", fuzz.name, content_count,
           tries);
    for (size_t i = 0; i < content_count; i++) {
        free(contents[i].path);
        free(contents[i].bytes);
    }
    free(contents);
    return 0;
}
