/* own_descriptors.c - close every descriptor as a daemon does, put an own file where
 * the spool's was, record on, fork: the child's descriptor must stay open.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <scope/scope.h>

int main(int argc, char **argv)
{
    int status = 1;
    if (argc < 2)
        return 2;
    scope_init(NULL);
    scope_region_begin_name("before");
    scope_region_end_name("before");
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    const int own = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int fd = own + 1; fd < 1024; fd++)
        dup2(own, fd);
    for (int i = 0; i < 1000; i++) {
        scope_region_begin_name("after");
        scope_region_end_name("after");
    }
    const pid_t child = fork();
    if (child == 0) {
        for (int fd = own; fd < 1024; fd++)
            if (fcntl(fd, F_GETFD) < 0)
                _exit(1);
        scope_region_begin_name("child");
        scope_region_end_name("child");
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}
