"""Settings of a client, with what each means."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional
from urllib.parse import urlsplit

from ._packing import codec


@dataclass(frozen=True)
class ClientOptions:
    #: Where the server is, such as `http://127.0.0.1:3000`.
    url: str
    #: An API key, `isk_...`; without one the free tier answers.
    key: Optional[str] = None
    #: How often a call is tried again that may succeed later.
    retries_max: int = 3
    #: The longest wait before such a try; an error that asks for a longer one is raised.
    wait_s_max: float = 60.0
    #: How long a connection or an answer may be silent.
    timeout_s: float = 30.0
    #: The longest answer or event that is read.
    answer_bytes_max: int = 64_000_000
    #: Answers kept with their ETag; 0 keeps none.
    cache_entries_max: int = 256
    cache_chars_max: int = 16_000_000
    #: Mirrors by polling and WebSocket take MessagePack in place of JSON; needs the extra of that name. Events are JSON.
    msgpack: bool = False
    #: Time and chance, for tests.
    now_s: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"Cannot use {self.url!r}: it must begin with http:// or https://")
        # In a header anything else would fail at each call, as if the server were not there.
        if any(not "!" <= character <= "~" for character in self.key or ""):
            raise ValueError("Cannot use the key: it has a character that no key has, such as a space or a line break")
        object.__setattr__(self, "url", self.url.rstrip("/"))
        if self.msgpack:
            codec()


def words(query: Optional[Mapping[str, Any]]) -> dict[str, str]:
    """Parameters as the server reads them: lists with commas, nothing for what is None."""
    return {name: _word(value) for name, value in (query or {}).items() if value is not None}


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else str(value)
