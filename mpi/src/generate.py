"""Write what is made of calls.txt: the wrappers in C and Fortran, and what analysis
knows of each call.

    python3 generate.py [FOLDER]      (default: the repository)

The files are committed; tests/mpi/test_counts_stale.py says when they are old.

SPDX-License-Identifier: MIT
"""
import re
import sys
import textwrap
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
ABOUT = {
    "send": "sends",
    "receive": "receives and probes",
    "persistent": "persistent requests",
    "collective": "blocking collectives",
    "nonblocking": "nonblocking collectives",
    "request": "waits, tests and the end of requests",
    "communicator": "communicators made, named and freed",
    "persistent_collective": "collectives that are started again and again",
    "neighbour": "collectives among neighbours",
    "window": "memory that other ranks reach, and its synchronisation",
    "remote": "one-sided transfers",
    "file": "files",
}

Argument = namedtuple("Argument", "type name array")  # "const int", "recvcounts", "[]"
Call = namedtuple("Call", "name since large pointer kind arguments bytes peer")

# What a kind of call does beside recording begin and end. `moved` is its message
# (NOTHING without), `before` stands before the begin, `after` between the call and
# the end (only if it succeeded), `last` after the end. `class` is what analysis
# takes the call for; `blocks` is False where it returns at once. `made` is told of the
# communicator that was made, recorded or not.
# In C; in Fortran `*request` becomes f_request(request) and so on. BYTES and PEER
# are the columns of calls.txt.
NOTHING = "MPI_MESSAGE_NONE"
OWN_STATUS = ["MPI_Status own = {0};", "if (IGNORED(status))", "    status = STATUS(&own);"]
COLLECTIVE = "mpi_collecting(on, BYTES, PEER)"
WINDOW, FILE = "mpi_window_of(win)", "mpi_file_of(fh)"
TAKE_MATCHED = "const mpi_pending matched = mpi_take_message(*message);"
KINDS = {
    "plain": {"on": None},
    "poll": {"class": "wait", "blocks": False, "on": None},
    "ready": {"class": "other", "blocks": False, "on": None},
    "send": {"class": "send", "moved": "mpi_sending(on, BYTES, PEER, tag)"},
    "isend": {
        "class": "send", "blocks": False, "follows": "large",
        "moved": "mpi_sending(on, BYTES, PEER, tag)",
        "after": ["if (mpi_is_large(&moved))", "    mpi_track_send(&moved, *request);"],
    },
    "issend": {
        "class": "send", "blocks": False, "follows": "all",
        "moved": "mpi_sending(on, BYTES, PEER, tag)",
        "after": ["if (moved.kind == SCOPE_MESSAGE_SENT)", "    mpi_track_send(&moved, *request);"],
    },
    # its message is copied: nobody is waited for
    "ibsend": {"class": "send", "blocks": False, "moved": "mpi_sending(on, BYTES, PEER, tag)"},
    "sendrecv": {
        "class": "sendrecv", "before": OWN_STATUS,
        "moved": "mpi_sending(on, BYTES, PEER, sendtag)",
        "after": ["mpi_received_too(&moved, on, status);"],
    },
    "isendrecv": {
        "class": "sendrecv", "blocks": False, "follows": "large",
        "moved": "mpi_sending(on, BYTES, PEER, sendtag)",
        "after": ["mpi_posted_too(&moved, on, source, recvtag, *request);"],
    },
    "receive": {
        "class": "receive", "before": OWN_STATUS, "moved": "mpi_naming(on, PEER)",
        "after": ["mpi_received(&moved, on, status);"],
    },
    "ireceive": {
        "class": "receive", "blocks": False, "moved": "mpi_posting(on, PEER, tag)",
        "after": ["mpi_track_receive(on, source, *request);"],
    },
    "probe": {
        "class": "probe", "moved": "mpi_probing(on, PEER, tag)",
        "after": ["if (!IGNORED(status))", "    mpi_probed(&moved, on, status);"],
    },
    "iprobe": {
        "class": "probe", "blocks": False, "moved": "mpi_probing(on, PEER, tag)",
        "after": ["if (*flag && !IGNORED(status))", "    mpi_probed(&moved, on, status);"],
    },
    "mprobe": {
        "class": "probe", "before": OWN_STATUS, "moved": "mpi_probing(on, PEER, tag)",
        "after": ["mpi_probed(&moved, on, status);", "mpi_track_message(on, &moved, *message);"],
    },
    "improbe": {
        "class": "probe", "blocks": False, "before": OWN_STATUS,
        "moved": "mpi_probing(on, PEER, tag)",
        "after": ["if (*flag)", "    mpi_probed(&moved, on, status);",
                  "if (*flag)", "    mpi_track_message(on, &moved, *message);"],
    },
    "mreceive": {
        "class": "receive", "on": None, "before": [TAKE_MATCHED, *OWN_STATUS],
        "moved": "mpi_receiving_matched(&matched)",
        "after": ["mpi_received(&moved, matched.on, status);"],
        "last": ["mpi_pending_done(&matched);"],
    },
    "imreceive": {
        "class": "receive", "blocks": False, "on": None, "before": [TAKE_MATCHED],
        "moved": "mpi_posting_matched(&matched)",
        "after": ["mpi_track_matched(&matched, *request);"],
        "last": ["mpi_pending_done(&matched);"],
    },
    "send_init": {
        "moved": "mpi_naming(on, PEER)",
        "after": ["mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);"],
    },
    "psend_init": {
        "moved": "mpi_naming(on, PEER)",
        "after": ["mpi_track_send_init(on, mpi_sent(partitions * count, datatype, dest), dest, tag, "
                  "*request);"],
    },
    "recv_init": {
        "moved": "mpi_naming(on, PEER)",
        "after": ["mpi_track_receive_init(on, source, tag, *request);"],
    },
    "start": {
        "class": "start", "blocks": False, "follows": "large", "on": None,
        "after": ["mpi_started(&moved, REQUESTS(request), 1);"],
    },
    "startall": {
        "class": "start", "blocks": False, "follows": "large", "on": None,
        "after": ["mpi_started(&moved, REQUESTS(array_of_requests), count);"],
    },
    "wait": {"class": "wait", "watch": ("request", "1", "status"),
             "after": ["mpi_watch_all(&watch, &moved, status);"]},
    "waitall": {"class": "wait", "watch": ("array_of_requests", "count", "array_of_statuses"),
                "after": ["mpi_watch_all(&watch, &moved, array_of_statuses);"]},
    "waitany": {"class": "wait", "watch": ("array_of_requests", "count", "status"),
                "after": ["mpi_watch_one(&watch, &moved, *index, status);"]},
    "waitsome": {"class": "wait", "watch": ("array_of_requests", "incount", "array_of_statuses"),
                 "after": ["mpi_watch_some(&watch, &moved, *outcount, array_of_indices, "
                           "array_of_statuses);"]},
    "request_free": {"on": None, "before": ["mpi_untrack(*request);"]},
    "idup": {
        "class": "all-to-all", "blocks": False, "moved": COLLECTIVE,
        "after": ["mpi_track_idup(on, &moved, newcomm, FORTRAN, *request);"],
    },
    "all-to-all": {"class": "all-to-all", "moved": COLLECTIVE},
    "one-to-all": {"class": "one-to-all", "moved": COLLECTIVE},
    "all-to-one": {"class": "all-to-one", "moved": COLLECTIVE},
    "prefix": {"class": "prefix", "moved": COLLECTIVE},
    "create": {
        "class": "all-to-all", "moved": COLLECTIVE,
        "last": ["if (SUCCEEDED)", "    mpi_comm_created(*newcomm, moved.communicator);"],
    },
    "spawn": {
        "class": "all-to-all", "before": ["mpi_spawn spawn;", "info = TELL(1, info);"],
        "moved": COLLECTIVE,
        "last": ["mpi_spawn_end(&spawn);", "if (SUCCEEDED)",
                 "    mpi_comm_spawned(*newcomm, moved.communicator);"],
    },
    # of other communicators, or of none
    "create_from_group": {
        "class": "all-to-all", "on": None, "made": True,
        "last": ["if (SUCCEEDED)", "    mpi_comm_created(*newcomm, -1);"],
    },
    "comm_collective": {"moved": COLLECTIVE},
    "free": {"on": "mpi_comm_of(*comm)", "moved": COLLECTIVE},
    "name": {"moved": "mpi_naming(on, PEER)", "last": ["mpi_comm_named(comm);"]},
    "neighbour": {"class": "neighbour", "moved": COLLECTIVE},
    "win_create": {
        "class": "all-to-all", "moved": COLLECTIVE, "after": ["mpi_track_window(on, *win);"],
    },
    "win_free": {
        "class": "all-to-all", "on": "mpi_window_of(*win)", "moved": COLLECTIVE,
        "before": ["mpi_untrack_window(*win);"],
    },
    "win_collective": {"class": "rma", "on": WINDOW, "moved": COLLECTIVE},
    "fence": {"class": "all-to-all", "on": WINDOW, "moved": COLLECTIVE},
    "win_sync": {"class": "rma", "on": WINDOW, "moved": "mpi_naming(on, PEER)"},
    "remote": {
        "class": "rma", "blocks": False, "on": WINDOW, "moved": "mpi_reaching(on, BYTES, PEER)",
    },
    "file_plain": {"class": "io", "on": None},
    "file_open": {"class": "io", "moved": COLLECTIVE, "after": ["mpi_track_file(on, *fh);"]},
    "file_close": {
        "class": "io", "on": "mpi_file_of(*fh)", "moved": COLLECTIVE,
        "before": ["mpi_untrack_file(*fh);"],
    },
    "file_collective": {"class": "io", "on": FILE, "moved": COLLECTIVE},
    "file_read": {
        "class": "io", "on": FILE, "before": OWN_STATUS, "moved": "mpi_naming(on, PEER)",
        "after": ["mpi_read(&moved, status);"],
    },
    "file_write": {"class": "io", "on": FILE, "moved": "mpi_writing(on, BYTES)"},
    "file_iread": {
        "class": "io", "blocks": False, "on": FILE, "moved": "mpi_reading(on, BYTES)",
    },
    "file_begin": {"class": "io", "on": FILE, "moved": "mpi_naming(on, PEER)"},
}
KINDS["spawn_multiple"] = {
    **KINDS["spawn"],
    "before": ["mpi_spawn spawn;", "array_of_info = TELL(count, array_of_info);"],
}
KINDS["file_iwrite"] = {**KINDS["file_write"], "blocks": False}
KINDS["file_end"] = KINDS["file_begin"]
KINDS["win_poll"] = {**KINDS["win_sync"], "blocks": False}
# not by all ranks of the communicator, so it has no number there
KINDS["create_group"] = {**KINDS["create"], "moved": "mpi_naming(on, PEER)"}
KINDS["testsome"] = {**KINDS["waitsome"], "blocks": False}
# Collectives that are begun only, now or again and again: the call that completes one says so.
for waits_for in ("all-to-all", "one-to-all", "all-to-one", "prefix", "neighbour"):
    called = "other" if waits_for == "neighbour" else waits_for
    called = "SCOPE_COLLECTIVE_" + called.upper().replace("-", "_")
    KINDS[f"{waits_for} later"] = {**KINDS[waits_for], "blocks": False}
    if waits_for != "neighbour":
        KINDS[f"{waits_for} later"]["after"] = [f"mpi_track_collective(&moved, {called}, *request);"]
    KINDS[f"{waits_for} again"] = {
        "moved": "mpi_naming(on, PEER)",
        "after": [f"mpi_track_collective_init(on, BYTES, PEER, {called}, *request);"],
    }
