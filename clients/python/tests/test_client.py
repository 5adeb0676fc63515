"""Tests waits, retries, limits and errors of both kinds of client, against a stand-in server whose
answers each test defines.

Run `python -m unittest discover -s tests` in the client's folder, with `PYTHONPATH=src`. Tests
against the real server are in the repository, next to those of the other clients.
"""

from __future__ import annotations

import asyncio
import json
import random
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple

from overround import AsyncClient, Client, OverroundError
from overround._events import EventParser
from overround._pace import EtagCache, KeptAnswer

SPORTS = {"data": [{"id": "sp_1", "key": "football", "name": "Football"}]}
Answer = Tuple[int, Dict[str, str], bytes]


def answer(body: Any, status: int = 200, **headers: str) -> Answer:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, text


def refusal(status: int, code: str, retry_after_s: Optional[int] = None, scope: Optional[str] = None) -> Answer:
    headers = {"x_request_id": "r-1"}
    if retry_after_s is not None:
        headers["retry_after"] = str(retry_after_s)
    if scope is not None:
        headers["x_ratelimit_scope"] = scope
    error = {
        "code": code,
        "message": "Cannot serve this now",
        "fix": "Ask again later",
        "is_retriable": status in (429, 503),
        "retry_after_seconds": retry_after_s,
        "documentation_url": "http://127.0.0.1/docs/errors",
    }
    return answer({"error": error}, status, **headers)


class StandIn:
    def __init__(self, reply: Callable[[Dict[str, str], int], Answer]) -> None:
        self.requests: List[Dict[str, str]] = []
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                headers["path"] = self.path
                self.rfile.read(int(headers.get("content-length", "0")))
                stand_in.requests.append(headers)
                status, given, body = reply(headers, len(stand_in.requests))
                self.send_response(status)
                for name, value in given.items():
                    self.send_header(name, value)
                if status != 304:
                    self.send_header("content-length", str(len(body)))
                self.end_headers()
                if status != 304:
                    self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_all: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *_all: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


class Asleep:
    """A clock whose `sleep` advances the time and returns immediately."""

    def __init__(self) -> None:
        self.sleeps_s: List[float] = []
        self.now_s = 0.0

    def sleep(self, seconds: float) -> None:
        self.sleeps_s.append(seconds)
        self.now_s += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    @property
    def options(self) -> Dict[str, Any]:
        return {"now_s": lambda: self.now_s, "random": lambda: 0.0}


class Calls(unittest.TestCase):
    def call(self, server: StandIn, path: str = "/v1/sports", method: str = "GET", **options: Any) -> Tuple[Any, Asleep]:
        """The outcome of a call by the blocking client, and its clock. Checks that the asynchronous client
        has the same outcome and pauses."""
        outcomes = []
        for is_async in (False, True):
            asleep = Asleep()
            del server.requests[:]
            all_options = {**asleep.options, **options}

            async def asynchronously() -> Any:
                async with AsyncClient(server.url, "isk_test", sleep=asleep.sleep_async, **all_options) as client:
                    return await client.call(method, path)

            def blocking() -> Any:
                with Client(server.url, "isk_test", sleep=asleep.sleep, **all_options) as client:
                    return client.call(method, path)

            try:
                outcome: Any = asyncio.run(asynchronously()) if is_async else blocking()
            except OverroundError as error:
                outcome = error
            outcomes.append((outcome, asleep))
        (first, one), (second, other) = outcomes
        self.assertEqual(str(first), str(second))
        self.assertEqual(one.sleeps_s, other.sleeps_s)
        return first, one

    def test_waits_as_long_as_a_rate_limit_asks(self) -> None:
        with StandIn(
            lambda _headers, count: refusal(429, "rate_limit_exceeded", 7) if count == 1 else answer(SPORTS)
        ) as server:
            outcome, asleep = self.call(server)
            self.assertEqual(outcome, SPORTS)
            self.assertGreaterEqual(sum(asleep.sleeps_s), 7)
            self.assertEqual(len(server.requests), 2)

    def test_raises_without_a_retry_when_the_daily_limit_is_used_up(self) -> None:
        with StandIn(lambda _headers, _count: refusal(429, "rate_limit_exceeded", 40_000, "daily")) as server:
            error, asleep = self.call(server)
            self.assertEqual(
                (error.code, error.scope, error.retry_after_s, error.fix, error.request_id),
                ("rate_limit_exceeded", "daily", 40_000, "Ask again later", "r-1"),
            )
            self.assertEqual(str(error), "Cannot serve this now\nAsk again later")
            self.assertEqual((len(server.requests), asleep.sleeps_s), (1, []))

    def test_retries_with_growing_pauses(self) -> None:
        with StandIn(lambda _headers, _count: refusal(503, "upstream_unavailable")) as server:
            error, asleep = self.call(server)
            self.assertEqual(error.code, "upstream_unavailable")
            self.assertEqual(asleep.sleeps_s, [0.25, 0.5, 1.0])

    def test_sends_a_call_that_changes_an_account_only_once(self) -> None:
        with StandIn(lambda _headers, _count: refusal(503, "upstream_unavailable")) as server:
            self.call(server, "/platform/keys", "POST")
            self.assertEqual(len(server.requests), 1)

    def test_names_fields_that_fail_validation_and_reads_no_more_than_it_may(self) -> None:
        detail = [{"type": "int_type", "loc": ["query", "limit"], "msg": "not a number", "input": None}]
        with StandIn(lambda _headers, _count: answer({"detail": detail}, 422)) as server:
            error, _ = self.call(server)
            self.assertEqual((error.code, str(error)), ("validation_error", "query.limit: not a number"))
            error, _ = self.call(server, answer_bytes_max=10)
            self.assertEqual((error.code, len(server.requests)), ("too_large", 1))

    def test_returns_the_cached_answer_when_nothing_has_changed(self) -> None:
        with StandIn(
            lambda headers, _count: answer(b"", 304) if "if-none-match" in headers else answer(SPORTS, etag='"a"')
        ) as server, Client(server.url) as client:
            self.assertEqual([client.list_sports() for _ in range(3)], [SPORTS] * 3)
            self.assertEqual([headers.get("if-none-match") for headers in server.requests], [None, '"a"', '"a"'])

    def test_cache_stays_within_its_bounds(self) -> None:
        chance = random.Random(1)
        cache = EtagCache(4, 100)
        for _ in range(2_000):
            url, text = str(chance.randrange(10)), "x" * chance.randrange(60)
            cache.set(url, KeptAnswer('"a"', text))
            kept = cache.get(url)
            self.assertEqual(kept and kept.text, text)
            self.assertLessEqual(len(cache), 4)
            self.assertLessEqual(cache.chars, 100)


