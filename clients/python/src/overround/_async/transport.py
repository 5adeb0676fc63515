"""Sends requests to the server: adds the key, applies time-outs and the ETag cache, waits for rate
limits, and turns failures into OverroundError.
"""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import Any, AsyncGenerator, Awaitable, Callable, Dict, Mapping, Optional

import httpx

from .._options import ClientOptions, words
from .._packing import CONTENT_TYPE, unpacked
from .._pace import Backoff, EtagCache, KeptAnswer
from ..errors import OverroundError, error_of, too_large
from .io import sleep as real_sleep

FIRST_PAUSE_S = 0.5
PAUSE_S_MAX = 30.0


class AsyncTransport:
    def __init__(self, options: ClientOptions, sleep: Optional[Callable[[float], Awaitable[None]]] = None) -> None:
        self.options = options
        self.sleep = sleep or real_sleep
        self.cache = EtagCache(options.cache_entries_max, options.cache_chars_max)
        #: When the rate limit that was reached admits calls again. All calls of this client wait until then.
        self._resume_at_s = 0.0
        self.headers = {} if options.key is None else {"authorization": f"Bearer {options.key}"}
        self._client = httpx.AsyncClient(headers=self.headers, timeout=options.timeout_s)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Sends a request, with retries, and returns the JSON of its answer. Raises OverroundError.
        """
        backoff = Backoff(FIRST_PAUSE_S, PAUSE_S_MAX, self.options.random)
        tries = 0
        while True:
            try:
                return await self._try(method, path, words(query), body)
            except OverroundError as error:
                if tries == self.options.retries_max or not _may_retry(error, method, path):
                    raise
                pause_s = backoff.next(error.retry_after_s or 0.0)
                if pause_s > self.options.wait_s_max:
                    raise
            tries += 1
            await self.sleep(pause_s)

    @asynccontextmanager
    async def open(
        self, path: str, query: Mapping[str, Any], accept: str, silence_s: Optional[float] = None
    ) -> AsyncGenerator[httpx.Response, None]:
        """Sends a request once and yields its answer as soon as that starts. Raises OverroundError
        unless the status is 200.
        """
        await self._wait_for_pace()
        headers = {"accept": accept}
        if silence_s is not None:
            # Compression could hold an event back until the next one arrives.
            headers["accept-encoding"] = "identity"
        timeout = httpx.Timeout(self.options.timeout_s, read=silence_s or self.options.timeout_s)
        try:
            async with self._client.stream(
                "GET", self.options.url + path, params=words(query), headers=headers, timeout=timeout
            ) as response:
                if response.status_code != 200:
                    content = await self._content(response)
                    is_packed = response.headers.get("content-type", "").startswith(CONTENT_TYPE)
                    raise self._refusal(response, json.dumps(unpacked(content)) if is_packed else content.decode())
                yield response
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error

    async def value(self, path: str, query: Mapping[str, Any]) -> Any:
        """The decoded body of the answer: MessagePack if the options say so, otherwise JSON. Raises what
        `open` raises.
        """
        is_packed = self.options.msgpack
        async with self.open(path, query, CONTENT_TYPE if is_packed else "application/json") as response:
            content = await self._content(response)
        return unpacked(content if is_packed else content.decode())

    async def text(self, response: httpx.Response) -> str:
        """The whole body as text. Raises `too_large` above the limit, without reading the rest."""
        return (await self._content(response)).decode()

    async def _content(self, response: httpx.Response) -> bytes:
        content = bytearray()
        async for part in response.aiter_bytes():
            content += part
            if len(content) > self.options.answer_bytes_max:
                raise too_large("an answer", self.options.answer_bytes_max)
        return bytes(content)

    async def _try(
        self, method: str, path: str, query: Dict[str, str], body: Optional[Mapping[str, Any]]
    ) -> Any:
        await self._wait_for_pace()
        url = str(httpx.URL(self.options.url + path, params=query))
        headers = {"accept": "application/json"}
        kept = self.cache.get(url) if method == "GET" else None
        if kept is not None:
            headers["if-none-match"] = kept.etag
        content: Optional[bytes] = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
        try:
            async with self._client.stream(method, url, headers=headers, content=content) as response:
                text = await self.text(response)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if response.status_code == 304 and kept is not None:
            return json.loads(kept.text)
        if not response.is_success:
            raise self._refusal(response, text)
        etag = response.headers.get("etag")
        if method == "GET" and etag is not None:
            self.cache.set(url, KeptAnswer(etag, text))
        return json.loads(text)

    def _refusal(self, response: httpx.Response, text: str) -> OverroundError:
        error = error_of(response.status_code, response.headers, text)
        if error.status == 429 and error.scope is None and error.retry_after_s is not None:
            self._resume_at_s = max(self._resume_at_s, self.options.now_s() + error.retry_after_s)
        return error

    async def _wait_for_pace(self) -> None:
        """Waits until the rate limit allows the next call, plus a small random time, so that waiting
        calls spread out.
        """
        left_s = self._resume_at_s - self.options.now_s()
        if left_s > 0:
            await self.sleep(min(left_s, self.options.wait_s_max) * (1 + self.options.random() / 10))

    def _unreachable(self, error: httpx.HTTPError) -> OverroundError:
        reason = str(error) or type(error).__name__
        return OverroundError(
            f"Cannot reach {self.options.url}: {reason}", code="unreachable", is_retriable=True
        )


def _may_retry(error: OverroundError, method: str, path: str) -> bool:
    """Whether a call may be sent again. Calls below /v1/ and GETs change no account, so they may.
    Other calls may only after a 429, because the server has not carried them out.
    """
    if not error.is_retriable or error.scope is not None:
        return False
    return error.status == 429 or path.startswith("/v1/") or method == "GET"