for wait, test in (("wait", "test"), ("waitall", "testall"), ("waitany", "testany")):
    call = KINDS[wait]["after"][0]
    KINDS[test] = {**KINDS[wait], "blocks": False, "after": ["if (*flag)", "    " + call]}

# By-value C type -> what reads it in Fortran; pointers to these, `*name`, too.
READ = {"int": "f_int", "MPI_Count": "f_count", "MPI_Comm": "f_comm", "MPI_Datatype": "f_type",
        "MPI_Request": "f_request", "MPI_Message": "f_message", "MPI_Win": "f_win",
        "MPI_File": "f_file"}
WIDE = ("Comm", "Datatype", "Op", "Info", "Group", "Request", "Win", "Errhandler")


def parse(path):
    """({calls numbered only: since}, {file: calls}) of calls.txt."""
    by_hand, files, section = {}, {}, None
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif line and section == "by hand":
            name, _, since = line.partition(" | ")
            by_hand[name] = int(since or 3)
        elif line:
            name, since, forms, kind, arguments, size, peer = (w.strip() for w in line.split("|"))
            call = Call(name, int(since), "c" in forms, "p" in forms, kind,
                        [parse_argument(a) for a in arguments.split(",")], size, peer)
            files.setdefault(section, []).append(call)
            apart = section == "collective"
            if "I" in forms:
                files.setdefault("nonblocking" if apart else section, []).append(nonblocking(call))
            if "P" in forms:
                files.setdefault("persistent_collective" if apart else section, []).append(
                    persistent(call))
    return by_hand, files


