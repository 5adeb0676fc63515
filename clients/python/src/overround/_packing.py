"""Values as MessagePack, by the package msgpack, where it is asked for."""

from __future__ import annotations

import json
from typing import Any

from .errors import OverroundError

CONTENT_TYPE = "application/msgpack"


def codec() -> Any:
    """The package. Raises OverroundError where there is none."""
    try:
        import msgpack
    except ImportError as error:
        raise OverroundError(
            "There is no MessagePack here", code="no_msgpack", fix="pip install 'overround[msgpack]', or leave out msgpack"
        ) from error
    return msgpack


def packed(value: Any, is_binary: bool) -> Any:
    """A message to the server: bytes of MessagePack, or a text of JSON."""
    return codec().packb(value) if is_binary else json.dumps(value)


def unpacked(content: Any) -> Any:
    """The value of a message: bytes are MessagePack, a text is JSON."""
    return json.loads(content) if isinstance(content, str) else codec().unpackb(content)
