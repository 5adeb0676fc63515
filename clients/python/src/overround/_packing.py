"""Encodes and decodes MessagePack, with the package msgpack, and JSON."""

from __future__ import annotations

import json
from typing import Any

from .errors import OverroundError

CONTENT_TYPE = "application/msgpack"


def codec() -> Any:
    """The package msgpack. Raises OverroundError when it is not installed."""
    try:
        import msgpack
    except ImportError as error:
        raise OverroundError(
            "There is no MessagePack here",
            code="no_msgpack",
            fix="Install msgpack (python3 -m pip install msgpack), or leave out msgpack",
        ) from error
    return msgpack


def packed(value: Any, is_binary: bool) -> Any:
    """Encodes a message to the server: bytes of MessagePack, or JSON text."""
    return codec().packb(value) if is_binary else json.dumps(value)


def unpacked(content: Any) -> Any:
    """Decodes a message: bytes are MessagePack, text is JSON."""
    return json.loads(content) if isinstance(content, str) else codec().unpackb(content)
