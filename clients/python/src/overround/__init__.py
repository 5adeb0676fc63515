"""A client for an Overround odds server: typed calls, and a mirror of the slate that stays up to date
while you loop over it.
"""

from . import types
from ._async.client import AsyncClient
from ._async.mirror import AsyncMirror
from ._slate import Fixture, MirrorChange, QuoteKey, dataframe, quote_key
from ._sync.client import Client
from ._sync.mirror import Mirror
from .errors import OverroundError

__all__ = [
    "AsyncClient",
    "AsyncMirror",
    "Client",
    "Fixture",
    "Mirror",
    "MirrorChange",
    "OverroundError",
    "QuoteKey",
    "dataframe",
    "quote_key",
    "types",
]
