# Written by `bun run docs clients` from _async/mirror.py.
"""A mirror of one view of the slate that keeps itself up to date while a program loops over it, by
polling, by server-sent events or by WebSocket. When a connection is lost or refused, or the server
restarts, it waits at least as long as the server asks, and longer each time. Then it continues from
its cursor, or from the whole view if it cannot. It fails only on an error that another try cannot
mend.
"""

from __future__ import annotations

from contextlib import closing
from types import TracebackType
from typing import Any, Generator, Iterator, Callable, Dict, Optional, Type

from .._pace import Backoff
from .._slate import Held, MirrorChange, MirrorGap
from ..errors import OverroundError
from .sessions import Event, poll, stream, web_socket
from .transport import Transport

#: After a connection that lasted this long, the next pause is the shortest again.
GOOD_CONNECTION_S = 10.0
POLL_EVERY_S_MIN = 0.1
#: Options that the streams have and /v1/odds does not.
STREAM_OPTIONS = (
    "tick_ms",
    "signals",
    "reference",
    "min_edge_pct",
    "min_margin_pct",
    "min_ev_pct",
    "max_hold_pct",
    "move_pct",
    "move_of",
    "steam_pct",
    "owners",
    "within_s",
)


class Mirror(Held):
    """Created by `client.mirror(...)`. Loop over it: each iteration is one change, after which the
    content is exactly what the server had at `cursor`. Nothing is read between two iterations, so a
    slow loop receives several changes merged into one.
    """

    def __init__(
        self,
        transport: Transport,
        query: Dict[str, Any],
        *,
        via: str,
        poll_every_s: float,
        fixtures_max: int,
        first_pause_s: float,
        pause_s_max: float,
        on_state: Optional[Callable[[str, Optional[OverroundError]], None]],
    ) -> None:
        super().__init__(fixtures_max)
        if via not in ("events", "websocket", "polling"):
            raise ValueError(f"Cannot follow via {via!r}: allowed are 'events', 'websocket' and 'polling'")
        if via == "polling" and query.get("signals") is not None:
            raise ValueError("Cannot poll for signals: follow them via 'events'")
        if via == "polling":
            query = {name: value for name, value in query.items() if name not in STREAM_OPTIONS}
        self._transport = transport
        self._query = query
        self._via = via
        self._poll_every_s = max(POLL_EVERY_S_MIN, poll_every_s)
        self._backoff = Backoff(first_pause_s, pause_s_max, transport.options.random)
        self._on_state = on_state
        self._changes = self._run()

    def __enter__(self) -> Mirror:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[MirrorChange]:
        return self._changes

    def close(self) -> None:
        """Closes the mirror and its connection. The content stays readable. Do not call it while
        another task waits for the next change.
        """
        if self.state not in ("closed", "failed"):
            self._set_state("closed")
        self._changes.close()

    def ready(self) -> Mirror:
        """Reads until the mirror holds the whole view. Raises OverroundError when it cannot."""
        if self.cursor is None:
            for _change in self._changes:
                break
        return self

    def _run(self) -> Generator[MirrorChange, None, None]:
        now_s = self._transport.options.now_s
        while True:
            opened_at_s = now_s()
            least_s = 0.0
            error: Optional[OverroundError] = None
            try:
                with closing(self._session()) as session:
                    for event, data in session:
                        if event == "bye":
                            least_s = data["reconnect_after_ms"] / 1000
                            break
                        was_whole = self._since is not None
                        change = self._take_changes(data) if event == "changes" else self._take_event(event, data)
                        if self._since is not None and self.state != "live":
                            self._set_state("live")
                        if change is not None and (was_whole or self._since is not None):
                            yield change
            except MirrorGap as gap:
                self._since = None
                error = OverroundError(f"A change was missed: {gap}", code="gap", is_retriable=True)
            except OverroundError as thrown:
                error = thrown
                if thrown.status == 400 and self._since is not None:
                    # The cursor may belong to another tier or view, so load the whole view, once.
                    self._since = None
                elif not thrown.is_retriable:
                    self._set_state("failed", thrown)
                    raise
                least_s = thrown.retry_after_s or 0.0
            self._slate.drop_draft()
            if now_s() - opened_at_s >= GOOD_CONNECTION_S:
                self._backoff.reset()
            self._set_state("waiting", error)
            self._transport.sleep(self._backoff.next(least_s))

    def _session(self) -> Generator[Event, None, None]:
        if self._via == "polling":
            return poll(self._transport, self._query, self._since, self._poll_every_s)
        if self._via == "events":
            return stream(self._transport, self._query, self._since)
        return web_socket(self._transport, self._query, self._since)

    def _set_state(self, state: str, error: Optional[OverroundError] = None) -> None:
        self.state, self.error = state, error
        if self._on_state is not None:
            self._on_state(state, error)