def parse_argument(text):
    kind, name, array = re.fullmatch(r"(.*?[ *])(\w+)(\[\])?", text.strip()).groups()
    return Argument(kind.strip(), name, array or "")


def nonblocking(call):
    request = Argument("MPI_Request *", "request", "")
    return call._replace(name="I" + call.name.lower(), kind=call.kind + " later",
                         arguments=[*call.arguments, request])


def persistent(call):
    more = [Argument("MPI_Info", "info", ""), Argument("MPI_Request *", "request", "")]
    return call._replace(name=call.name + "_init", since=4, kind=call.kind + " again",
                         arguments=[*call.arguments, *more])


def large(call):
    """The large-count form: counts and sizes are MPI_Count, displacements MPI_Aint."""
    def widen(a):
        wider = ("MPI_Count" if "count" in a.name or a.name == "size" else
                 "MPI_Aint" if "disp" in a.name else "int")
        return a._replace(type=re.sub(r"\bint\b", wider, a.type))
    return call._replace(name=call.name + "_c", arguments=[widen(a) for a in call.arguments])


def declare(a):
    """An argument as the wrapper takes it: handles by value are wide."""
    kind = a.type
    if not a.array and kind.startswith("MPI_") and kind[4:] in WIDE:
        kind = "wide_" + kind[4:]
    return f"{kind}{'' if kind.endswith('*') else ' '}{a.name}{a.array}"


