"""Pauses between retries, and the cache of answers by ETag."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Callable, Optional


class Backoff:
    """Pauses that double up to a maximum. Each pause is shortened at random, to half of its length at most,
    so that many clients do not retry at the same time."""

    def __init__(self, first_s: float, most_s: float, random: Callable[[], float]) -> None:
        self._first_s = first_s
        self._most_s = most_s
        self._random = random
        self._tries = 0

    def next(self, least_s: float = 0.0) -> float:
        """How long to wait before the next try, at least as long as the server asks."""
        pause_s = min(self._most_s, self._first_s * float(1 << min(self._tries, 30)))
        self._tries += 1
        return max(least_s, pause_s * (0.5 + self._random() / 2))

    def reset(self) -> None:
        self._tries = 0


@dataclass(frozen=True)
class KeptAnswer:
    etag: str
    text: str


class EtagCache:
    """Answers by URL. Limited in entries and characters. Full: the least recently used ones are dropped."""

    def __init__(self, entries_max: int, chars_max: int) -> None:
        self._entries_max = entries_max
        self._chars_max = chars_max
        self._answers: OrderedDict[str, KeptAnswer] = OrderedDict()
        self.chars = 0

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, url: str) -> Optional[KeptAnswer]:
        kept = self._answers.get(url)
        if kept is not None:
            self._answers.move_to_end(url)
        return kept

    def set(self, url: str, answer: KeptAnswer) -> None:
        """Caches an answer, unless it alone exceeds the limit."""
        former = self._answers.pop(url, None)
        if former is not None:
            self.chars -= len(former.text)
        if len(answer.text) > self._chars_max:
            return
        self._answers[url] = answer
        self.chars += len(answer.text)
        while len(self._answers) > self._entries_max or self.chars > self._chars_max:
            _, oldest = self._answers.popitem(last=False)
            self.chars -= len(oldest.text)
