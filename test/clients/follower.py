"""A program that keeps mirrors with the Python client. For each change it prints the version that it
holds and a digest of the content; the counterpart of follower.ts. Mirrors with `async` in their
name use the asynchronous client; each other one runs in a thread of its own. Arguments: url, key
and a list of mirrors as JSON.
"""

import asyncio
import hashlib
import json
import sys
import threading

from overround import AsyncClient, Client

url, key, wishes = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
printing = threading.Lock()


def canonical(value):
    return json.dumps(like_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def like_json(value):
    """Whole numbers without a decimal point, as JavaScript prints them."""
    if isinstance(value, dict):
        return {name: like_json(part) for name, part in value.items()}
    if isinstance(value, list):
        return [like_json(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def report(name, mirror):
    rows = []
    for fixture in mirror.fixtures:
        quotes = sorted(canonical(quote) for quote in fixture.quotes.values())
        row = [fixture.id, canonical(fixture.event), canonical(fixture.state), quotes]
        rows.append(json.dumps(row, separators=(",", ":"), ensure_ascii=False))
    digest = hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()
    with printing:
        print(json.dumps({"name": name, "cursor": mirror.cursor, "digest": digest}), flush=True)


def options_of(wish):
    chosen = {name: value for name, value in wish.items() if name not in ("name", "pollEveryMs", "isPacked")}
    if "pollEveryMs" in wish:
        chosen["poll_every_s"] = wish["pollEveryMs"] / 1000
    return {**chosen, "first_pause_s": 0.05, "pause_s_max": 0.4}


def follow(wish):
    with Client(url, key, msgpack=wish.get("isPacked", False)) as client, client.mirror(**options_of(wish)) as mirror:
        for _change in mirror:
            report(wish["name"], mirror)


async def follow_async(wish):
    async with AsyncClient(url, key, msgpack=wish.get("isPacked", False)) as client, client.mirror(**options_of(wish)) as mirror:
        async for _change in mirror:
            report(wish["name"], mirror)


async def main():
    await asyncio.gather(*(follow_async(wish) for wish in wishes if "async" in wish["name"]))


for wish in wishes:
    if "async" not in wish["name"]:
        threading.Thread(target=follow, args=(wish,)).start()
asyncio.run(main())
