"""Failures, as one class: the server's error, or the reason why there was no answer."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional


class OverroundError(Exception):
    """A call that failed.

    `code` is the server's (`rate_limit_exceeded`, `not_found`, ...), or the client's own:
    `unreachable`, `too_large` (an answer or the slate exceeds the client's limit), `gap` (a mirror
    missed a change), `unknown` (an error without the server's envelope), or `no_websocket`,
    `no_msgpack` and `no_pandas` (a package is missing).
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        fix: Optional[str] = None,
        is_retriable: bool = False,
        retry_after_s: Optional[float] = None,
        scope: Optional[str] = None,
        request_id: Optional[str] = None,
        documentation_url: Optional[str] = None,
    ) -> None:
        super().__init__(f"{message}\n{fix}" if fix else message)
        self.message = message
        self.code = code
        #: HTTP status; 0 when there was no answer.
        self.status = status
        #: Advice for the caller, from the server or the client. It is also the last line of the text.
        self.fix = fix
        #: Whether the same call may succeed later.
        self.is_retriable = is_retriable
        self.retry_after_s = retry_after_s
        #: The limit behind a 429: None for the rate per minute, otherwise `daily`, `streams`,
        #: `tickets` or `free`.
        self.scope = scope
        #: The request's id, by which the operator finds it in the log.
        self.request_id = request_id
        self.documentation_url = documentation_url


def error_of(status: int, headers: Mapping[str, str], text: str) -> OverroundError:
    """The error for an answer with a status other than 2xx."""
    facts: dict[str, Any] = {
        "status": status,
        "scope": headers.get("x-ratelimit-scope"),
        "request_id": headers.get("x-request-id"),
        "retry_after_s": _number(headers.get("retry-after")),
        "is_retriable": status == 429 or status >= 500,
    }
    try:
        body = json.loads(text)
    except ValueError:
        body = None  # A proxy's page, or no body: only the status is used.
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return envelope_error(body["error"], **facts)
    if isinstance(body, dict) and isinstance(body.get("detail"), list):
        problems = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in body["detail"]]
        return OverroundError("; ".join(problems), code="validation_error", **facts)
    return OverroundError(f"The server answered {status} without a reason", code="unknown", **facts)


def envelope_error(error: Mapping[str, Any], **facts: Any) -> OverroundError:
    """The error in a server's error envelope, which comes as an answer or a WebSocket message."""
    facts["is_retriable"] = bool(error.get("is_retriable"))
    if facts.get("retry_after_s") is None:
        facts["retry_after_s"] = error.get("retry_after_seconds")
    return OverroundError(
        str(error.get("message")),
        code=str(error.get("code")),
        fix=error.get("fix"),
        documentation_url=error.get("documentation_url"),
        **facts,
    )


def too_large(what: str, most: int) -> OverroundError:
    """The error for an answer or event that exceeds the client's limit."""
    return OverroundError(
        f"Cannot read {what}: it is above {most:,} bytes",
        code="too_large",
        fix="Narrow the filters, or raise answer_bytes_max",
    )


def _number(text: Optional[str]) -> Optional[float]:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
