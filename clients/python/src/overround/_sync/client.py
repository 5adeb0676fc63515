# Written by `bun run docs clients` from _async/client.py.
"""The blocking client: a method for each operation, and mirrors."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Awaitable, Callable, Mapping, Optional, Sequence, Type

from .._options import ClientOptions
from ..errors import OverroundError
from .mirror import Mirror
from .operations import Operations
from .transport import Transport


class Client(Operations):
    """A client of one server. `with` closes its connections at the end.

    It takes the settings of `ClientOptions`: `Client("http://127.0.0.1:3000", key="isk_...")`.
    """

    def __init__(
        self,
        url: str,
        key: Optional[str] = None,
        *,
        sleep: Optional[Callable[[float], None]] = None,
        **options: Any,
    ) -> None:
        self._transport = Transport(ClientOptions(url=url, key=key or None, **options), sleep)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Sends any request, for operations that have no method here. Raises OverroundError for every
        failed call.
        """
        return self._transport.call(method, path, query=query, body=body)

    def mirror(
        self,
        *,
        via: str = "events",
        sport: Optional[str] = None,
        league: Optional[str] = None,
        date: Optional[str] = None,
        status: Optional[str] = None,
        timezone: Optional[str] = None,
        bookmakers: Optional[Sequence[str]] = None,
        markets: Optional[Sequence[str]] = None,
        period: Optional[str] = None,
        format: Optional[str] = None,
        tick_ms: Optional[int] = None,
        signals: Optional[Sequence[str]] = None,
        min_edge_pct: Optional[float] = None,
        min_margin_pct: Optional[float] = None,
        reference: Optional[str] = None,
        min_ev_pct: Optional[float] = None,
        max_hold_pct: Optional[float] = None,
        move_pct: Optional[float] = None,
        move_of: Optional[str] = None,
        steam_pct: Optional[float] = None,
        owners: Optional[int] = None,
        within_s: Optional[int] = None,
        poll_every_s: float = 1.0,
        fixtures_max: int = 50_000,
        first_pause_s: float = 0.5,
        pause_s_max: float = 30.0,
        on_state: Optional[Callable[[str, Optional[OverroundError]], None]] = None,
    ) -> Mirror:
        """A mirror of the fixtures and quotes that match the filters of `GET /v1/odds`.

        `via` is `events` (server-sent events), `websocket` (needs the extra of that name) or
        `polling`. With `signals`, the kinds to follow, the thresholds of `GET /v1/stream` apply.
        """
        query = {
            "sport": sport,
            "league": league,
            "date": date,
            "status": status,
            "timezone": timezone,
            "bookmakers": bookmakers,
            "markets": markets,
            "period": period,
            "format": format,
            "tick_ms": tick_ms,
            "signals": signals,
            "min_edge_pct": min_edge_pct,
            "min_margin_pct": min_margin_pct,
            "reference": reference,
            "min_ev_pct": min_ev_pct,
            "max_hold_pct": max_hold_pct,
            "move_pct": move_pct,
            "move_of": move_of,
            "steam_pct": steam_pct,
            "owners": owners,
            "within_s": within_s,
        }
        return Mirror(
            self._transport,
            query,
            via=via,
            poll_every_s=poll_every_s,
            fixtures_max=fixtures_max,
            first_pause_s=first_pause_s,
            pause_s_max=pause_s_max,
            on_state=on_state,
        )
