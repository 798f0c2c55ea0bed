/* openmp.c - regions inside parallel regions; argv: rounds. OMP_NUM_THREADS threads.
 * SPDX-License-Identifier: MIT */
#include <omp.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 20;
    int threads = 0;
    volatile double sink = 0;
    scope_init(NULL);
    for (int round = 0; round < rounds; round++) {
        scope_region_begin_name("round");
#pragma omp parallel
        {
            SCOPE_REGION("parallel");
            double x = 0;
#pragma omp single
            threads = omp_get_num_threads();
#pragma omp for
            for (int i = 0; i < 64; i++) {
                scope_region_begin_name("iteration");
                for (int k = 0; k < 20000; k++)
                    x += k * 1e-9;
                scope_region_end_name("iteration");
            }
#pragma omp atomic
            sink += x;
        }
        scope_region_end_name("round");
    }
    scope_finalize();
    printf("threads %d\nrounds %d\n", threads, rounds);
    return 0;
}
