"""What differs between the asynchronous and the blocking client in more than `await`: sleeping, and
the WebSocket.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, AsyncGenerator, Dict

from .._websocket import message_of, refused, without_library


async def sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


class AsyncSocket:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def send(self, content: Any) -> None:
        try:
            await self._connection.send(content)
        except Exception as error:
            raise refused(error) from error

    async def receive(self, timeout_s: float) -> Any:
        """The next message. Raises OverroundError when the connection is lost, or silent for longer
        than `timeout_s`.
        """
        try:
            return message_of(await asyncio.wait_for(self._connection.recv(), timeout_s))
        except Exception as error:
            raise refused(error) from error


@asynccontextmanager
async def open_socket(url: str, options: Dict[str, Any]) -> AsyncGenerator[AsyncSocket, None]:
    try:
        from websockets.asyncio.client import connect
    except ImportError as error:
        raise without_library() from error
    stack = AsyncExitStack()
    try:
        connection = await stack.enter_async_context(connect(url, **options))
    except Exception as error:
        raise refused(error) from error
    async with stack:
        yield AsyncSocket(connection)
