"""Public headers: each alone, as C11 and C++17; and switched off, without a library.

SPDX-License-Identifier: MIT
"""

import shutil

import pytest

from support.jobs import run

HEADERS = ("scope", "region", "session", "task", "status", "version", "calls", "results", "file")
LANGUAGES = {"c": ("gcc", "clang"), "c++": ("g++", "clang++")}
STANDARDS = {"c": ("c11", "gnu17"), "c++": ("c++17", "c++20")}
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")

SWITCHED_OFF = """
#include <scope/scope.h>
#include <stdio.h>
int main(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    scope_region region;
    scope_session *session;
    scope_status status = scope_init(&options);
    scope_region_register("a", &region);
    scope_region_register_bytes("a", 1, &region);
    scope_region_register_at("a", __FILE__, __LINE__, &region);
    scope_region_tag(region, "tag");
    { SCOPE_REGION("block"); SCOPE_REGION_FUNCTION(); scope_mark("m"); scope_counter("c", 1); }
    scope_region_begin(region);
    scope_region_end(region);
    scope_region_begin_name("a");
    scope_region_end_name("a");
    scope_region_begin_bytes("a", 1);
    scope_region_end_bytes("a", 1);
    scope_mark_bytes("a", 1);
    scope_counter_bytes("a", 1, 2);
    scope_task task = scope_task_new("t", "f");
    scope_task_resume(task);
    scope_task_suspend(task);
    scope_task_done(task);
    scope_pause();
    scope_resume();
    scope_flush();
    scope_session_create(NULL, &session);
    scope_session_begin(session, region);
    scope_session_end(session, region);
    scope_session_close(session);
    printf("%d %d %s\\n", scope_is_active(), (int)scope_now_ns(), scope_status_text(status));
#ifdef __cplusplus
    scope::Region a{"a"}, b{region};
#endif
    return scope_finalize();
}
"""


def compilers(language):
    for compiler in LANGUAGES[language]:
        if shutil.which(compiler):
            for standard in STANDARDS[language]:
                yield compiler, f"-std={standard}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("header", HEADERS)
def test_a_public_header_compiles_alone(header, language, install, tmp_path):
    source = tmp_path / ("main.c" if language == "c" else "main.cpp")
    source.write_text(
        f"#include <scope/{header}.h>\n#include <scope/{header}.h>\nint main(void) {{ return 0; }}\n"
    )
    for compiler, standard in compilers(language):
        for define in ("-DNOTHING", "-DSCOPE_DISABLE"):
            run(
                [
                    compiler,
                    standard,
                    *STRICT,
                    define,
                    f"-I{install.include}",
                    "-fsyntax-only",
                    source,
                ]
            )


@pytest.mark.parametrize("language", LANGUAGES)
def test_switched_off_needs_no_library(language, install, tmp_path):
    source = tmp_path / ("main.c" if language == "c" else "main.cpp")
    source.write_text(SWITCHED_OFF)
    for compiler, standard in compilers(language):
        program = tmp_path / compiler
        run(
            [
                compiler,
                standard,
                *STRICT,
                "-DSCOPE_DISABLE",
                f"-I{install.include}",
                source,
                "-o",
                program,
            ]
        )
        assert run([program]).stdout == "0 0 success\n"


def test_the_ports_compile_alone_too(install, tmp_path):
    """What our own folders and plug-ins use beside the public headers: C only."""
    source = tmp_path / "main.c"
    for header in sorted(path.stem for path in (install.include / "scope").glob("*.h")):
        source.write_text(f"#include <scope/{header}.h>\nint main(void) {{ return 0; }}\n")
        for compiler, standard in compilers("c"):
            run([compiler, standard, *STRICT, f"-I{install.include}", "-fsyntax-only", source])


def test_every_public_header_is_installed(install):
    assert set(HEADERS) <= {path.stem for path in (install.include / "scope").glob("*.h")}
