"""What messages and failures of a WebSocket mean, for both kinds of client."""

from __future__ import annotations

from typing import Any

from ._packing import unpacked
from .errors import OverroundError, envelope_error, error_of

#: The HTTP status that corresponds to the code of a WebSocket error. Only codes that make the mirror
#: fail, or reload the whole view, are listed.
_STATUS = {"invalid_request": 400, "unauthorized": 401, "forbidden": 403, "validation_error": 422}


def message_of(content: Any) -> Any:
    """Decodes a message from the server. Raises OverroundError when it is an error message."""
    message = unpacked(content)
    if message["event"] == "error":
        error = message["data"]["error"]
        raise envelope_error(error, status=_STATUS.get(error["code"], 0))
    return message


def refused(error: Exception) -> OverroundError:
    """Converts an exception of the WebSocket library to an OverroundError."""
    if isinstance(error, OverroundError):
        return error
    response = getattr(error, "response", None)
    if response is not None and hasattr(response, "status_code"):
        headers = {name.lower(): value for name, value in response.headers.raw_items()}
        return error_of(response.status_code, headers, (response.body or b"").decode(errors="replace"))
    text = str(error) or type(error).__name__
    is_too_large = "1009" in text or type(error).__name__ == "PayloadTooBig"
    return OverroundError(
        f"The connection broke: {text}",
        code="too_large" if is_too_large else "unreachable",
        is_retriable=not is_too_large,
    )


def without_library() -> OverroundError:
    return OverroundError(
        "There is no WebSocket here",
        code="no_websocket",
        fix="Install websockets (python3 -m pip install websockets), or follow via events",
    )
