// app.cpp - three calls of one region in C++, one of them left by an exception.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <stdexcept>

#include <scope/scope.h>

static void work(int i)
{
    scope::Region region{"work"};
    if (i == 1)
        throw std::runtime_error("left early");
}

int main()
{
    scope_options options = SCOPE_OPTIONS_INIT;
    if (scope_init(&options) != SCOPE_OK)
        return 1;
    for (int i = 0; i < 3; i++)
        try {
            work(i);
        } catch (const std::exception &) {
        }
    std::puts(scope_status_text(scope_finalize()));
}
