"""Parses server-sent events from bytes as they arrive."""

from __future__ import annotations

from typing import Any, Iterator, List, Tuple

import json

from .errors import too_large


class EventParser:
    """Takes bytes, and returns events as they become complete. What follows the last complete event is
    dropped when the stream ends.
    """

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._line = b""
        self._event = ""
        self._data: List[str] = []
        self._bytes = 0

    def feed(self, content: bytes) -> Iterator[Tuple[str, Any]]:
        """The events that are complete with `content`, as name and data. Raises `too_large` when one event
        is above the limit.
        """
        *lines, rest = content.split(b"\n")
        for part in lines:
            self._count(len(part) + 1)
            line = (self._line + part).rstrip(b"\r").decode()
            self._line = b""
            if line.startswith("event: "):
                self._event = line[len("event: ") :]
            elif line.startswith("data: "):
                self._data.append(line[len("data: ") :])
            elif line == "":
                event, data = self._event, "\n".join(self._data)
                self._event, self._data, self._bytes = "", [], 0
                if data:
                    yield event, json.loads(data)
        self._count(len(rest))
        self._line += rest

    def _count(self, size: int) -> None:
        """Counts bytes of the event that is being read."""
        self._bytes += size
        if self._bytes > self._bytes_max:
            raise too_large("an event of the stream", self._bytes_max)
