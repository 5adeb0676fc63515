"""What differs between the asynchronous and the blocking client in more than `await`: sleeping, and
the WebSocket.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import Any, Dict, Generator

from .._websocket import message_of, refused, without_library


def sleep(seconds: float) -> None:
    time.sleep(seconds)


class Socket:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def send(self, content: Any) -> None:
        try:
            self._connection.send(content)
        except Exception as error:
            raise refused(error) from error

    def receive(self, timeout_s: float) -> Any:
        """The next message. Raises OverroundError when the connection is lost, or silent for longer
        than `timeout_s`.
        """
        try:
            return message_of(self._connection.recv(timeout=timeout_s))
        except Exception as error:
            raise refused(error) from error


@contextmanager
def open_socket(url: str, options: Dict[str, Any]) -> Generator[Socket, None, None]:
    try:
        from websockets.sync.client import connect
    except ImportError as error:
        raise without_library() from error
    stack = ExitStack()
    try:
        connection = stack.enter_context(connect(url, **options))
    except Exception as error:
        raise refused(error) from error
    with stack:
        yield Socket(connection)