def wrap(text, indent=0):
    """Lines of at most 100 columns, broken between the items of the outermost list."""
    text = " " * indent + text
    if len(text) <= 100:
        return text
    opening = text.index(", (") + 2 if "WRAPPER(" in text or "DECLARE(" in text else list_start(text)
    depth, marked = 0, ""
    for i, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}") if i >= opening else 0
        keep = letter == " " and not (depth == 1 and text[i - 1] == ",")
        marked += "\0" if keep else letter
    column = opening + 1
    if column > 60:  # too far right: the list starts a line of its own
        column = indent + 4
        marked = marked[:opening + 1] + "\n" + "\0" * column + marked[opening + 1:]
    lines = [line for part in marked.split("\n") for line in textwrap.wrap(
        part, 100, subsequent_indent="\0" * column, break_long_words=False,
        break_on_hyphens=False)]
    return "\n".join(lines).replace("\0", " ")


def list_start(text):
    """Where the last of the outermost brackets opens."""
    depth, start = 0, 0
    for i, letter in enumerate(text):
        if letter in "({":
            start = i if depth == 0 else start
            depth += 1
        depth -= letter in ")}"
    return start


def gives_index(call):
    return any("ind" in a.name for a in call.arguments) and "watch" in KINDS[call.kind]


def expression(text, call, fortran):
    """calls.txt's C made real: for C or for Fortran arguments."""
    arrays = {a.name: a for a in call.arguments if a.array}
    values = {a.name: a for a in call.arguments if not a.array}

    def name(match):
        star, word = match.groups()
        if word in arrays and arrays[word].type == "const int":
            return f"(mpi_counts){{{word}, false}}"
        if word in arrays and arrays[word].type == "const MPI_Count":
            return f"(mpi_counts){{{word}, true}}"
        if word in arrays and "Datatype" in arrays[word].type:
            return f"(mpi_types){{{word}, {'true' if fortran else 'false'}}}"
        if fortran and word in values:
            kind = values[word].type
            if star and kind.endswith("*"):
                return READ[kind.rstrip("* ")] + f"({word})"
            if kind in READ:
                return READ[kind] + f"({word})"
        return star + word

    text = re.sub(r"IN_PLACE\((\w+)\)", "in_place" if fortran else r"\1 == MPI_IN_PLACE", text)
    text = re.sub(r"(?<!\.)(?<!->)(\*?)\b([a-z]\w*)\b(?!\()", name, text)
    text = re.sub(r"TELL\((.*), (\w+)\)", lambda m: tell(m[1], m[2], call, fortran), text)
    first = "1" if fortran else "0"
    if fortran and gives_index(call):
        first = "f_first_index(f08)"
    text = re.sub(r"REQUESTS\((\w+)\)",
                  rf"(mpi_requests){{\1, {'true' if fortran else 'false'}, {first}}}", text)
    if fortran:
        text = re.sub(r"!?IGNORED\((\w+)\)",
                      lambda m: m[0].replace("IGNORED", "f_ignored"), text)
        text = text.replace("STATUS(&own)", "&own").replace("SUCCEEDED", "f_succeeded(ierror)")
        text = text.replace("FORTRAN", "true")
    else:
        text = re.sub(r"(!?)IGNORED\((\w+)\)",
                      lambda m: f"{m[2]} {'!=' if m[1] else '=='} MPI_STATUS_IGNORE", text)
        text = text.replace("STATUS(&own)", "&own").replace("SUCCEEDED", "rc == MPI_SUCCESS")
        text = text.replace("FORTRAN", "false")
    return text


