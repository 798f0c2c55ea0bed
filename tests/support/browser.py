"""A headless Chromium, driven through its debugging pipe: no driver, no packages.

SPDX-License-Identifier: MIT
"""
import base64
import fcntl
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--window-size=1200,1000", "--enable-unsafe-swiftshader", "--remote-debugging-pipe"]


def pipe():
    ends = os.pipe()
    moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return moved


class Browser:
    """One browser with one page. `limit`: seconds that any answer may take. `errors`: what scripts of
    the page threw and nobody caught."""

    def __init__(self, program, folder, limit=60):
        self.limit, self.number, self.unread, self.session, self.errors = limit, 0, b"", None, []
        # It reads 3 and writes 4: bash puts the pipes there, from numbers that are out of the way.
        (theirs, self.commands), (self.answers, back) = pipe(), pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{theirs} 4>&{back}', program, *FLAGS,
             f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(theirs, back), start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(back)
        try:
            targets = self.call("Target.getTargets")["targetInfos"]
            page = next(target["targetId"] for target in targets if target["type"] == "page")
            self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
            self.call("Runtime.enable")
        except BaseException:
            self.close()
            raise

    def close(self):
        for descriptor in (self.commands, self.answers):
            os.close(descriptor)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def call(self, method, **parameters):
        """The answer to a command of the DevTools protocol."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.commands, rest):]
        end = time.monotonic() + self.limit
        while True:
            answer = self._receive(end)
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            elif answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _receive(self, end):
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.answers], [], [], max(0, end - time.monotonic()))
            assert ready, f"the browser said nothing for {self.limit} s"
            more = os.read(self.answers, 1 << 16)
            assert more, "the browser ended"
            self.unread += more
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def open(self, url):
        """Go there, from an empty page: a new `#part` alone would load nothing."""
        self.errors.clear()
        for address in ("about:blank", url):
            assert "errorText" not in self.call("Page.navigate", url=address)

    def evaluate(self, expression):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, json.dumps(answer["exceptionDetails"])[:2000]
        return answer["result"].get("value")

    def wait(self, expression, limit=30):
        """Its value, once that is true (the page may be between two documents till then)."""
        end, said = time.monotonic() + limit, None
        while time.monotonic() < end:
            try:
                said = self.evaluate(expression)
                if said:
                    return said
            except AssertionError as error:
                said = error
            time.sleep(0.05)
        raise AssertionError(f"not within {limit} s: {expression}: {said}; the page threw {self.errors}")

    def screenshot(self, path):
        """The page as a PNG, to look at."""
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
