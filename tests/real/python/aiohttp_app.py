"""A server and 200 concurrent requests to it, in one event loop (aiohttp).

SPDX-License-Identifier: MIT
"""
import asyncio
import sys

import aiohttp
from aiohttp import web

from scope_profiler import ProfileManager


async def handle(request):
    with ProfileManager.region("handle"):
        await asyncio.sleep(0.001)
        return web.Response(text=str(int(request.match_info["number"]) ** 2))


async def fetch(session, url, number):
    with ProfileManager.region("fetch"):
        async with session.get(f"{url}/{number}") as answer:
            with ProfileManager.region("read"):
                return int(await answer.text())


async def main():
    app = web.Application()
    app.add_routes([web.get("/{number}", handle)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=50)) as session:
        url = f"http://127.0.0.1:{port}"
        answers = await asyncio.gather(*(fetch(session, url, n) for n in range(200)))
    await runner.cleanup()
    return sum(answers)


with ProfileManager.session(output=sys.argv[1], track_async=True, verbose=False):
    print(asyncio.run(main()))