def tell(count, info, call, fortran):
    """The info that the processes of a spawn get instead."""
    if fortran:
        return f"mpi_spawn_tell_fortran(&spawn, on, f_int(root), {count}, {info})"
    if count == "1":
        return f"mpi_spawn_tell(&spawn, on, root, {info})"
    return f"mpi_spawn_tell_each(&spawn, on, root, {count}, {info})"


def body(call, region, forward, fortran):
    """The statements of a recorded call. `forward` is the call, as it is passed on."""
    kind = KINDS[call.kind]
    make = lambda lines: [expression(line, call, fortran) for line in lines]
    on = None if "watch" in kind else kind.get("on", "mpi_comm_of(comm)")
    before, after, last = (make(kind.get(part, [])) for part in ("before", "after", "last"))
    out = []
    if "watch" in kind:
        requests, count, statuses = kind["watch"]
        statuses_count = "1" if statuses == "status" else count
        out += make(["mpi_watch watch;",
                     f"mpi_watch_begin(&watch, REQUESTS({requests}), {count});",
                     f"{statuses} = mpi_watch_statuses(&watch, {statuses}, "
                     f"IGNORED({statuses}), {statuses_count});"])
    if on:
        out.append(f"const mpi_comm *on = {expression(on, call, fortran)};")
    out += before
    size = "0" if call.bytes == "-" else expression(call.bytes, call, fortran)
    peer = "MPI_PROC_NULL" if call.peer == "-" else expression(call.peer, call, fortran)
    moved = expression(kind.get("moved", NOTHING), call, fortran)
    line = f"{'' if after else 'const '}mpi_message moved = {moved};".replace("PEER", peer)
    uses_bytes = "BYTES" in line or any("BYTES" in part for part in after)
    if uses_bytes and (len(line.replace("BYTES", size)) > 90 or "BYTES" not in line):
        out.append(f"const int64_t bytes = {size};")
        size = "bytes"
    after = [part.replace("BYTES", size).replace("PEER", peer) for part in after]
    out += [line.replace("BYTES", size), f"mpi_begin({region});", forward]
    if "made" in kind:
        out.append("f_making(ierror, newcomm);" if fortran else "mpi_making(rc, newcomm);")
    if after:
        succeeded = "f_succeeded(ierror)" if fortran else "rc == MPI_SUCCESS"
        # one statement of one or two lines needs no braces
        single = len([line for line in after if not line.startswith(" ")]) == 1
        nested = after[0].startswith("if (") and single
        if nested:
            condition = re.fullmatch(r"if \((.*)\)", after[0]).group(1)
            after = [f"if ({succeeded} && {condition})", *after[1:]]
        elif single:
            after = [f"if ({succeeded})", *("    " + line for line in after)]
        else:
            after = [f"if ({succeeded}) {{", *("    " + line for line in after), "}"]
    out += after + ["mpi_leave(&moved);"] + last
    if "watch" in kind:
        out.append("mpi_watch_end(&watch);")
    lines = []
    for line in out:
        depth = len(line) - len(line.lstrip())
        lines.append(wrap(line.strip(), 4 + depth))
    return lines


