"""A forked child stands down; its parent's run does not notice.

SPDX-License-Identifier: MIT
"""
from support.lanes import python

HEAD = """
    import asyncio, os, sys, threading, time, warnings
    warnings.simplefilter("ignore", DeprecationWarning)  # 3.12: fork with threads
    from scope_profiler import ProfileManager
    def in_child(work):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                work()
                sys.stdout.flush()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(pid, 0)[1] == 0
    def region(name):
        with ProfileManager.region(name):
            pass
"""


def run(code, **options):
    import textwrap

    return python(textwrap.dedent(HEAD) + textwrap.dedent(code), **options)


def test_hooks_are_out_and_tables_empty_in_the_child():
    assert run("""
        before = threading._start_new_thread if sys.version_info < (3, 13) else \\
            threading._start_joinable_thread
        create = asyncio.BaseEventLoop.create_task
        def child():
            now = threading._start_new_thread if sys.version_info < (3, 13) else \\
                threading._start_joinable_thread
            tracker = ProfileManager.get_config().tracker
            print(now is before, asyncio.BaseEventLoop.create_task is create,
                  tracker.threads, tracker.tasks, ProfileManager.is_active())
            region("child")
            asyncio.run(asyncio.sleep(0))
            thread = threading.Thread(target=region, args=("child",))
            thread.start()
            thread.join()
            print(tracker.threads, tracker.tasks)
        for looked in (False, True):
            with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                        deactivate_file_output=True) as run:
                region("before")
                if looked:
                    assert len(ProfileManager.get_config().tracker.threads) == 1
                in_child(child)
                region("after")
                thread = threading.Thread(target=region, args=("after",), name="parent")
                thread.start()
                thread.join()
                asyncio.run(asyncio.sleep(0))
            print([(r.name, r.num_calls) for r in run.results],
                  [thread.name for thread in run.results.threads[0]],
                  len(run.results.tasks[0]))
        print(asyncio.BaseEventLoop.create_task is create)
    """) == ("True True [] [] True\n[] []\n"
             "[('scope_profiler.session', 1), ('before', 1), ('after', 2)] "
             "['MainThread', 'parent'] 3\n") * 2 + "True\n"


def test_a_child_that_sets_up_tracks_again():
    assert run("""
        def child():
            ProfileManager.setup(track_async=True, deactivate_file_output=True, replace=True)
            thread = threading.Thread(target=region, args=("mine",), name="child")
            thread.start()
            thread.join()
            async def main():
                region("task")
                await asyncio.sleep(0)
            asyncio.run(main())
            results = ProfileManager.finalize(verbose=False, return_results=True)
            print([(r.name, r.num_calls) for r in results],
                  [thread.name for thread in results.threads[0]],
                  results["task"][0].task_ids.tolist())
            ProfileManager.reset()
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            region("parent")
            in_child(child)
        print([(r.name, r.num_calls) for r in run.results],
              [thread.name for thread in run.results.threads[0]])
    """) == ("[('mine', 1), ('task', 1)] ['child', 'MainThread'] [0]\n"
             "[('scope_profiler.session', 1), ('parent', 1)] ['MainThread']\n")


def test_an_untracked_child_reports_the_parent_s_calls_too():
    assert run("""
        ProfileManager.setup(deactivate_file_output=True)
        region("before")
        def child():
            region("child")
            results = ProfileManager.finalize(verbose=False, return_results=True)
            print([(r.name, r.num_calls) for r in results])
        in_child(child)
        region("after")
        results = ProfileManager.finalize(verbose=False, return_results=True)
        print([(r.name, r.num_calls) for r in results])
    """) == "[('before', 1), ('child', 1)]\n[('before', 1), ('after', 1)]\n"


def test_a_fork_inside_a_thread_a_task_and_a_region():
    assert run("""
        def child():
            region("child")
            with ProfileManager.region("open"):
                pass
        def work():
            with ProfileManager.region("open"):
                in_child(child)
        async def main():
            with ProfileManager.region("task"):
                in_child(child)
                await asyncio.sleep(0.001)
                in_child(child)
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            thread = threading.Thread(target=work, name="forks")
            thread.start()
            thread.join()
            asyncio.run(main())
        print([(r.name, r.num_calls) for r in run.results],
              [(thread.name, thread.alive) for thread in run.results.threads[0]],
              [(task.steps, task.done) for task in run.results.tasks[0]][:1])
    """) == ("[('scope_profiler.session', 1), ('open', 1), ('task', 1)] "
             "[('MainThread', True), ('forks', False)] [(2, True)]\n")


def test_a_child_goes_on_with_the_loop_that_it_was_forked_in():
    """The task of the parent is wrapped; in the child it forwards and records nothing."""
    assert run("""
        async def main():
            pid = os.fork()
            for _ in range(3):
                await asyncio.sleep(0)
            if pid == 0:
                region("child")
                os._exit(3)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            print(asyncio.run(main()))
        print(run.results.tasks[0][0].steps, [r.name for r in run.results])
    """) == "3\n4 ['scope_profiler.session']\n"


def test_a_child_that_ends_as_a_program_leaves_the_parent_s_file_alone(tmp_path):
    assert run("""
        with ProfileManager.session(track_threads=True, verbose=False, file_path="run.h5") as run:
            region("parent")
            pid = os.fork()
            if pid == 0:
                region("child")
                sys.exit(0)
            os.waitpid(pid, 0)
            print(os.listdir("."))
        from scope_profiler import read_h5
        print([(r.name, r.num_calls) for r in read_h5("run.h5")])
    """, cwd=tmp_path).endswith("[('scope_profiler.session', 1), ('parent', 1)]\n")


def test_forks_of_forks_and_many_of_them():
    assert run("""
        def grandchild():
            region("deep")
            ProfileManager.setup(track_threads=True, deactivate_file_output=True, replace=True)
            region("deepest")
            print([r.name for r in ProfileManager.finalize(verbose=False, return_results=True)])
        def child():
            region("child")
            in_child(grandchild)
        with ProfileManager.session(track_threads=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            for _ in range(3):
                in_child(child)
        print([r.name for r in run.results])
    """) == "['deepest']\n" * 3 + "['scope_profiler.session']\n"


def test_greenlets_across_a_fork():
    import pytest

    pytest.importorskip("greenlet")
    assert run("""
        import greenlet
        main = greenlet.getcurrent()
        def work():
            with ProfileManager.region("work"):
                main.switch()
        def child():
            print(greenlet.gettrace())
            other.switch()
            greenlet.greenlet(int).switch()
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            other = greenlet.greenlet(work)
            other.switch()
            in_child(child)
            other.switch()
        print([(r.name, r.num_calls) for r in run.results], len(run.results.tasks[0]))
    """) == "None\n[('scope_profiler.session', 1), ('work', 1)] 2\n"
