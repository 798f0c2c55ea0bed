/* tiny_threads.c - a pthread and C11 threads program that knows nothing of us.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static void *pthread_main(void *value)
{
    return (char *)value + 1;
}

static int thrd_main(void *value)
{
    return *(int *)value + 1;
}

int main(void)
{
    long sum = 0;
    for (long i = 0; i < 200; i++) {
        pthread_t id;
        void *result;
        thrd_t other;
        int value = (int)i, code = 0;
        if (pthread_create(&id, NULL, pthread_main, (void *)i) || pthread_join(id, &result))
            return 2;
        if (thrd_create(&other, thrd_main, &value) != thrd_success ||
            thrd_join(other, &code) != thrd_success)
            return 3;
        sum += (long)result + code;
    }
    printf("sum %ld\n", sum);
    return 0;
}