def event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


DELTA = {"from": "a", "to": "b", "conflated": False, "cursor": "b", "full": False, "as_of": None, "stale": False}
FIXTURES = [
    {"event_id": f"evt_{index}", "event": {"id": "x" * 100}, "state": {"clock": None}, "replace": True, "odds": []}
    for index in range(3)
]
PART = {"part": 1, "last": True, "cursor": "a", "full": True, "as_of": None, "stale": False, "removed": []}


class Enough(Exception):
    pass


class Mirrors(unittest.TestCase):
    def pauses(self, body: Answer, count: int = 8) -> List[float]:
        """The first pauses of a mirror whose server always sends the same answer."""
        asleep = Asleep()

        def sleep(seconds: float) -> None:
            asleep.sleep(seconds)
            if len(asleep.sleeps_s) == count:
                raise Enough

        with StandIn(lambda _headers, _count: body) as server:
            with Client(server.url, sleep=sleep, **asleep.options) as client, self.assertRaises(Enough):
                for _change in client.mirror():
                    pass
        return asleep.sleeps_s

    def test_mirrors_wait_longer_each_time(self) -> None:
        growing = [0.25, 0.5, 1, 2, 4, 8, 15, 15]
        for body in (
            answer(b""),
            refusal(503, "upstream_unavailable"),
            answer(event("bye", {"reason": "limit", "reconnect_after_ms": 0})),
            answer(event("delta", {**DELTA, "fixtures": [], "removed": []})),
        ):
            self.assertEqual(self.pauses(body), growing)

    def test_mirrors_wait_as_long_as_the_server_asks(self) -> None:
        bye = event("bye", {"reason": "slow_reader", "reconnect_after_ms": 90_000})
        self.assertEqual(self.pauses(answer(bye), 2), [90, 90])

    def test_mirrors_fail_on_permanent_errors(self) -> None:
        with StandIn(lambda _headers, _count: refusal(401, "unauthorized")) as server, Client(server.url) as client:
            for via in ("events", "polling"):
                mirror = client.mirror(via=via)
                with self.assertRaises(OverroundError) as caught:
                    mirror.ready()
                self.assertEqual((caught.exception.fix, mirror.state), ("Ask again later", "failed"))
            self.assertEqual(len(server.requests), 2)

    def test_mirrors_stay_within_their_bounds(self) -> None:
        snapshot = answer(event("snapshot", {**PART, "fixtures": FIXTURES}))
        with StandIn(lambda _headers, _count: snapshot) as server:
            with Client(server.url) as client, self.assertRaises(OverroundError) as caught:
                client.mirror(fixtures_max=2).ready()
            self.assertEqual(caught.exception.code, "too_large")
            with Client(server.url, answer_bytes_max=300) as client, self.assertRaises(OverroundError) as caught:
                client.mirror().ready()
            self.assertEqual(caught.exception.code, "too_large")

    def test_streams_bound_each_event_and_not_what_arrives_at_once(self) -> None:
        small = event("heartbeat", {"text": "x" * 100})
        bound = len(small)
        events = list(EventParser(bound).feed(10 * small + small[:50]))
        self.assertEqual(events, 10 * [("heartbeat", {"text": "x" * 100})])
        for size in (1, 7, bound, 3 * bound + 1):
            parser = EventParser(bound)
            chunks = [(10 * small)[at : at + size] for at in range(0, 10 * bound, size)]
            self.assertEqual(len([found for chunk in chunks for found in parser.feed(chunk)]), 10)
            parser = EventParser(bound - 1)
            with self.assertRaises(OverroundError) as caught:
                for chunk in chunks:
                    list(parser.feed(chunk))
            self.assertEqual(caught.exception.code, "too_large")

    def test_mirrors_hold_a_snapshot_only_when_it_is_whole(self) -> None:
        first = {**PART, "last": False, "fixtures": FIXTURES[:1]}
        last = {**PART, "part": 2, "fixtures": FIXTURES[1:]}
        with StandIn(lambda _headers, _count: answer(event("snapshot", first) + event("snapshot", last))) as server:
            with Client(server.url) as client, client.mirror() as mirror:
                self.assertEqual(len(mirror), 0)
                mirror.ready()
                self.assertEqual((len(mirror), mirror.cursor, mirror.state), (3, "a", "live"))

    def test_mirrors_keep_the_cursor_of_the_content_through_a_missed_change(self) -> None:
        late = {"as_of": "2026-11-22T10:00:00.000Z", "stale": True, "feed_age_ms": 90_000}
        connections = [
            # The delta does not continue from what was sent before.
            event("snapshot", {**PART, "fixtures": FIXTURES[:1]})
            + event("heartbeat", {**late, "cursor": "b"})
            + event("delta", {**DELTA, "from": "x", "fixtures": [], "removed": []}),
            # After a missed change, nothing but a whole view may move the cursor.
            event("heartbeat", {**late, "cursor": "y", "stale": False}),
            event("snapshot", {**PART, "cursor": "z", "fixtures": FIXTURES[1:2]}),
        ]
        asleep = Asleep()
        held: List[Any] = []

        def on_state(state: str, _error: Any) -> None:
            if state == "waiting":
                held.append((mirror.cursor, mirror.is_stale, [fixture.id for fixture in mirror.fixtures]))
            if len(held) == len(connections):
                raise Enough

        with StandIn(lambda _headers, count: answer(connections[count - 1])) as server:
            with Client(server.url, sleep=asleep.sleep, **asleep.options) as client, self.assertRaises(Enough):
                mirror = client.mirror(on_state=on_state)
                for _change in mirror:
                    pass
        first, other = [FIXTURES[0]["event_id"]], [FIXTURES[1]["event_id"]]
        self.assertEqual(held, [("b", True, first), ("b", True, first), ("z", False, other)])

    def test_mirrors_use_the_confirmations_of_each_quotes_own_source(self) -> None:
        def at(second: int) -> str:
            return f"2026-11-22T10:00:{second}.000Z"

        def quote(bookmaker: str, status: str) -> Any:
            return {"bookmaker": bookmaker, "status": status, "as_of": at(10)}

        whole = {**PART, "as_of": at(20), "fixtures": []}
        heartbeat = {
            "cursor": "b",
            "as_of": at(20),
            "stale": False,
            "feed_age_ms": 0,
            "confirmations": [
                {"bookmakers": ["sbobet"], "as_of": at(20)},
                {"bookmakers": ["crown", "macau"], "as_of": at(50)},
            ],
        }
        connections = [
            event("snapshot", whole),
            event("heartbeat", heartbeat),
            event("snapshot", {**whole, "cursor": "c"}),
        ]
        quotes = [quote("sbobet", "open"), quote("crown", "open"), quote("crown", "suspended")]
        asleep = Asleep()
        held: List[Any] = []

        def on_state(state: str, _error: Any) -> None:
            if state == "waiting":
                held.append([mirror.confirmed_at(each) for each in quotes])
            if len(held) == len(connections):
                raise Enough

        with StandIn(lambda _headers, count: answer(connections[count - 1])) as server:
            with Client(server.url, sleep=asleep.sleep, **asleep.options) as client, self.assertRaises(Enough):
                mirror = client.mirror(on_state=on_state)
                for _change in mirror:
                    pass
        by_slate = [at(20), at(20), at(10)]
        self.assertEqual(held, [by_slate, [at(20), at(50), at(10)], by_slate])

    def test_mirrors_refuse_invalid_arguments(self) -> None:
        with Client("http://127.0.0.1:1") as client:
            with self.assertRaisesRegex(ValueError, "allowed are"):
                client.mirror(via="pigeon")
            with self.assertRaisesRegex(ValueError, "signals"):
                client.mirror(via="polling", signals=["value"])
        with self.assertRaisesRegex(ValueError, "http"):
            Client("localhost:3000")
        for key in ("isk_x\n", "isk_\u20ac", "isk_a b"):
            with self.assertRaisesRegex(ValueError, "Cannot use the key"):
                Client("http://127.0.0.1:1", key)

    def test_mirrors_hold_the_signals_that_are_open_through_cuts_and_restarts(self) -> None:
        for seed in range(8):
            for is_async in (False, True):
                with self.subTest(seed=seed, is_async=is_async):
                    self.follow_signals(random.Random(seed), is_async)

    def follow_signals(self, chance: random.Random, is_async: bool) -> None:
        """Checks that a mirror, and a list built from the changes that a loop over the mirror received,
        both end up with the server's open signals.
        """
        server = OpenSignals(chance)
        connections = chance.randint(1, 5)
        told: Dict[str, Any] = {}

        def reply(headers: Dict[str, str], count: int) -> Answer:
            text = server.connection(headers["path"], is_last=count > connections)
            return answer(text, content_type="text/event-stream")

        def take(change: Any) -> None:
            for signal in change.signals:
                if signal["change"] == "closed":
                    del told[signal["id"]]
                else:
                    self.assertEqual(signal["change"], "changed" if signal["id"] in told else "opened")
                    told[signal["id"]] = signal

        def sleep(seconds: float) -> None:
            asleep.sleep(seconds)
            if len(stand_in.requests) > connections + 1:
                raise Enough

        async def sleep_async(seconds: float) -> None:
            sleep(seconds)

        async def asynchronously() -> Any:
            async with AsyncClient(stand_in.url, sleep=sleep_async, **asleep.options) as client:
                mirror = client.mirror(signals=["value", "arbitrage"])
                with self.assertRaises(Enough):
                    async for change in mirror:
                        take(change)
                return mirror

        def blocking() -> Any:
            with Client(stand_in.url, sleep=sleep, **asleep.options) as client:
                mirror = client.mirror(signals=["value", "arbitrage"])
                with self.assertRaises(Enough):
                    for change in mirror:
                        take(change)
                return mirror

        asleep = Asleep()
        with StandIn(reply) as stand_in:
            mirror = asyncio.run(asynchronously()) if is_async else blocking()
        for held in (mirror.signals, told):
            self.assertEqual(
                {name: signal["version"] for name, signal in held.items()},
                {name: signal["version"] for name, signal in server.open.items()},
            )


