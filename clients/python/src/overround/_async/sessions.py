"""One connection of a mirror, by each of the three transports. It yields events in order until the
connection ends or fails.

Polling yields each answer as the event `changes`.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any, AsyncGenerator, Dict, Mapping, Optional, Tuple

from .._events import EventParser
from .._packing import packed
from .io import open_socket
from .transport import AsyncTransport

Event = Tuple[str, Any]

#: A stream that is silent for this long, the time of three heartbeats, counts as dead.
SILENCE_S = 15.0
SUBPROTOCOLS = {False: "overround.v1.json", True: "overround.v1.msgpack"}
SUBSCRIPTION = "mirror"


async def poll(
    transport: AsyncTransport, query: Mapping[str, Any], cursor: Optional[str], every_s: float
) -> AsyncGenerator[Event, None]:
    """Requests the changes at regular intervals."""
    while True:
        changes = await transport.value("/v1/odds", {**query, "since": cursor})
        yield "changes", changes
        cursor = changes["cursor"]
        await transport.sleep(every_s)


async def stream(
    transport: AsyncTransport, query: Mapping[str, Any], cursor: Optional[str]
) -> AsyncGenerator[Event, None]:
    """Reads `GET /v1/stream`."""
    parser = EventParser(transport.options.answer_bytes_max)
    wish = {**query, "since": cursor}
    async with transport.open("/v1/stream", wish, "text/event-stream", SILENCE_S) as response:
        async for content in response.aiter_bytes():
            for event in parser.feed(content):
                yield event


async def web_socket(
    transport: AsyncTransport, query: Mapping[str, Any], cursor: Optional[str]
) -> AsyncGenerator[Event, None]:
    """Subscribes over `GET /v1/ws`."""
    options: Dict[str, Any] = {
        "subprotocols": [SUBPROTOCOLS[transport.options.msgpack]],
        "additional_headers": transport.headers,
        "max_size": transport.options.answer_bytes_max,
        "open_timeout": transport.options.timeout_s,
        "close_timeout": 1,
    }
    url = "ws" + transport.options.url[len("http") :] + "/v1/ws"
    async with open_socket(url, options) as socket:
        wish = {name: value for name, value in {**query, "since": cursor}.items() if value is not None}
        await socket.send(packed({"op": "subscribe", "id": SUBSCRIPTION, **wish}, transport.options.msgpack))
        while True:
            message = await socket.receive(SILENCE_S)
            yield message["event"], message["data"]
