"""Make the corpus of this folder anew: recordings of a small program, in every format.

    make_corpus.py PREFIX        an install of this project; needs cc

Inputs that fuzzers found (regression-*) and that `fuzzers -merge=1` added stay.

SPDX-License-Identifier: MIT
"""

import gzip
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
CORPUS = HERE / "corpus"
HEADER, UNIT = 4096, 16384
SHORT = 64 + 8 * 48
CHUNK, SEGMENT = b"010KNUHC", b"0TNEMGES"

PROGRAM = r"""
#include <pthread.h>
#include <scope/host.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rounds;

static void *work(void *arg)
{
    for (int i = 0; i < rounds; i++) {
        scope_region_begin_name("outer");
        if (i % 3 == 0)
            scope_region_begin_name("in\"ner\xff");
        scope_mark("mark");
        scope_counter("counter", i * 0.5);
        if (i % 3 == 0)
            scope_region_end_name("in\"ner\xff");
        scope_region_end_name("outer");
        if (i % 7 == 0)
            scope_region_end_name("orphan");
    }
    return arg;
}

static void tasks(scope_session *session, scope_region region)
{
    scope_task task = scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "task", 4, "coro", 4);
    for (int i = 0; i < 3; i++) {
        scope_host_task_resume(session, task);
        scope_session_begin(session, region);
        scope_host_task_suspend(session, task);
        scope_host_task_resume(session, task);
        scope_session_end(session, region);
        scope_host_task_suspend(session, task);
    }
    scope_host_task_done(session, task);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    scope_region region;
    scope_session *session;
    rounds = argc > 1 ? atoi(argv[1]) : 10;
    scope_init(NULL);
    scope_region_register_at("outer", "a.c", 5, &region);
    scope_region_tag(region, "tag");
    const scope_host_options options = {.size_bytes = sizeof options, .output = "/tmp/host.h5",
                                        .lanes = SCOPE_HOST_TASKS};
    if (scope_host_create(&options, &session) == SCOPE_OK)
        tasks(session, region);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    scope_region_begin_name("open");
    if (argc > 2 && strcmp(argv[2], "kill") == 0)
        kill(getpid(), SIGKILL);
    return 0;
}
"""


def save(target, name, data):
    (CORPUS / target).mkdir(parents=True, exist_ok=True)
    (CORPUS / target / name).write_bytes(data)


def pack_spool(data):
    """As spool_input.h says: what is not zero, piece by piece."""
    pieces = [data[:HEADER]] + [data[at : at + UNIT] for at in range(HEADER, len(data), UNIT)]
    pieces = [piece.rstrip(b"\0") for piece in pieces]
    while pieces and not pieces[-1]:
        pieces.pop()
    pieces, in_events = pieces[:48], False
    for i, piece in enumerate(pieces):  # of long chunks of events the first words are as good
        if piece[:8] in (CHUNK, SEGMENT):
            in_events = piece[:8] == CHUNK and piece[12:14] == b"\1\0"
            pieces[i] = piece[:SHORT] if in_events else piece
        elif in_events:
            pieces[i] = b""
    return struct.pack("<H", 0) + b"".join(
        struct.pack("<H", len(piece)) + piece for piece in pieces
    )


def record(prefix, folder, program, *arguments, **options):
    shutil.rmtree(folder / "run", ignore_errors=True)
    (folder / "run" / "spool").mkdir(parents=True, mode=0o700)
    environment = {**os.environ, "SCOPE_SPOOL_DIR": str(folder / "run" / "spool"), **options}
    subprocess.run([program, *arguments], cwd=folder / "run", env=environment, check=False)
    return list((folder / "run" / "spool").rglob("*.spool"))


def trace(version, order, regions, rank=0):
    data = b"SCOPEPRF" + struct.pack(order + "iiq", version, rank, len(regions))
    for name, starts, ends in regions:
        data += struct.pack(order + "i", len(name)) + name
        if version == 2:
            data += struct.pack(order + "i", 3) + b"a.c" + struct.pack(order + "i", 7)
        data += struct.pack(order + "q", len(starts))
        data += struct.pack(order + f"{2 * len(starts)}q", *starts, *ends)
    return data


def main(prefix):
    prefix = pathlib.Path(prefix).resolve()
    scope = prefix / "bin" / "scope"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.c").write_text(PROGRAM)
        library = prefix / "lib"
        subprocess.run(
            ["cc", "-o", folder / "program", folder / "program.c", f"-I{prefix}/include",
             f"-L{library}", "-lscope", f"-Wl,-rpath,{library}", "-pthread"],
            check=True,
        )
        program = folder / "program"
        for seed, arguments, options in (
            ("killed", ["4", "kill"], {}),
            ("one", ["1", "kill"], {}),
            ("folded", ["20000", "kill"], {"SCOPE_MAX_BYTES": "256K"}),
            ("ring", ["20000", "kill"], {"SCOPE_MAX_BYTES": "256K", "SCOPE_POLICY": "ring"}),
        ):
            for path in record(prefix, folder, program, *arguments, **options):
                packed = pack_spool(path.read_bytes())
                save("spool", seed, packed)
                if seed == "one":
                    continue
                out = folder / "out.h5"
                subprocess.run([scope, "recover", "-q", path, "-o", out, "--force"], check=True)
                if seed == "killed":
                    save("file", "killed", out.read_bytes())
                    subprocess.run([scope, "recover", "-q", path, "-o", out, "--force", "--compress"],
                                   check=True)
                    save("file", "killed_gzip", out.read_bytes())
                    json_file = folder / "out.json"
                    subprocess.run([scope, "export", "json", out, "-o", json_file], check=True)
                    text = json_file.read_bytes()
                    save("json", "killed", text)
                    save("json", "killed.gz", gzip.compress(text, mtime=0))
        for path in sorted((HERE.parent / "data").glob("*0.[78].*.h5")):
            subprocess.run([scope, "export", "json", path, "-o", folder / "data.json"], check=True)
            save("json", path.stem, (folder / "data.json").read_bytes())
        (folder / "none.c").write_text("int none(void) { return 0; }")
        for name, flags in (("runpath", []), ("rpath", ["-Wl,--disable-new-dtags"])):
            subprocess.run(
                ["cc", "-shared", "-nostdlib", "-s", "-o", folder / name, folder / "none.c",
                 "-Wl,-z,noseparate-code,--no-as-needed,-rpath,$ORIGIN/lib", f"-L{library}",
                 "-lscope", *flags],
                check=True,
            )
            save("elf", name, (folder / name).read_bytes())
    regions = [(b"a", [1, 5], [4, 9]), (b"b\xff", [2], [3]), (b"", [], [])]
    for version in (1, 2):
        for order in "<>":
            save("trace", f"version{version}{'little' if order == '<' else 'big'}",
                 trace(version, order, regions))
    save("filter", "sets", b"solve*,-solve_[a-z!]?,+MPI_*, \\[x\0solve_ab\0MPI_Send\0[x")
    save("names", "names", b"a\xff\0a\xff\0a (2)\xff\0\xc3\xa9\xff\0\xc3\xff\0\0\xff\0\\x00")


if __name__ == "__main__":
    main(sys.argv[1])