def c_function(call, region, plain=None):
    symbol = f"MPI_{call.name}"
    names = ", ".join(a.name for a in call.arguments)
    arguments = ", ".join(declare(a) for a in call.arguments)
    head = wrap(f"WRAPPER({symbol}, ({arguments}))")
    forward = f"FORWARD({symbol})({names})"
    before = []
    if call.name.endswith("_c"):
        before = [narrow_function(call, plain, arguments), ""]
        forward = f"FORWARD_OR({symbol}, narrow_{symbol})({names})"
    elif call.since > 3:
        forward = f"FORWARD_OR({symbol}, mpi_missing)({names})"
    aside = ["    if (!mpi_enter())", wrap(f"return {forward};", 8)]
    if "made" in KINDS[call.kind]:
        aside = ["    if (!mpi_enter()) {", wrap(f"const int rc = {forward};", 8),
                 "        mpi_making(rc, newcomm);", "        return rc;", "    }"]
    return "\n".join([
        *before, head, "{", *aside, *body(call, region, f"const int rc = {forward};", fortran=False),
        "    return rc;", "}"])


def narrow_function(call, plain, arguments):
    """The large-count call by the ordinary one, where the MPI has only that."""
    head = wrap(f"static int narrow_MPI_{call.name}({arguments})")
    wider = [a for a, b in zip(call.arguments, plain.arguments) if a.type != b.type]
    counts = [a.name for a in wider if not a.array and not a.type.endswith("*")]
    arrays = [a.name for a in wider if a.array]
    results = [a.name for a in wider if a.type.endswith("*")]
    lines = [head, "{"]
    passed = []
    for a in call.arguments:
        passed.append(f"(int){a.name}" if a.name in counts else
                      f"narrow_{a.name}" if a.name in arrays else
                      f"&narrow_{a.name}" if a.name in results else a.name)
    forward = f"PLAIN(MPI_{plain.name})({', '.join(passed)})"
    if call.since > 3:
        forward = f"FORWARD_OR(MPI_{plain.name}, mpi_missing)({', '.join(passed)})"
    fits = [f"mpi_fits_int({name})" for name in counts]
    if results:
        lines += [*(f"    int narrow_{name} = 0;" for name in results),
                  wrap(f"const int rc = {forward};", 4),
                  *(f"    *{name} = narrow_{name};" for name in results), "    return rc;", "}"]
        return "\n".join(lines)
    if not arrays:
        lines += [wrap(f"if (!({' && '.join(fits)}))", 4) if len(fits) > 1 else
                  f"    if (!{fits[0]})", "        return MPI_ERR_COUNT;",
                  wrap(f"return {forward};", 4), "}"]
        return "\n".join(lines)
    root = "root" if any(a.name == "root" for a in call.arguments) else "NARROW_NO_ROOT"
    local = "true" if "educe_scatter" in call.name else "false"
    kept = "true" if call.arguments[-1].name == "request" else "false"
    if "eighbor" in call.name:
        lines.append(f"    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, {kept});")
    else:
        lines.append(wrap(f"mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, {root}, {local}, "
                          f"{kept});", 4))
    for name in arrays:
        value = name
        if name.startswith("s") and "IN_PLACE" in call.bytes:
            value = f"mpi_any_in_place(sendbuf) ? NULL : {name}"
        to = "mpi_narrow_targets" if "eighbor" in call.name and name[0] == "s" else "mpi_narrow_array"
        lines.append(wrap(f"const int *narrow_{name} = {to}(&narrow, {value});", 4))
    lines += ["    int rc = MPI_ERR_COUNT;",
              wrap(f"if ({' && '.join([*fits, '!narrow.failed'])})", 4),
              wrap(f"rc = {forward};", 8),
              "    mpi_narrow_end(&narrow);", "    return rc;", "}"]
    return "\n".join(lines)


def strings(call):
    return sum("char" in a.type for a in call.arguments)


def fortran_functions(call, region):
    """One static function for what all bindings share, and their symbols."""
    base = call.name.removesuffix("_c").lower()
    is_large = call.name.endswith("_c")
    static = f"{base}_large" if is_large else base
    names = [a.name for a in call.arguments] + ["ierror"]
    # of each string: by value, after all others
    names += [f"length{i or ''}" for i in range(strings(call))]
    in_place = "IN_PLACE" in call.bytes
    arguments = ", ".join(f"void *{n}" for n in names)
    passed = ", ".join(names)
    extra = "bool in_place, " if in_place else "bool f08, " if gives_index(call) else ""
    forward = f"next({passed});"
    made = ["        f_making(ierror, newcomm);"] if "made" in KINDS[call.kind] else []
    out = [wrap(f"static void fortran_{static}(fortran_{len(names)} *next, {extra}{arguments})"),
           "{", "    if (!mpi_enter()) {", wrap(forward, 8), *made, "        return;",
           "    }", *body(call, region, forward, fortran=True), "}"]
    endings = ["_f08_large_", "_f08ts_large_"] if is_large else ["_", "_f08_", "_f08ts_"]
    if not any("void" in a.type for a in call.arguments):
        endings = endings[:2]  # no buffer, so nothing that TS 29113 would pass by descriptor
    if call.pointer and not is_large:
        endings = [*endings, "_cptr_"]
    for ending in endings:
        symbol = f"mpi_{base}{ending}"
        flag = f"{'true' if 'f08' in ending else 'false'}, " if gives_index(call) else ""
        if in_place:
            buffer = re.search(r"IN_PLACE\((\w+)\)", call.bytes).group(1)
            flag = f"f_in_place({'*(void **)' if 'f08ts' in ending else ''}{buffer}), "
        out += ["", wrap(f"SCOPE_API void {symbol}({arguments})"), "{",
                wrap(f"fortran_{static}(FORWARD_FORTRAN({symbol}), {flag}{passed});", 4), "}"]
    return "\n".join(out)


