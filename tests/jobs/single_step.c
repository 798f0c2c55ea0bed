/* single_step.c - a handler that records between any two instructions of a thread's first event.
 *
 * argv: instructions. One thread each, stepped by the trap flag. Prints how many calls there
 * were of "outer" and of "inner", the handler's; -1 where there is no such flag.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static scope_region outer, inner;
static _Thread_local volatile int wanted, step;
static int handled;

#ifdef __x86_64__
#define TRAP_FLAG 0x100

static void handler(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    if (step++ != wanted)
        return;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    scope_region_begin(inner);
    scope_region_end(inner);
    handled++;
}

static void set_trap_flag(void)
{
    __asm__ volatile("subq $128, %%rsp; pushfq; orq $0x100, (%%rsp); popfq; addq $128, %%rsp"
                     :
                     :
                     : "cc", "memory");
}

static void clear_trap_flag(void)
{
    __asm__ volatile("subq $128, %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; addq $128, %%rsp"
                     :
                     :
                     : "cc", "memory");
}

static void *steps(void *number)
{
    wanted = (int)(long)number;
    set_trap_flag();
    scope_region_begin(outer);
    clear_trap_flag();
    scope_region_end(outer);
    return NULL;
}

int main(int argc, char **argv)
{
    const long instructions = argc > 1 ? atol(argv[1]) : 1;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    scope_init(NULL);
    scope_region_register("outer", &outer);
    scope_region_register("inner", &inner);
    for (long i = 0; i < instructions; i++) {
        pthread_t id;
        pthread_create(&id, NULL, steps, (void *)i);
        pthread_join(id, NULL);
    }
    scope_finalize();
    printf("outer %ld %ld\ninner %d %d\n", instructions, instructions, handled, handled);
    return 0;
}
#else
int main(void)
{
    puts("-1");
    return 0;
}
#endif
