"""The settings of a client."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional
from urllib.parse import urlsplit

from ._packing import codec


@dataclass(frozen=True)
class ClientOptions:
    #: The server's address, such as `http://127.0.0.1:3000`.
    url: str
    #: An API key, `isk_...`. Without a key, the server applies the free tier.
    key: Optional[str] = None
    #: How often a call is retried if it may succeed later.
    retries_max: int = 3
    #: The longest wait before a retry. If the server asks for a longer one, the error is raised.
    wait_s_max: float = 60.0
    #: The longest wait, in seconds, for a connection to open and for each further part of an answer.
    timeout_s: float = 30.0
    #: The longest answer or event that is read, in bytes.
    answer_bytes_max: int = 64_000_000
    #: Number of answers cached by ETag; 0 turns the cache off.
    cache_entries_max: int = 256
    cache_chars_max: int = 16_000_000
    #: Whether mirrors by polling and WebSocket use MessagePack instead of JSON; needs the extra `msgpack`.
    #: Server-sent events are always JSON.
    msgpack: bool = False
    #: The sources of time and random numbers; tests replace them.
    now_s: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"Cannot use {self.url!r}: it must begin with http:// or https://")
        # A key with any other character cannot be sent in a header: every call would fail as if the
        # server could not be reached.
        if any(not "!" <= character <= "~" for character in self.key or ""):
            raise ValueError("Cannot use the key: it has a character that no key has, such as a space or a line break")
        object.__setattr__(self, "url", self.url.rstrip("/"))
        if self.msgpack:
            codec()


def words(query: Optional[Mapping[str, Any]]) -> dict[str, str]:
    """Parameters as the server reads them: lists joined by commas, None left out."""
    return {name: _word(value) for name, value in (query or {}).items() if value is not None}


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else str(value)
