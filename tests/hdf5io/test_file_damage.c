/* test_file_damage.c - damaged files are refused with a reason; nothing crashes or hangs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include <CUnit/Basic.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "folder.h"
#include "rehearse.h"
#include "tables.h"

typedef struct content {
    unsigned char *bytes;
    size_t length;
} content;

static content made(const char *compression)
{
    const scope_file_options options = {.compression = compression, .no_sync = 1};
    scope_calls *table = table_make(0, 1, 4, 6, TABLE_ALL);
    CU_ASSERT_EQUAL_FATAL(scope_file_write(folder_path("good.h5"), table, &options), SCOPE_OK);
    scope_calls_free(table);
    FILE *file = fopen(folder_path("good.h5"), "rb");
    fseek(file, 0, SEEK_END);
    content content = {NULL, (size_t)ftell(file)};
    rewind(file);
    content.bytes = malloc(content.length);
    CU_ASSERT_EQUAL_FATAL(fread(content.bytes, 1, content.length, file), content.length);
    fclose(file);
    unlink(folder_path("good.h5"));
    return content;
}

static void put(const unsigned char *bytes, size_t length)
{
    FILE *file = fopen(folder_path("bad.h5"), "wb");
    fwrite(bytes, 1, length, file);
    fclose(file);
}

/* What opening bad.h5 returns, in a process of its own; -1: it crashed or hung. */
static int open_status(void)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        scope_file *file;
        alarm(300);
        const scope_status got = scope_file_open(folder_path("bad.h5"), &file);
        if (got == SCOPE_OK)
            scope_file_close(file);
        else if (!strstr(scope_file_message(), "bad.h5"))
            _exit(100); /* no reason given */
        _exit(-(int)got);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_file_cut_anywhere_is_refused(void)
{
    const content good = made("none");
    for (size_t length = 0; length < good.length; length += 1 + good.length / 150) {
        put(good.bytes, length);
        CU_ASSERT_EQUAL(open_status(), -(int)SCOPE_ERR_CORRUPT);
    }
    put(good.bytes, good.length);
    CU_ASSERT_EQUAL(open_status(), 0);
    unlink(folder_path("bad.h5"));
    free(good.bytes);
}

static void check_flips(const char *compression, int tries, int bits, unsigned seed)
{
    const content good = made(compression);
    unsigned char *bad = malloc(good.length);
    int refused = 0;
    for (int t = 0; t < tries; t++) {
        memcpy(bad, good.bytes, good.length);
        for (int b = 0; b < bits; b++) {
            const size_t at = ((size_t)rand_r(&seed) << 15 ^ (size_t)rand_r(&seed)) % good.length;
            bad[at] ^= (unsigned char)(1 << rand_r(&seed) % 8);
        }
        put(bad, good.length);
        const int status = open_status();
        refused += status != 0;
        CU_ASSERT(status >= 0 && status < 100);
    }
    CU_ASSERT(refused > tries / 5);
    unlink(folder_path("bad.h5"));
    free(bad);
    free(good.bytes);
}

static void flipped_bits_never_crash_the_reader(void)
{
    check_flips("none", 200, 1, 1);
    check_flips("none", 100, 12, 2);
    check_flips("gzip", 150, 1, 3);
    check_flips("lzf", 150, 1, 4);
}

static void a_file_of_zeros_or_noise_is_refused(void)
{
    unsigned char bytes[4096] = {0};
    unsigned seed = 5;
    put(bytes, sizeof bytes);
    CU_ASSERT_EQUAL(open_status(), -(int)SCOPE_ERR_CORRUPT);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)rand_r(&seed);
    memcpy(bytes, "\x89HDF\r\n\x1a\n", 8);
    put(bytes, sizeof bytes);
    CU_ASSERT_EQUAL(open_status(), -(int)SCOPE_ERR_CORRUPT);
    put(bytes, 0);
    CU_ASSERT_EQUAL(open_status(), -(int)SCOPE_ERR_CORRUPT);
    unlink(folder_path("bad.h5"));
}

static void what_is_not_there_is_missing(void)
{
    scope_file *file;
    CU_ASSERT_EQUAL(scope_file_open(folder_path("absent.h5"), &file), SCOPE_ERR_MISSING);
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "absent.h5"));
    CU_ASSERT_EQUAL(scope_file_open(folder, &file), SCOPE_ERR_CORRUPT);
    CU_ASSERT_EQUAL(scope_file_open(NULL, &file), SCOPE_ERR_ARGUMENT);
    scope_file_close(NULL);
}

static void burn(void *context)
{
    const clock_t end = clock() + 3 * CLOCKS_PER_SEC / 2;
    scope_rehearse_allow(*(const unsigned *)context, 0);
    while (clock() < end)
        ;
}

static void a_rehearsal_ends_unless_it_was_given_the_time(void)
{
    const scope_rehearse_limits limits = {1, 64 << 20};
    unsigned more = 0;
    CU_ASSERT_FALSE(scope_rehearse(burn, &more, &limits));
    more = 60;
    CU_ASSERT_TRUE(scope_rehearse(burn, &more, &limits));
    scope_rehearse_allow(1, 1 << 20); /* not in a rehearsal: nothing is limited */
    struct rlimit limit;
    CU_ASSERT_EQUAL(getrlimit(RLIMIT_CPU, &limit), 0);
    CU_ASSERT_EQUAL(limit.rlim_cur, limit.rlim_max);
    CU_ASSERT_EQUAL(getrlimit(RLIMIT_DATA, &limit), 0);
    CU_ASSERT_EQUAL(limit.rlim_cur, limit.rlim_max);
}

static void eat(void *context) /* speaks, which is a failure, if there was memory for it */
{
    const uint64_t more = *(const uint64_t *)context;
    scope_rehearse_allow(0, more);
    void *volatile food = mmap(NULL, (size_t)300 << 20, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (food != MAP_FAILED)
        (void)!write(STDERR_FILENO, "fed\n", 4);
}

static void a_rehearsal_has_so_much_memory_and_no_more(void)
{
    const scope_rehearse_limits limits = {10, 64 << 20};
    uint64_t more = 0;
    CU_ASSERT_TRUE(scope_rehearse(eat, &more, &limits));
    more = UINT64_C(400) << 20;
    CU_ASSERT_FALSE(scope_rehearse(eat, &more, &limits));
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("file_damage", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(a_file_cut_anywhere_is_refused);
    TEST(flipped_bits_never_crash_the_reader);
    TEST(a_file_of_zeros_or_noise_is_refused);
    TEST(what_is_not_there_is_missing);
    TEST(a_rehearsal_ends_unless_it_was_given_the_time);
    TEST(a_rehearsal_has_so_much_memory_and_no_more);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