def versioned(since, functions):
    text = "\n\n".join(functions)
    return f"#if MPI_VERSION >= {since}\n\n{text}\n\n#endif" if since > 3 else text


def source(name, about, includes, parts):
    head = (f"/* {name} - {about}.\n *\n * Written by generate.py from calls.txt: change those.\n"
            " *\n * SPDX-License-Identifier: MIT\n */\n")
    return head + "\n".join(f'#include "{i}"' for i in includes) + "\n\n" + "\n\n".join(parts) + "\n"


def region_of(call):
    return f"CALL_MPI_{call.name.removesuffix('_c')}"


def sources(by_hand, files):
    """{path in the repository: text} of everything that is generated."""
    out = {}
    for section, calls in files.items():
        c, c_large, f, f_large = [], [], [], []
        for call in calls:
            c.append(versioned(call.since, [c_function(call, region_of(call))]))
            f.append(versioned(call.since, [fortran_functions(call, region_of(call))]))
            if call.large:
                form = large(call)
                c_large.append(c_function(form, region_of(form), call))
                f_large.append(fortran_functions(form, region_of(form)))
        about, fortran = ABOUT[section], ["fortran.h", "fortran_types.h", "wrapper.h"]
        for name, about, includes, parts in (
                (f"{section}.c", about, ["narrow.h"] if any(k.since > 3 for k in calls)
                 else ["wrapper.h"], c),
                (f"{section}_large.c", f"{about}, large counts",
                 ["narrow.h", "wrappers.h"], c_large),
                (f"fortran_{section}.c", f"{about}, from Fortran", fortran, f),
                (f"fortran_{section}_large.c", f"{about}, large counts, from Fortran", fortran,
                 f_large)):
            if parts:
                parts = [versioned(4, parts)] if "large" in name else parts
                out[name] = source(name, about, includes, parts)
    names = [*by_hand] + [call.name for calls in files.values() for call in calls]
    about = "Written by generate.py from calls.txt: change those."
    out["calls.h"] = "\n".join([
        "/* calls.h - a number for every recorded call.", " *", f" * {about}", " *",
        " * SPDX-License-Identifier: MIT", " */", "#ifndef SCOPE_MPI_CALLS_H",
        "#define SCOPE_MPI_CALLS_H", "", "typedef enum mpi_call {",
        *(f"    CALL_MPI_{n}," for n in names), "    CALL_COUNT", "} mpi_call;", "",
        "extern const char *const mpi_call_names[CALL_COUNT];", "", "#endif", ""])
    out["calls.c"] = "\n".join([
        "/* calls.c - the name of every recorded call.", " *", f" * {about}", " *",
        " * SPDX-License-Identifier: MIT", " */", '#include "calls.h"', "",
        "const char *const mpi_call_names[CALL_COUNT] = {",
        *(f'    "MPI_{n}",' for n in names), "};", ""])
    out["wrappers.h"] = "\n".join([
        "/* wrappers.h - all wrappers of C, for those that call others.", " *", f" * {about}", " *",
        " * SPDX-License-Identifier: MIT", " */", "#ifndef SCOPE_MPI_WRAPPERS_H",
        "#define SCOPE_MPI_WRAPPERS_H", "", '#include "wrapper.h"', "",
        *(declaration(c) for calls in files.values() for c in calls if c.since <= 3), "",
        "#if MPI_VERSION >= 4",
        *(declaration(c) for calls in files.values() for c in calls if c.since > 3),
        "#endif", "", "#endif", ""])
    lengths = sorted({len(c.arguments) + 1 + strings(c)
                      for calls in files.values() for c in calls})
    out["fortran_types.h"] = "\n".join([
        "/* fortran_types.h - functions of so many Fortran arguments.", " *", f" * {about}", " *",
        " * SPDX-License-Identifier: MIT", " */", "#ifndef SCOPE_MPI_FORTRAN_TYPES_H",
        "#define SCOPE_MPI_FORTRAN_TYPES_H", "",
        *(wrap(f"typedef void fortran_{n}({', '.join(['void *'] * n)});") for n in lengths),
        "", "#endif", ""])
    out = {f"mpi/src/{name}": text for name, text in out.items()}
    out["analysis/src/mpi_calls.c"] = analysis_table(by_hand, files)
    out["docs/mpi_calls.md"] = document(by_hand, files)
    return out


