"""The content of a mirror: the fixtures of one view and their quotes, at one cursor. It applies whole
answers and changes, and does not depend on how they arrive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, Optional, Tuple, cast

from . import types
from .errors import OverroundError

#: Identifies a quote within its fixture: bookmaker, market type, period and line.
QuoteKey = Tuple[str, str, str, Optional[float]]


@dataclass
class Fixture:
    id: str
    event: types.Event
    state: types.MatchState
    quotes: Dict[QuoteKey, types.OddsQuote] = field(default_factory=dict)


@dataclass(frozen=True)
class MirrorChange:
    """What one answer or event of the server changed in the mirror."""

    #: The mirror's version after this change.
    cursor: str
    #: True when the whole view was replaced: drop anything that you remember of it.
    full: bool
    #: Ids of fixtures with any change.
    changed: FrozenSet[str]
    #: Ids of fixtures that left the view.
    removed: FrozenSet[str]
    #: Signals that opened, changed or closed. `opened` is reported once per signal, even if the
    #: mirror reconnects.
    signals: Tuple[types.StreamSignal, ...] = ()


class MirrorGap(Exception):
    """A received change does not fit the content, so an earlier change was missed. The mirror then
    loads the whole view.
    """


def quote_key(quote: types.OddsQuote) -> QuoteKey:
    return (quote["bookmaker"], quote["market_type"], quote["period"], quote["line"])


class Slate:
    def __init__(self, fixtures_max: int) -> None:
        self._fixtures_max = fixtures_max
        self.fixtures: Dict[str, Fixture] = {}
        #: The fixtures of a snapshot whose parts have not all arrived.
        self._draft: Optional[Dict[str, Fixture]] = None

    def apply(self, full: bool, changes: List[types.FixtureChange], removed: Iterable[str]) -> None:
        """Applies an answer of /v1/odds or a delta completely, or not at all if it does not fit."""
        held: Dict[str, Fixture] = {} if full else self.fixtures
        for change in changes:
            _assert_fits(held, change)
        for event_id in removed:
            held.pop(event_id, None)
        for change in changes:
            self._put(held, change)
        self.fixtures = held
        self._draft = None

    def apply_part(self, part: types.StreamSnapshot) -> None:
        """Adds one part of a snapshot. The content stays unchanged until the last part."""
        if part["part"] == 1:
            self._draft = {}
        if self._draft is None:
            raise MirrorGap(f"part {part['part']} of a snapshot that did not begin")
        for change in part["fixtures"]:
            _assert_fits(self._draft, change)
            self._put(self._draft, change)
        if part["last"]:
            self.fixtures, self._draft = self._draft, None

    def drop_draft(self) -> None:
        """Drops the received parts of a snapshot that will not be completed."""
        self._draft = None

    def _put(self, held: Dict[str, Fixture], change: types.FixtureChange) -> None:
        event_id, event, state = change["event_id"], change["event"], change["state"]
        fixture = held.get(event_id)
        if fixture is None:
            if len(held) == self._fixtures_max:
                raise OverroundError(
                    f"Cannot hold more than {self._fixtures_max} fixtures",
                    code="too_large",
                    fix="Narrow the filters of the mirror, or raise its fixtures_max",
                )
            assert event is not None and state is not None
            fixture = held[event_id] = Fixture(event_id, event, state)
        fixture.event = event or fixture.event
        fixture.state = state or fixture.state
        if change["replace"]:
            fixture.quotes = {}
        for quote in change["odds"]:
            fixture.quotes[quote_key(quote)] = quote


class Held:
    """What a program can read from a mirror, for both kinds of client."""

    def __init__(self, fixtures_max: int) -> None:
        self._slate = Slate(fixtures_max)
        #: The server's version of the content; None before the first whole view. After a missed
        #: change or a restart, it remains the version of the old content until the next whole
        #: view replaces that.
        self.cursor: Optional[str] = None
        #: The cursor from which the next session continues; None when the whole view must be
        #: loaded.
        self._since: Optional[str] = None
        #: When the feed last confirmed the slate, according to the server. With several sources it is the
        #: oldest of their confirmations, among sources whose prices may still be open.
        self.as_of: Optional[str] = None
        self.is_stale = False
        #: If the server has several sources: when each bookmaker's source last confirmed its open
        #: prices.
        self._confirmed_at: Optional[Dict[str, str]] = None
        #: `connecting`, `live`, `waiting` (for the next connection), `closed` or `failed`.
        self.state = "connecting"
        #: Why the mirror is waiting or has failed.
        self.error: Optional[OverroundError] = None
        #: Open signals by id, if `signals` asked for them.
        self.signals: Dict[str, types.StreamSignal] = {}

    def __len__(self) -> int:
        return len(self._slate.fixtures)

    def __contains__(self, event_id: str) -> bool:
        return event_id in self._slate.fixtures

    def __getitem__(self, event_id: str) -> Fixture:
        return self._slate.fixtures[event_id]

    def get(self, event_id: str) -> Optional[Fixture]:
        return self._slate.fixtures.get(event_id)

    @property
    def fixtures(self) -> List[Fixture]:
        return list(self._slate.fixtures.values())

    def confirmed_at(self, quote: types.OddsQuote) -> str:
        """The latest time at which the source of a quote is known to have confirmed it: that of its last
        message or, while the quote is open, of a later heartbeat of the source.
        """
        own = quote["as_of"]
        if quote["status"] != "open":
            return own
        heartbeat = self.as_of if self._confirmed_at is None else self._confirmed_at.get(quote["bookmaker"])
        # All server times have the same format, so comparing their texts compares the times.
        return own if heartbeat is None else max(own, heartbeat)

    def rows(self) -> Iterator[Dict[str, Any]]:
        """One row for each price in the mirror."""
        for fixture in self._slate.fixtures.values():
            event = fixture.event
            for quote in fixture.quotes.values():
                for outcome, price in quote["prices"].items():
                    yield {
                        "event_id": fixture.id,
                        "sport": event["sport"],
                        "league": event["league"]["name"],
                        "home_team": event["home_team"]["name"],
                        "away_team": event["away_team"]["name"],
                        "scheduled_at": event["scheduled_at"],
                        "event_status": event["status"],
                        "bookmaker": quote["bookmaker"],
                        "market_type": quote["market_type"],
                        "period": quote["period"],
                        "line": quote["line"],
                        "outcome": outcome,
                        "price": price,
                        "format": quote["format"],
                        "quote_status": quote["status"],
                        "as_of": quote["as_of"],
                    }

    def to_dataframe(self) -> Any:
        """The rows as a pandas DataFrame, with times in UTC. Needs the extra `pandas`."""
        return dataframe(self.rows())

    def _take_changes(self, answer: types.OddsChanges) -> Optional[MirrorChange]:
        self._slate.apply(answer["full"], answer["fixtures"], answer["removed"])
        self._note(answer["cursor"], answer["as_of"], answer["stale"])
        if answer["full"]:
            self._confirmed_at = None
        changed = frozenset(change["event_id"] for change in answer["fixtures"])
        if not answer["full"] and not changed and not answer["removed"]:
            return None
        return MirrorChange(answer["cursor"], answer["full"], changed, frozenset(answer["removed"]))

    def _take_event(self, event: str, data: Any) -> Optional[MirrorChange]:
        """Applies one event of a stream. Raises MirrorGap when it does not fit."""
        if event == "snapshot":
            self._slate.apply_part(data)
            if not data["last"]:
                return None
            self._note(data["cursor"], data["as_of"], data["stale"])
            # A whole view may come from a server that was restarted with other sources. `as_of` counts
            # for all of them until its first heartbeat.
            self._confirmed_at = None
            return MirrorChange(data["cursor"], True, frozenset(self._slate.fixtures), frozenset())
        if event == "delta":
            if data["from"] != self._since:
                raise MirrorGap(f"a delta from {data['from']} after {self._since}")
            return self._take_changes(cast(types.OddsChanges, {**data, "cursor": data["to"]}))
        if event == "heartbeat" and self._since is not None:
            # Servers of version 0.1 send no freshness with a heartbeat.
            self._note(data["cursor"], data.get("as_of", self.as_of), data.get("stale", self.is_stale))
            groups = data.get("confirmations")
            self._confirmed_at = (
                None
                if groups is None
                else {bookmaker: group["as_of"] for group in groups for bookmaker in group["bookmakers"]}
            )
        elif event == "signal":
            return self._take_signals([data])
        elif event == "signals" and data["ids"] is not None:
            # A signal that the server no longer lists has closed while the mirror was not connected.
            open_ids = set(data["ids"])
            gone = [signal for key, signal in self.signals.items() if key not in open_ids]
            closed: List[types.StreamSignal] = [{**signal, "change": "closed"} for signal in gone]
            return self._take_signals(closed) if closed else None
        return None

    def _take_signals(self, signals: List[types.StreamSignal]) -> MirrorChange:
        changes: List[types.StreamSignal] = []
        for signal in signals:
            if signal["change"] == "closed":
                self.signals.pop(signal["id"], None)
                changes.append(signal)
                continue
            # After each reconnection the server sends every open signal as `opened`. If the mirror
            # already holds the signal, it reports `changed`.
            is_held = signal["id"] in self.signals
            changes.append({**signal, "change": "changed" if is_held else "opened"})
            self.signals[signal["id"]] = signal
        return MirrorChange(self.cursor or "", False, frozenset(), frozenset(), tuple(changes))

    def _note(self, cursor: str, as_of: Optional[str], stale: bool) -> None:
        self.cursor, self._since, self.as_of, self.is_stale = cursor, cursor, as_of, stale


def dataframe(rows: Iterable[Dict[str, Any]]) -> Any:
    """Rows as a pandas DataFrame, with times in UTC."""
    try:
        import pandas
    except ImportError as error:
        raise OverroundError(
            "There is no pandas here", code="no_pandas", fix="Install pandas (python3 -m pip install pandas)"
        ) from error
    frame = pandas.DataFrame(list(rows))
    for column in ("scheduled_at", "as_of"):
        if column in frame:
            frame[column] = pandas.to_datetime(frame[column], utc=True)
    return frame


def _assert_fits(held: Dict[str, Fixture], change: types.FixtureChange) -> None:
    if (change["event"] is None or change["state"] is None) and change["event_id"] not in held:
        raise MirrorGap(f"a change of {change['event_id']}, which is not held")
