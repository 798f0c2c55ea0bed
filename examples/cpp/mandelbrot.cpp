// mandelbrot.cpp - the area of the Mandelbrot set, row by row on a few threads.
//
// A scope::Region times its own lifetime, whichever way its block is left. Without MPI the
// program says itself where the recording starts and ends.
//
// SPDX-License-Identifier: MIT
#include <atomic>
#include <complex>
#include <cstdio>
#include <thread>
#include <vector>

#include <scope/scope.h>

constexpr int rows = 400, columns = 600, limit = 400, thread_count = 4;

static int inside_of_row(int row)
{
    scope::Region region{"row"};
    int inside = 0;
    for (int column = 0; column < columns; column++) {
        const std::complex<double> c{-2.0 + 3.0 * (column + 0.5) / columns,
                                     -1.0 + 2.0 * (row + 0.5) / rows};
        std::complex<double> z = 0;
        int i = 0;
        while (i < limit && std::norm(z) <= 4.0) {
            z = {z.real() * z.real() - z.imag() * z.imag() + c.real(),
                 2 * z.real() * z.imag() + c.imag()};
            i++;
        }
        inside += i == limit;
    }
    return inside;
}

static int inside_of_plane()
{
    scope::Region region{"plane"};
    std::atomic<int> next_row{0}, inside{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < thread_count; t++)
        threads.emplace_back([&] {
            SCOPE_REGION("thread");
            for (int row; (row = next_row++) < rows;)
                inside += inside_of_row(row);
        });
    for (std::thread &thread : threads)
        thread.join();
    return inside;
}

int main()
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.label = "Mandelbrot";
    scope_init(&options); // SCOPE_OUTPUT, else profiling_data.h5
    const int inside = inside_of_plane();
    std::printf("area of the Mandelbrot set: %.4f\n", 6.0 * inside / (rows * columns));
    scope_finalize();
}