class OpenSignals:
    """Signals of a server, which open, change and close at random, and the events that the server
    sends about them.
    """

    def __init__(self, chance: random.Random) -> None:
        self.open: Dict[str, Dict[str, Any]] = {}
        self.chance = chance
        self.version = 0

    def step(self) -> bytes:
        name = self.chance.choice("abcd")
        closes = self.chance.random() < 0.5
        if closes and name not in self.open:
            return b""
        self.version += 1
        change = "closed" if closes else "changed" if name in self.open else "opened"
        signal = {"id": name, "change": change, "version": self.version}
        if closes:
            del self.open[name]
        else:
            self.open[name] = signal
        return event("signal", signal) + event("heartbeat", {"cursor": "c"})

    def connection(self, path: str, is_last: bool) -> bytes:
        """The events of one connection: all, or only the first bytes of them."""
        if not is_last:
            for _ in range(self.chance.randrange(5)):
                self.step()  # Signals also change while no reader is connected.
        odds = {"as_of": None, "stale": False, "fixtures": [], "removed": [], "conflated": False}
        is_resumed = "since=" in path and self.chance.random() < 0.5
        parts = [event("hello", {"cursor": "c", "heartbeat_ms": 5_000})]
        if is_resumed:
            parts.append(event("delta", {**odds, "from": "c", "to": "c", "cursor": "c", "full": False}))
        else:
            parts.append(event("snapshot", {**odds, "part": 1, "last": True, "cursor": "c", "full": True}))
        parts += [event("signal", {**signal, "change": "opened"}) for signal in self.open.values()]
        parts.append(event("signals", {"count": len(self.open), "ids": list(self.open)}))
        if not is_last:
            parts += [self.step() for _ in range(self.chance.randrange(7))]
        text = b"".join(parts)
        return text if is_last or self.chance.random() < 0.5 else text[: self.chance.randrange(len(text))]


if __name__ == "__main__":
    unittest.main()