def declaration(call):
    return wrap(f"DECLARE(MPI_{call.name}, ({', '.join(declare(a) for a in call.arguments)}));")


def analysis_table(by_hand, files):
    """The class of each call, for waits and tables of what is recorded."""
    rows = {f"MPI_{name}": ("OTHER", True, "NONE") for name in by_hand}
    for calls in files.values():
        for call in calls:
            kind = KINDS[call.kind]
            name = kind.get("class", "other").upper().replace("-", "_")
            follows = kind.get("follows", "none").upper()
            rows[f"MPI_{call.name}"] = (name, kind.get("blocks", True), follows)
    return "\n".join([
        "/* mpi_calls.c - what kind of call each recorded MPI call is.", " *",
        " * Written by mpi/src/generate.py from calls.txt: change those.", " *",
        " * SPDX-License-Identifier: MIT", " */", '#include "mpi_calls.h"', "",
        "#include <stdlib.h>", "#include <string.h>", "",
        "static const scope_mpi_call calls[] = { /* sorted */",
        *(f'    {{"{name}", SCOPE_MPI_{kind}, {str(blocks).lower()}, SCOPE_FOLLOWS_{follows}}},'
          for name, (kind, blocks, follows) in sorted(rows.items())),
        "};", "", "static int by_name(const void *name, const void *call)", "{",
        "    return strcmp(name, ((const scope_mpi_call *)call)->name);", "}", "",
        "const scope_mpi_call *scope_mpi_call_of(const char *name)", "{",
        "    return bsearch(name, calls, sizeof calls / sizeof *calls, sizeof *calls, by_name);",
        "}", ""])


SAYS = {
    "sending": "sent: bytes, destination, tag", "received_too": "; received",
    "posted_too": "; posted: source, tag", "posting": "posted: source, tag",
    "received(": "received: bytes, source, tag", "collecting": "collective: bytes, root, number",
    "reaching": "remote: bytes, target", "reading": "read: bytes asked for", "read(": "read: bytes",
    "writing": "written: bytes", "started": "sent, posted or collective, for each request",
    "watch_": "received, for each receive that it completes; of sends and collectives which one is completed",
    "probing": "communicator, peer, tag", "naming": "communicator, peer",
}


def document(by_hand, files):
    """The table of recorded calls for users."""
    lines = ["# MPI calls that are recorded", "",
             "Made from `mpi/src/calls.txt`. In C, in Fortran (`mpif.h`, `mpi`, `mpi_f08`) and, where it says",
             "_c_, with large counts. What a row says beside the times: its message. `mpi/src/outside.txt` says",
             "which procedures are not recorded, and why.", "",
             "| call | large counts | since | waits for | its message |", "|---|---|---|---|---|",
             *(f"| `MPI_{name}` | | {since} | | |" for name, since in by_hand.items())]
    for calls in files.values():
        for call in calls:
            kind = KINDS[call.kind]
            text = "\n".join([kind.get("moved", ""), *kind.get("after", [])])
            # of a receive what it names is replaced by what came
            said = [words for word, words in SAYS.items() if word in text]
            if len(said) > 1:
                said = [words for words in said if words != SAYS["naming"]]
            of = kind.get("class", "other")
            waits = "" if of == "other" else of if kind.get("blocks", True) else f"{of}, later"
            lines.append(f"| `MPI_{call.name}` | {'c' if call.large else ''} | {call.since} | {waits} | "
                         f"{''.join(said)} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1]
    for name, text in sources(*parse(HERE / "calls.txt")).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
