# Written by `bun run docs clients` from _async/operations.py.
"""One method for each operation, written by `bun run docs clients` from the server’s OpenAPI document."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union, cast
from urllib.parse import quote

from .. import types


class Operations:
    """The operations of the API. Arguments that are None are not sent."""

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        raise NotImplementedError

    def get_health(
        self,
    ) -> Union[types.Health, types.NodeHealth]:
        """Health of the service and its feed.

        Answers at all times. `feed_live` and `as_of` say how current the slate is.
        """
        answer = self.call(
            "GET",
            "/health",
        )
        return cast(Union[types.Health, types.NodeHealth], answer)

    def get_ready(
        self,
    ) -> types.Ready:
        """Whether the slate is being served.

        200 once the first snapshot is complete and as long as the feed is not lost, otherwise 503, like the odds. Lists the sources of the feed.
        """
        answer = self.call(
            "GET",
            "/ready",
        )
        return cast(types.Ready, answer)

    def list_sports(
        self,
    ) -> types.SportList:
        """List sports.

        The sports covered: a fixed list.
        """
        answer = self.call(
            "GET",
            "/v1/sports",
        )
        return cast(types.SportList, answer)

    def list_bookmakers(
        self,
    ) -> types.BookmakerList:
        """List bookmakers.

        The seven bookmakers: a fixed list. `key` is what every `bookmakers` filter takes.
        """
        answer = self.call(
            "GET",
            "/v1/bookmakers",
        )
        return cast(types.BookmakerList, answer)

    def list_leagues(
        self,
        *,
        sport: Optional[Literal["football", "basketball"]] = None,
        q: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.LeaguePage:
        """List leagues.

        Leagues with a fixture on the slate, by name then id; by relevance when `q` is given.
        """
        answer = self.call(
            "GET",
            "/v1/leagues",
            query={"sport": sport, "q": q, "limit": limit, "cursor": cursor},
        )
        return cast(types.LeaguePage, answer)

    def list_teams(
        self,
        *,
        q: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.TeamPage:
        """List teams.

        Teams with a fixture on the slate, by name then id; by relevance when `q` is given.
        """
        answer = self.call(
            "GET",
            "/v1/teams",
            query={"q": q, "sport": sport, "limit": limit, "cursor": cursor},
        )
        return cast(types.TeamPage, answer)

    def list_events(
        self,
        *,
        sport: Optional[Literal["football", "basketball"]] = None,
        league: Optional[str] = None,
        date: Optional[str] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        timezone: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.EventPage:
        """List fixtures.

        Fixtures on the slate by kickoff then id, filtered and paged.
        """
        answer = self.call(
            "GET",
            "/v1/events",
            query={"sport": sport, "league": league, "date": date, "status": status, "timezone": timezone, "limit": limit, "cursor": cursor},
        )
        return cast(types.EventPage, answer)

    def list_live_events(
        self,
    ) -> types.EventList:
        """List live fixtures.

        Fixtures being played now. An empty list is a valid answer.
        """
        answer = self.call(
            "GET",
            "/v1/events/live",
        )
        return cast(types.EventList, answer)

    def get_event(
        self,
        event_id: str,
    ) -> types.Event:
        """Get one fixture.

        One fixture of the slate.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}",
        )
        return cast(types.Event, answer)

    def get_event_state(
        self,
        event_id: str,
    ) -> types.EventState:
        """Get the state of one fixture.

        Status, score, red cards and clock of one fixture.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/state",
        )
        return cast(types.EventState, answer)

    def get_event_odds(
        self,
        event_id: str,
        *,
        bookmakers: Optional[Sequence[str]] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        at: Optional[str] = None,
    ) -> types.OddsBlock:
        """Get the odds of one fixture.

        Every quote of the fixture that passes the filters, as a flat list. Suspended quotes keep their last prices; filter on `status` before using one. The sharp book is left out on the free tier.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/odds",
            query={"bookmakers": bookmakers, "markets": markets, "period": period, "format": format, "at": at},
        )
        return cast(types.OddsBlock, answer)

    def get_event_market_odds(
        self,
        event_id: str,
        market_type: Literal["1x2", "asian_handicap", "totals"],
        *,
        bookmakers: Optional[Sequence[str]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        at: Optional[str] = None,
    ) -> types.OddsBlock:
        """Get the odds of one market of one fixture.

        The same as the odds of a fixture, but for one market type.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/odds/{quote(market_type, safe='')}",
            query={"bookmakers": bookmakers, "period": period, "format": format, "at": at},
        )
        return cast(types.OddsBlock, answer)

    def get_event_opening(
        self,
        event_id: str,
        *,
        bookmakers: Optional[Sequence[str]] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
    ) -> types.EventOpening:
        """Get the opening prices of one fixture.

        For each current quote, the first price seen at the same bookmaker, market, period and line. Frozen once recorded; a line with none on file is left out.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/opening",
            query={"bookmakers": bookmakers, "markets": markets, "period": period, "format": format},
        )
        return cast(types.EventOpening, answer)

    def batch_openings(
        self,
        *,
        event_ids: Sequence[str],
        bookmakers: Optional[str] = None,
        markets: Optional[str] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
    ) -> types.BatchOpenings:
        """Get the opening prices of up to 20 fixtures.

        The same as the opening prices of a fixture, but for several. Ids that are not on the slate are left out. Costs one request.
        """
        answer = self.call(
            "POST",
            "/v1/openings/batch",
            body={"event_ids": event_ids, "bookmakers": bookmakers, "markets": markets, "period": period, "format": format},
        )
        return cast(types.BatchOpenings, answer)

    def get_event_liquidity(
        self,
        event_id: str,
    ) -> types.Liquidity:
        """Get how much can be staked on one fixture at exchanges.

        For each exchange, what can be staked at the best price of every outcome, line by line, and what was traded so far, in the currency of the exchange. Other books are not in it; a fixture without an exchange has an empty list. A sharp exchange is left out on the free tier.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/liquidity",
        )
        return cast(types.Liquidity, answer)

    def get_odds(
        self,
        *,
        sport: Optional[Literal["football", "basketball"]] = None,
        league: Optional[str] = None,
        date: Optional[str] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        timezone: Optional[str] = None,
        bookmakers: Optional[Sequence[str]] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        since: Optional[str] = None,
        at: Optional[str] = None,
    ) -> types.OddsChanges:
        """Get the odds of the slate, or what changed.

        All odds under the filters of events and of odds, at one instant. With `since`, the `cursor` of an earlier answer with the same filters: only what changed after it, quote by quote, however long ago that was. See docs/guide/streaming.md for a mirror in fifteen lines. With `at` it costs five requests.
        """
        answer = self.call(
            "GET",
            "/v1/odds",
            query={"sport": sport, "league": league, "date": date, "status": status, "timezone": timezone, "bookmakers": bookmakers, "markets": markets, "period": period, "format": format, "since": since, "at": at},
        )
        return cast(types.OddsChanges, answer)

    def batch_odds(
        self,
        *,
        event_ids: Sequence[str],
        bookmakers: Optional[str] = None,
        markets: Optional[str] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        at: Optional[str] = None,
    ) -> types.BatchOdds:
        """Get the odds of up to 20 fixtures.

        One entry per id, in request order. An id that fails has an error in its own entry. Costs one request, with `at` one for each fixture; a key is required, a free one is enough.
        """
        answer = self.call(
            "POST",
            "/v1/odds/batch",
            body={"event_ids": event_ids, "bookmakers": bookmakers, "markets": markets, "period": period, "format": format, "at": at},
        )
        return cast(types.BatchOdds, answer)

    def get_event_history(
        self,
        event_id: str,
        *,
        bookmakers: Optional[Sequence[str]] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        line: Optional[float] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        resolution: Optional[Literal["tick", "1m", "5m", "1h", "1d"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.EventHistory:
        """Get every price change of one fixture.

        The ticks of each line that passes the filters: one for each published change of its prices or status. Nothing is sampled unless `resolution` asks for it. Gaps say for which times nothing is known. Fixtures that have left the slate are included.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/history",
            query={"bookmakers": bookmakers, "markets": markets, "period": period, "format": format, "line": line, "from": from_, "to": to, "resolution": resolution, "limit": limit, "cursor": cursor},
        )
        return cast(types.EventHistory, answer)

    def get_event_closing(
        self,
        event_id: str,
        *,
        bookmakers: Optional[Sequence[str]] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
    ) -> types.EventClosing:
        """Get the closing prices of one fixture.

        The last open price of each line published before the kickoff, unless its bookmaker had withdrawn or suspended it for more than ten minutes by then. Final once the match is seen live, otherwise ten minutes after the last scheduled kickoff. Until then, the list is empty.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/closing",
            query={"bookmakers": bookmakers, "markets": markets, "period": period, "format": format},
        )
        return cast(types.EventClosing, answer)

    def get_event_settlement(
        self,
        event_id: str,
    ) -> types.EventSettlement:
        """Get how the closing lines of one fixture settled.

        What became of a stake on each outcome of every line that had a closing price, as `/v1/convert/settle` says for one line. 404 until the match has a result.
        """
        answer = self.call(
            "GET",
            f"/v1/events/{quote(event_id, safe='')}/settlement",
        )
        return cast(types.EventSettlement, answer)

    def list_history_events(
        self,
        *,
        day: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        league: Optional[str] = None,
        q: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.HistoryEventPage:
        """List the fixtures of the price history.

        Fixtures with a price change on record, by kickoff then id, filtered and paged. Their ids are those of the slate.
        """
        answer = self.call(
            "GET",
            "/v1/history/events",
            query={"day": day, "sport": sport, "league": league, "q": q, "limit": limit, "cursor": cursor},
        )
        return cast(types.HistoryEventPage, answer)

    def get_history_coverage(
        self,
    ) -> types.HistoryCoverage:
        """Get what the price history holds.

        The first and last instant, each day with its fixtures and ticks, and the gaps. Callers without a key see the last 24 hours, the free tier seven days, others everything that is kept.
        """
        answer = self.call(
            "GET",
            "/v1/history",
        )
        return cast(types.HistoryCoverage, answer)

    def get_signal_record(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        group_by: Optional[Literal["bookmaker", "league", "market_type", "edge", "reference", "day"]] = None,
        kind: Optional[Literal["value", "arbitrage"]] = None,
        reference: Optional[Literal["sharp", "consensus"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        min_edge_pct: Optional[float] = None,
        in_play: Optional[Literal["true", "false"]] = None,
        series: Optional[Literal["true", "false"]] = None,
    ) -> types.SignalRecord:
        """Get the record of signals.

        Every value signal and arbitrage that opened while the server ran, graded by the closing prices and settled by the results, in one row or in groups. Losers count like winners, and a signal counts once however often its price changed. See docs/reference/signals.md for what a small sample means. `series=true` adds the growth of one unit on each and the spread of closing line values, as points of charts. It costs five requests.
        """
        answer = self.call(
            "GET",
            "/v1/signals/record",
            query={"from": from_, "to": to, "group_by": group_by, "kind": kind, "reference": reference, "sport": sport, "min_edge_pct": min_edge_pct, "in_play": in_play, "series": series},
        )
        return cast(types.SignalRecord, answer)

    def resolve_event(
        self,
        *,
        query: str,
        context: Optional[Dict[str, Any]] = None,
    ) -> types.ResolvedEvent:
        """Find the fixture a text means.

        Never guesses: several plausible fixtures are `ambiguous`, with all of them as alternatives.
        """
        answer = self.call(
            "POST",
            "/v1/resolve/event",
            body={"query": query, "context": context},
        )
        return cast(types.ResolvedEvent, answer)

    def resolve_team(
        self,
        *,
        query: str,
        sport: Optional[Literal["football", "basketball"]] = None,
    ) -> types.ResolvedTeam:
        """Find the team a text means.

        Searches the teams of the current slate.
        """
        answer = self.call(
            "POST",
            "/v1/resolve/team",
            body={"query": query, "sport": sport},
        )
        return cast(types.ResolvedTeam, answer)

    def resolve_league(
        self,
        *,
        query: str,
    ) -> types.ResolvedLeague:
        """Find the league a text means.

        Searches the leagues of the current slate.
        """
        answer = self.call(
            "POST",
            "/v1/resolve/league",
            body={"query": query},
        )
        return cast(types.ResolvedLeague, answer)

    def convert_odds(
        self,
        *,
        value: float,
        from_: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"],
        to: Sequence[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]],
        bookmaker: Optional[str] = None,
    ) -> types.ConvertOddsResponse:
        """Convert odds between formats.

        Deterministic. Answers the source format, echoed exactly, and each requested one. `bookmaker` applies that book's malay decimals.
        """
        answer = self.call(
            "POST",
            "/v1/convert/odds",
            body={"value": value, "from": from_, "to": to, "bookmaker": bookmaker},
        )
        return cast(types.ConvertOddsResponse, answer)

    def convert_handicap(
        self,
        *,
        line: float,
    ) -> types.ConvertHandicapResponse:
        """Explain an Asian handicap line.

        Deterministic. The components of a line, and how it settles, in words and as predicates.
        """
        answer = self.call(
            "POST",
            "/v1/convert/handicap",
            body={"line": line},
        )
        return cast(types.ConvertHandicapResponse, answer)

    def convert_settle(
        self,
        *,
        sport: Literal["football", "basketball"],
        market_type: Literal["1x2", "asian_handicap", "totals"],
        period: Optional[Literal["full_time", "half_time"]] = None,
        line: Optional[float] = None,
        score: Dict[str, Any],
        from_score: Optional[Dict[str, Any]] = None,
    ) -> types.ConvertSettleResponse:
        """Settle a line by a score.

        Deterministic and exact. What becomes of a stake on each outcome; quarter lines may win or lose half. A basketball 1x2 that ends level is a push.
        """
        answer = self.call(
            "POST",
            "/v1/convert/settle",
            body={"sport": sport, "market_type": market_type, "period": period, "line": line, "score": score, "from_score": from_score},
        )
        return cast(types.ConvertSettleResponse, answer)

    def list_results(
        self,
        *,
        date: Optional[str] = None,
        team: Optional[str] = None,
        league: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.ResultList:
        """List results.

        Finished matches of the last 30 days, most recent first: scores and red cards, no odds.
        """
        answer = self.call(
            "GET",
            "/v1/results",
            query={"date": date, "team": team, "league": league, "limit": limit},
        )
        return cast(types.ResultList, answer)

    def get_result(
        self,
        event_id: str,
    ) -> types.Result:
        """Get one result.

        The result of one finished match.
        """
        answer = self.call(
            "GET",
            f"/v1/results/{quote(event_id, safe='')}",
        )
        return cast(types.Result, answer)

    def get_usage(
        self,
    ) -> types.UsageReport:
        """Usage of the key.

        Requests, errors and latency of the key since the server started, and totals of all callers.
        """
        answer = self.call(
            "GET",
            "/v1/usage",
        )
        return cast(types.UsageReport, answer)

    def create_ticket(
        self,
    ) -> types.StreamTicket:
        """Get a ticket for one stream.

        A ticket replaces the key once, within 30 seconds. Send it as the parameter `ticket` of `/v1/stream` or `/v1/ws` from a browser, whose EventSource and WebSocket send no Authorization header. A key may have 100 unused tickets; on the free plan, all keys of an account have 20 together.
        """
        answer = self.call(
            "POST",
            "/v1/tickets",
        )
        return cast(types.StreamTicket, answer)

    def sign_up(
        self,
        *,
        email: str,
        password: str,
    ) -> types.SignupAnswer:
        """Sign up.

        Sends a six-digit code by mail. The answer does not show whether the address has an account. A server that cannot send mail answers 403.
        """
        answer = self.call(
            "POST",
            "/platform/signup",
            body={"email": email, "password": password},
        )
        return cast(types.SignupAnswer, answer)

    def verify_account(
        self,
        *,
        email: str,
        code: str,
    ) -> types.AccountAnswer:
        """Verify an address.

        Takes the code of the mail within 30 minutes: the six digits, with at most five tries, or the long code below them.
        """
        answer = self.call(
            "POST",
            "/platform/verify",
            body={"email": email, "code": code},
        )
        return cast(types.AccountAnswer, answer)

    def log_in(
        self,
        *,
        email: str,
        password: str,
    ) -> types.LoginAnswer:
        """Log in.

        Returns a session token, which is also set as an HttpOnly cookie. A session lasts 30 days, and ends sooner when it is not used (seven days, unless the operator sets another time). If the request has a session cookie, that session ends. A second cookie, `overround_device`, lets this device log in while strangers who guess passwords are locked out. Where the site is https, both names begin with `__Host-`.
        """
        answer = self.call(
            "POST",
            "/platform/login",
            body={"email": email, "password": password},
        )
        return cast(types.LoginAnswer, answer)

    def log_out(
        self,
    ) -> types.LogoutAnswer:
        """Log out.

        Ends the session of this request.
        """
        answer = self.call(
            "POST",
            "/platform/logout",
        )
        return cast(types.LogoutAnswer, answer)

    def get_account(
        self,
    ) -> types.MeAnswer:
        """Who am I.

        The account of the session.
        """
        answer = self.call(
            "GET",
            "/platform/me",
        )
        return cast(types.MeAnswer, answer)

    def set_plan(
        self,
        *,
        plan: Literal["free", "standard", "realtime", "enterprise"],
    ) -> types.AccountAnswer:
        """Set the plan (development stub).

        Sets the plan with no payment while development mode is on. Disabled in production: 403.
        """
        answer = self.call(
            "POST",
            "/platform/account/plan",
            body={"plan": plan},
        )
        return cast(types.AccountAnswer, answer)

    def list_keys(
        self,
    ) -> types.KeysAnswer:
        """List keys.

        Keys of the account, revoked ones included. Never the key itself.
        """
        answer = self.call(
            "GET",
            "/platform/keys",
        )
        return cast(types.KeysAnswer, answer)

    def create_key(
        self,
        *,
        label: Optional[str] = None,
        tier: Optional[Literal["free", "standard", "realtime", "enterprise"]] = None,
        expires_at: Optional[str] = None,
        allowed_addresses: Optional[Sequence[str]] = None,
    ) -> types.KeyWithSecret:
        """Create a key.

        The answer shows the key, only this once. A tier above the plan is 402. A key may expire (`expires_at`) and be bound to addresses (`allowed_addresses`).
        """
        answer = self.call(
            "POST",
            "/platform/keys",
            body={"label": label, "tier": tier, "expires_at": expires_at, "allowed_addresses": allowed_addresses},
        )
        return cast(types.KeyWithSecret, answer)

    def rotate_key(
        self,
        key_id: str,
    ) -> types.KeyWithSecret:
        """Rotate a key.

        The answer shows the new key, only this once. The old one stops working at once.
        """
        answer = self.call(
            "POST",
            f"/platform/keys/{quote(key_id, safe='')}/rotate",
        )
        return cast(types.KeyWithSecret, answer)

    def revoke_key(
        self,
        key_id: str,
    ) -> types.Key:
        """Revoke a key.

        The key stops working at once and stays in the list as revoked.
        """
        answer = self.call(
            "DELETE",
            f"/platform/keys/{quote(key_id, safe='')}",
        )
        return cast(types.Key, answer)

    def get_account_usage(
        self,
    ) -> types.AccountUsageAnswer:
        """Usage of the account.

        Requests of each key and of all together since the server started.
        """
        answer = self.call(
            "GET",
            "/platform/usage",
        )
        return cast(types.AccountUsageAnswer, answer)

    def forgot_password(
        self,
        *,
        email: str,
    ) -> types.ResetAskedAnswer:
        """Ask for a new password.

        Mails a code that can set a new password for an hour. The answer does not show whether the address has an account.
        """
        answer = self.call(
            "POST",
            "/platform/password/forgot",
            body={"email": email},
        )
        return cast(types.ResetAskedAnswer, answer)

    def reset_password(
        self,
        *,
        code: str,
        new_password: str,
    ) -> types.LoginAnswer:
        """Set a new password by mail.

        Takes the code of the mail, ends all sessions of the account and logs in.
        """
        answer = self.call(
            "POST",
            "/platform/password/reset",
            body={"code": code, "new_password": new_password},
        )
        return cast(types.LoginAnswer, answer)

    def change_password(
        self,
        *,
        password: str,
        new_password: str,
    ) -> types.PasswordChangedAnswer:
        """Change the password.

        Takes the present password, ends all other sessions and notifies the owner by mail.
        """
        answer = self.call(
            "POST",
            "/platform/account/password",
            body={"password": password, "new_password": new_password},
        )
        return cast(types.PasswordChangedAnswer, answer)

    def change_email(
        self,
        *,
        password: str,
        new_email: str,
    ) -> types.ChangeEmailAnswer:
        """Move the account to another address.

        Mails a code to the new address and a notice to the old one. The answer does not show whether the new address has an account.
        """
        answer = self.call(
            "POST",
            "/platform/account/email",
            body={"password": password, "new_email": new_email},
        )
        return cast(types.ChangeEmailAnswer, answer)

    def confirm_email(
        self,
        *,
        code: str,
    ) -> types.AccountAnswer:
        """Confirm the new address.

        Takes the code that was mailed to the new address. The `id` of the account changes with its address; both addresses get a mail.
        """
        answer = self.call(
            "POST",
            "/platform/account/email/confirm",
            body={"code": code},
        )
        return cast(types.AccountAnswer, answer)

    def list_sessions(
        self,
    ) -> types.SessionsAnswer:
        """List sessions.

        Live sessions of the account, with the client that logged in and the time of last use.
        """
        answer = self.call(
            "GET",
            "/platform/sessions",
        )
        return cast(types.SessionsAnswer, answer)

    def end_sessions(
        self,
        *,
        password: str,
        session_id: Optional[str] = None,
    ) -> types.SessionsEndedAnswer:
        """End a session, or all others.

        Takes the password. Ends the session with that `session_id`, or, without one, all other sessions.
        """
        answer = self.call(
            "POST",
            "/platform/sessions/end",
            body={"password": password, "session_id": session_id},
        )
        return cast(types.SessionsEndedAnswer, answer)

    def delete_account(
        self,
        *,
        password: str,
    ) -> types.DeletedAnswer:
        """Delete the account.

        Takes the password. Deletes the account with its keys, which stop working at once.
        """
        answer = self.call(
            "POST",
            "/platform/account/delete",
            body={"password": password},
        )
        return cast(types.DeletedAnswer, answer)

    def list_views(
        self,
    ) -> types.SavedViewsAnswer:
        """List saved views.

        The views of the board that the account has saved.
        """
        answer = self.call(
            "GET",
            "/platform/views",
        )
        return cast(types.SavedViewsAnswer, answer)

    def save_view(
        self,
        *,
        name: str,
        query: str,
    ) -> types.SavedView:
        """Save a view.

        Saves the query of the board’s address under a name, or replaces the view of that name. At most 20 views.
        """
        answer = self.call(
            "POST",
            "/platform/views",
            body={"name": name, "query": query},
        )
        return cast(types.SavedView, answer)

    def delete_view(
        self,
        view_id: str,
    ) -> types.ViewDeletedAnswer:
        """Delete a saved view.

        Deletes a saved view for good.
        """
        answer = self.call(
            "DELETE",
            f"/platform/views/{quote(view_id, safe='')}",
        )
        return cast(types.ViewDeletedAnswer, answer)

    def list_alerts(
        self,
    ) -> types.AlertsAnswer:
        """List alert rules.

        The rules of the account.
        """
        answer = self.call(
            "GET",
            "/platform/alerts",
        )
        return cast(types.AlertsAnswer, answer)

    def create_alert(
        self,
        *,
        name: str,
        when: types.AlertWhen,
        where: Optional[types.AlertWhere] = None,
        to: types.AlertTo,
    ) -> types.AlertWithSecret:
        """Create an alert rule.

        Sends a message when something happens: `when` says what, `where` narrows it, `to` says where to send. At most 50 rules. The answer shows the signing secret, only this once.
        """
        answer = self.call(
            "POST",
            "/platform/alerts",
            body={"name": name, "when": when, "where": where, "to": to},
        )
        return cast(types.AlertWithSecret, answer)

    def get_alert(
        self,
        alert_id: str,
    ) -> types.AlertAnswer:
        """One alert rule.

        A rule and its state.
        """
        answer = self.call(
            "GET",
            f"/platform/alerts/{quote(alert_id, safe='')}",
        )
        return cast(types.AlertAnswer, answer)

    def change_alert(
        self,
        alert_id: str,
        *,
        name: Optional[str] = None,
        when: Optional[types.AlertWhen] = None,
        where: Optional[types.AlertWhere] = None,
        to: Optional[types.AlertTo] = None,
        status: Optional[Literal["active", "paused"]] = None,
    ) -> types.AlertAnswer:
        """Change or pause an alert rule.

        Each field that is sent replaces the former one. `status` pauses a rule or lets it send.
        """
        answer = self.call(
            "PATCH",
            f"/platform/alerts/{quote(alert_id, safe='')}",
            body={"name": name, "when": when, "where": where, "to": to, "status": status},
        )
        return cast(types.AlertAnswer, answer)

    def delete_alert(
        self,
        alert_id: str,
    ) -> types.AlertDeleted:
        """Delete an alert rule.

        Deletes a rule with its deliveries, waiting ones included.
        """
        answer = self.call(
            "DELETE",
            f"/platform/alerts/{quote(alert_id, safe='')}",
        )
        return cast(types.AlertDeleted, answer)

    def preview_alert(
        self,
        *,
        when: types.AlertWhen,
        where: Optional[types.AlertWhere] = None,
    ) -> types.AlertPreview:
        """Try an alert rule on the last day.

        Checks a rule as creating it does, and counts the alerts that it would have sent in the last 24 hours, by playing the price history again. Nothing is created or sent.
        """
        answer = self.call(
            "POST",
            "/platform/alerts/preview",
            body={"when": when, "where": where},
        )
        return cast(types.AlertPreview, answer)

    def test_alert(
        self,
        alert_id: str,
    ) -> types.AlertQueued:
        """Send a test.

        Sends a made-up alert, also for a paused rule.
        """
        answer = self.call(
            "POST",
            f"/platform/alerts/{quote(alert_id, safe='')}/test",
        )
        return cast(types.AlertQueued, answer)

    def rotate_alert_secret(
        self,
        alert_id: str,
    ) -> types.AlertWithSecret:
        """Rotate the signing secret.

        The answer shows the new secret, only this once. For a day, deliveries are signed with both secrets.
        """
        answer = self.call(
            "POST",
            f"/platform/alerts/{quote(alert_id, safe='')}/rotate",
        )
        return cast(types.AlertWithSecret, answer)

    def list_alert_deliveries(
        self,
        alert_id: str,
        *,
        before: Optional[str] = None,
    ) -> types.AlertDeliveriesAnswer:
        """List deliveries.

        What the rule sent lately, with the answers of its endpoint. One list has at most 256 KB: for older ones, ask again with `before`.
        """
        answer = self.call(
            "GET",
            f"/platform/alerts/{quote(alert_id, safe='')}/deliveries",
            query={"before": before},
        )
        return cast(types.AlertDeliveriesAnswer, answer)

    def resend_alert_delivery(
        self,
        alert_id: str,
        delivery_id: str,
    ) -> types.AlertQueued:
        """Send a delivery again.

        The delivery keeps its id, so that an endpoint can recognise one that it has received before.
        """
        answer = self.call(
            "POST",
            f"/platform/alerts/{quote(alert_id, safe='')}/deliveries/{quote(delivery_id, safe='')}/resend",
        )
        return cast(types.AlertQueued, answer)

    def list_tools(
        self,
    ) -> types.ToolManifest:
        """List agent tools.

        Every tool with its description and the JSON Schemas of its input and output.
        """
        answer = self.call(
            "GET",
            "/v1/mcp/tools",
        )
        return cast(types.ToolManifest, answer)

    def get_sharp_line(
        self,
        *,
        query: str,
        market_type: Optional[Literal["1x2", "asian_handicap", "totals"]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        line: Optional[float] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        verbosity: Optional[Literal["full", "terse"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.SharpLineResult:
        """Get the sharp line.

        Answers "what is the line on Arsenal?" in one call: finds the fixture from words, then the consensus line, best price per outcome, and fair odds from the sharpest book (lowest overround). Words ("over 2.5", "-1.5", "moneyline", "first half") or `market_type`, `period` and `line` say what, else the full-time asian_handicap at the consensus line; `verbosity: "terse"` leaves out the per-book list. Use compare_lines when you already have an event_id, find_value to look for prices above fair. Example: {"query": "Lakers vs Celtics", "market_type": "totals", "verbosity": "terse"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/get_sharp_line",
            body={"query": query, "market_type": market_type, "period": period, "line": line, "format": format, "verbosity": verbosity, "sport": sport, "date": date},
        )
        return cast(types.SharpLineResult, answer)

    def find_match(
        self,
        *,
        query: str,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.FindMatchResult:
        """Find a match.

        Turns a person's words into one fixture: team names in any order, nicknames, an optional date. Answers its event_id, teams, league, kickoff, status and score. Use it first when you have words and need an event_id; use match_info for who is favourite or who won, list_today_matches to browse. Never guesses: with several plausible fixtures it answers `ambiguous` and a question for the user. Example: {"query": "Man Utd v Spurs 2026-03-01"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/find_match",
            body={"query": query, "sport": sport, "date": date},
        )
        return cast(types.FindMatchResult, answer)

    def match_info(
        self,
        *,
        query: str,
        timezone: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.MatchInfoResult:
        """Match info.

        Answers when a match kicks off (in a time zone), the live score, who is favourite and with what probability, who won a finished match (results are kept for 30 days), and how much can be staked on it at exchanges. Finds the match from words; `timezone` adds the local kickoff time; a `date` of YYYY-MM-DD is a UTC day whatever the zone. Use get_sharp_line for lines and prices, score_prob for likely scores. Example: {"query": "who won Arsenal vs Chelsea", "timezone": "Europe/London"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/match_info",
            body={"query": query, "timezone": timezone, "sport": sport, "date": date},
        )
        return cast(types.MatchInfoResult, answer)

    def get_match_odds(
        self,
        *,
        event_id: Optional[str] = None,
        query: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        bookmakers: Optional[Sequence[str]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
    ) -> types.MatchOddsResult:
        """Get match odds.

        Every quote of one fixture, by `event_id` or `query`: book, market, period, line, prices and status, as a flat list. Narrow it with markets, bookmakers and period; a whole fixture has some 75 quotes. Suspended quotes keep their last prices, so use only `open` ones. Use compare_lines for best prices and the consensus line of one market. Example: {"event_id": "evt_tb6aCmXS", "markets": ["1x2"], "period": "full_time"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/get_match_odds",
            body={"event_id": event_id, "query": query, "sport": sport, "date": date, "markets": markets, "bookmakers": bookmakers, "period": period, "format": format},
        )
        return cast(types.MatchOddsResult, answer)

    def compare_lines(
        self,
        *,
        event_id: Optional[str] = None,
        query: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
        market_type: Optional[Literal["1x2", "asian_handicap", "totals"]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        line: Optional[float] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        verbosity: Optional[Literal["full", "terse"]] = None,
    ) -> types.CompareLinesResult:
        """Compare lines.

        Compares the books on one market of one fixture, by `event_id` or `query`: consensus line, lines offered, best price per outcome, fair odds of the sharpest book, and each book's line with its overround. Words in `query` ("over 2.5", "first half") or `market_type`, `period` and `line` say what, else the full-time asian_handicap; `line` judges another line than the consensus; `verbosity: "terse"` leaves out the per-book list. Use get_sharp_line for the same with a decision and alternatives, get_match_odds for raw prices of every market. Example: {"event_id": "evt_tb6aCmXS", "market_type": "totals", "line": 2.5}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/compare_lines",
            body={"event_id": event_id, "query": query, "sport": sport, "date": date, "market_type": market_type, "period": period, "line": line, "format": format, "verbosity": verbosity},
        )
        return cast(types.CompareLinesResult, answer)

    def explain_handicap(
        self,
        *,
        line: float,
    ) -> types.ConvertHandicapResponse:
        """Explain a handicap.

        Explains how an Asian handicap line settles: its components, a plain sentence and the condition of each outcome over a = (home goals - away goals) + line. Needs no fixture. `line` is the home side's handicap, a multiple of 0.25. Use compare_lines for the prices of a handicap. Example: {"line": -0.75}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/explain_handicap",
            body={"line": line},
        )
        return cast(types.ConvertHandicapResponse, answer)

    def list_today_matches(
        self,
        *,
        sport: Optional[Literal["football", "basketball"]] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        league: Optional[str] = None,
        limit: Optional[int] = None,
        timezone: Optional[str] = None,
        verbosity: Optional[Literal["full", "terse"]] = None,
    ) -> types.TodayMatches:
        """List today's matches.

        Fixtures that kick off today, plus any still live, by kickoff: teams, league, status, score and clock. Today is the UTC day unless `timezone` is given, which also makes kickoff times in summaries local. `status`, `sport` and `league` (a name or an lg_ id) narrow the list, `limit` (1-200, default 50) cuts it; `verbosity: "terse"` gives one short row a match. Use list_events for another day or a range, find_match when you know the teams. Example: {"sport": "football", "status": "live"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/list_today_matches",
            body={"sport": sport, "status": status, "league": league, "limit": limit, "timezone": timezone, "verbosity": verbosity},
        )
        return cast(types.TodayMatches, answer)

    def list_events_tool(
        self,
        *,
        date: str,
        date_to: Optional[str] = None,
        timezone: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        league: Optional[str] = None,
        limit: Optional[int] = None,
        verbosity: Optional[Literal["full", "terse"]] = None,
    ) -> types.EventsResult:
        """List events.

        Only the fixtures that kick off on a day, or in a range that ends up to 31 days later, by kickoff. `timezone` moves the day boundary and adds local kickoff times; `status`, `sport` and `league` (a name or an lg_ id) narrow the list; `truncated` says when `limit` (1-200, default 50) cut it; `verbosity: "terse"` gives one short row a match. Use list_today_matches for today and what is live now, list_results for finished scores. Example: {"date": "2026-03-01", "date_to": "2026-03-02", "timezone": "Europe/Madrid"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/list_events",
            body={"date": date, "date_to": date_to, "timezone": timezone, "sport": sport, "status": status, "league": league, "limit": limit, "verbosity": verbosity},
        )
        return cast(types.EventsResult, answer)

    def list_bookmakers_tool(
        self,
    ) -> types.BookmakersResult:
        """List bookmakers.

        The seven bookmakers with the keys that `bookmakers` filters take, their class (sharp or asian), and what your tier covers. Use get_match_odds for their prices. Example: {}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/list_bookmakers",
            body={},
        )
        return cast(types.BookmakersResult, answer)

    def get_opening_line(
        self,
        *,
        query: str,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        bookmakers: Optional[Sequence[str]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.OpeningLineResult:
        """Get the opening line.

        Line movement of one fixture: per book, market and period the first line and prices ever seen beside the current ones. For handicap and totals, `line` differing from `current_line` is the line movement; for 1x2 compare the prices. `markets`, `bookmakers` and `period` narrow it. Use get_sharp_line for where the market stands now. Example: {"query": "Arsenal vs Chelsea", "markets": ["asian_handicap"], "period": "full_time"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/get_opening_line",
            body={"query": query, "markets": markets, "bookmakers": bookmakers, "period": period, "format": format, "sport": sport, "date": date},
        )
        return cast(types.OpeningLineResult, answer)

    def get_closing_line(
        self,
        *,
        query: str,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        bookmakers: Optional[Sequence[str]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.ClosingLineResult:
        """Get the closing line.

        Closing prices of one fixture: per book and line the last open price before the kickoff, for closing line value. Finished matches too, if a day is named. `markets`, `bookmakers` and `period` narrow it. Before the kickoff there are none. Use get_opening_line for the other end, line_history for what happened in between. Example: {"query": "Arsenal vs Chelsea", "date": "2026-03-01", "markets": ["1x2"]}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/get_closing_line",
            body={"query": query, "markets": markets, "bookmakers": bookmakers, "period": period, "format": format, "sport": sport, "date": date},
        )
        return cast(types.ClosingLineResult, answer)

    def line_history(
        self,
        *,
        query: str,
        market_type: Optional[Literal["1x2", "asian_handicap", "totals"]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        line: Optional[float] = None,
        bookmakers: Optional[Sequence[str]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        timezone: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        resolution: Optional[Literal["tick", "1m", "5m", "1h", "1d"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.LineHistoryResult:
        """Line history.

        How a line has moved: one sentence (opened, high, low, moves, now or close) and every price change, for finished matches too, if a day is named. `market_type`, `period`, `line` and `bookmakers` narrow it; `from` and `to` limit the time. Use get_opening_line for openings alone, get_closing_line for closing prices. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "line": 2.5, "bookmakers": ["crown"]}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/line_history",
            body={"query": query, "market_type": market_type, "period": period, "line": line, "bookmakers": bookmakers, "format": format, "timezone": timezone, "from": from_, "to": to, "resolution": resolution, "sport": sport, "date": date},
        )
        return cast(types.LineHistoryResult, answer)

    def find_value(
        self,
        *,
        query: str,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        min_edge_pct: Optional[float] = None,
        min_ev_pct: Optional[float] = None,
        max_age_s: Optional[int] = None,
        reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.FindValueResult:
        """Find value.

        Reports prices of one fixture above the fair price of a reference at the same market, period and line, with the edge in per cent. `reference` is the sharp book (default), `consensus` (all other books) or a bookmaker. Finds the fixture from words. `min_edge_pct` (default 1) is the least edge reported, `min_ev_pct` the least expected return, `max_age_s` the most age of a price; `markets` and `period` narrow the search; `excluded` counts what was left out. The sharp book needs the standard tier or above. Reports only: it sizes no stake. Use scan_slate to search every fixture, compare_prob to test a probability of your own, find_arbitrage for sure margins. Example: {"query": "Arsenal vs Chelsea", "min_edge_pct": 2}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/find_value",
            body={"query": query, "markets": markets, "period": period, "min_edge_pct": min_edge_pct, "min_ev_pct": min_ev_pct, "max_age_s": max_age_s, "reference": reference, "format": format, "sport": sport, "date": date},
        )
        return cast(types.FindValueResult, answer)

    def find_arbitrage(
        self,
        *,
        query: str,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        min_margin_pct: Optional[float] = None,
        max_age_s: Optional[int] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.FindArbitrageResult:
        """Find arbitrage.

        Reports combinations of open prices of one fixture, one per outcome at the same line and from at least two books, whose inverse prices add up to less than 1, with the margin in per cent. Finds the fixture from words. `min_margin_pct` (default 0) is the least margin reported, `max_age_s` the most age of a price; `markets` and `period` narrow the search; `excluded` counts what was left out. Reports only: it sizes no stake. Rare by nature: use scan_slate to search every fixture, find_value for single prices above fair. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/find_arbitrage",
            body={"query": query, "markets": markets, "period": period, "min_margin_pct": min_margin_pct, "max_age_s": max_age_s, "format": format, "sport": sport, "date": date},
        )
        return cast(types.FindArbitrageResult, answer)

    def find_middles(
        self,
        *,
        query: str,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        min_ev_pct: Optional[float] = None,
        max_hold_pct: Optional[float] = None,
        max_age_s: Optional[int] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.FindMiddlesResult:
        """Find middles.

        Reports pairs of open prices of two owners at two lines of one handicap or total of a fixture that can both win (over 2.5 and under 3.5), with the probability of that and the expected return of the pair; and lines whose best prices together are close to fair (low hold). `min_ev_pct` (default 0) is the least expected return, `max_hold_pct` (1) the highest hold; `markets`, `period` and `max_age_s` narrow the search. Reports only: it sizes no stake. Use find_arbitrage for pairs at one line, find_value for single prices above fair. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/find_middles",
            body={"query": query, "markets": markets, "period": period, "min_ev_pct": min_ev_pct, "max_hold_pct": max_hold_pct, "max_age_s": max_age_s, "format": format, "sport": sport, "date": date},
        )
        return cast(types.FindMiddlesResult, answer)

    def compare_prob(
        self,
        *,
        query: str,
        outcome: Optional[Literal["home", "draw", "away", "over", "under"]] = None,
        external_prob: Optional[float] = None,
        price: Optional[float] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        market_type: Optional[Literal["1x2", "asian_handicap", "totals"]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        line: Optional[float] = None,
        reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]] = None,
        external_label: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.CompareProbResult:
        """Compare a probability.

        Answers "is 2.10 on over 2.5 good?": judges a price, or a probability from elsewhere (a prediction market, a model), against the fair one of the sharpest book: fair probability, edge in percentage points, expected return, verdict good/marginal/no_edge and caveats to pass on. It never sizes a stake. Send `price` (in `format`) or `external_prob` (fees included); `outcome` is home/draw/away for 1x2, home/away for asian_handicap, over/under for totals; `line` is the consensus line unless given. Use get_sharp_line for the market itself, find_value for books priced above fair, score_prob for exact scores. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "outcome": "over", "line": 2.5, "price": 2.1}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/compare_prob",
            body={"query": query, "outcome": outcome, "external_prob": external_prob, "price": price, "format": format, "market_type": market_type, "period": period, "line": line, "reference": reference, "external_label": external_label, "sport": sport, "date": date},
        )
        return cast(types.CompareProbResult, answer)

    def score_prob(
        self,
        *,
        query: str,
        top: Optional[int] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        date: Optional[str] = None,
    ) -> types.ScoreProbResult:
        """Likeliest scores.

        Answers "what will the score be?" for one football match: the likeliest full-time scores with probabilities, expected goals per side, the implied 1x2, and `ah_ev_check`, near 0 when the handicap market agrees. Fitted (Dixon-Coles) to the sharpest book's 1x2 and totals; works live from the current score. Not for basketball. Use match_info for who is favourite, compare_prob to judge a probability you already have, get_result for a finished match. `top` is 1 to 10, default 5. Example: {"query": "Arsenal vs Chelsea", "top": 3}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/score_prob",
            body={"query": query, "top": top, "sport": sport, "date": date},
        )
        return cast(types.ScoreProbResult, answer)

    def scan_slate(
        self,
        *,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        league: Optional[str] = None,
        markets: Optional[Sequence[Literal["1x2", "asian_handicap", "totals"]]] = None,
        bookmakers: Optional[Sequence[str]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
        date: Optional[str] = None,
        date_to: Optional[str] = None,
        timezone: Optional[str] = None,
        signal: Optional[Literal["value", "arbitrage", "any"]] = None,
        outcome: Optional[Literal["home", "draw", "away", "over", "under"]] = None,
        hits: Optional[Literal["best", "all"]] = None,
        only_signal: Optional[bool] = None,
        min_edge_pct: Optional[float] = None,
        min_ev_pct: Optional[float] = None,
        min_margin_pct: Optional[float] = None,
        max_age_s: Optional[int] = None,
        reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]] = None,
        format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]] = None,
        limit: Optional[int] = None,
    ) -> types.ScanSlateResult:
        """Scan the slate.

        Sweeps the whole slate in one call: scores up to 100 fixtures (live first, then the soonest) for value and arbitrage and puts those with a signal first, each with its favourite, best value bet and best arbitrage. `min_edge_pct` (default 1) and `min_margin_pct` (0) say what counts, `min_ev_pct` the least expected return, `max_age_s` the most age of a price; `signal` and `outcome` what is looked for; `status`, `sport`, `league`, `markets`, `period`, `date` and `date_to` narrow the slate, `bookmakers` the prices reported; value is measured against `reference`; `only_signal` leaves out the rest; `hits: "all"` lists every hit; `limit` (default 20) cuts it. The sharp book needs the standard tier or above. Use find_value or find_arbitrage for every hit of one fixture, get_opening_line for line movement. Example: {"league": "Serie A", "date": "tonight", "signal": "value", "only_signal": true}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/scan_slate",
            body={"status": status, "sport": sport, "league": league, "markets": markets, "bookmakers": bookmakers, "period": period, "date": date, "date_to": date_to, "timezone": timezone, "signal": signal, "outcome": outcome, "hits": hits, "only_signal": only_signal, "min_edge_pct": min_edge_pct, "min_ev_pct": min_ev_pct, "min_margin_pct": min_margin_pct, "max_age_s": max_age_s, "reference": reference, "format": format, "limit": limit},
        )
        return cast(types.ScanSlateResult, answer)

    def signal_record(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        group_by: Optional[Literal["bookmaker", "league", "market_type", "edge", "reference", "day"]] = None,
        kind: Optional[Literal["value", "arbitrage"]] = None,
        reference: Optional[Literal["sharp", "consensus"]] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        min_edge_pct: Optional[float] = None,
        in_play: Optional[bool] = None,
    ) -> types.SignalRecordResult:
        """Get the record of signals.

        Whether past signals earned what they promised: how many opened, mean edge, closing line value, yield of one unit each with its 95 % interval; `group_by` makes rows. Use find_value for signals open now. Example: {"group_by": "bookmaker", "min_edge_pct": 2}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/signal_record",
            body={"from": from_, "to": to, "group_by": group_by, "kind": kind, "reference": reference, "sport": sport, "min_edge_pct": min_edge_pct, "in_play": in_play},
        )
        return cast(types.SignalRecordResult, answer)

    def list_movers(
        self,
        *,
        kind: Optional[Literal["fair", "price", "steam"]] = None,
        market_type: Optional[Literal["1x2", "asian_handicap", "totals"]] = None,
        pct: Optional[float] = None,
        within_s: Optional[int] = None,
        owners: Optional[int] = None,
        minutes: Optional[int] = None,
        league: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        date: Optional[str] = None,
        date_to: Optional[str] = None,
        timezone: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.MoversResult:
        """List movers.

        The largest moves of line or fair probability over the slate or a league, full time: since opening (the sharp book where it is visible), or in the last `minutes` (at most 60). `market_type` defaults to 1x2, where only probabilities move; totals and asian_handicap have lines too. `kind: "steam"` lists prices that several independent owners moved the same way before kickoff within `within_s`, `kind: "price"` those of single bookmakers; both know only what was seen since the server started. Use get_opening_line for every book of one fixture, scan_slate for value. Example: {"minutes": 60, "sport": "football"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/list_movers",
            body={"kind": kind, "market_type": market_type, "pct": pct, "within_s": within_s, "owners": owners, "minutes": minutes, "league": league, "sport": sport, "status": status, "date": date, "date_to": date_to, "timezone": timezone, "limit": limit},
        )
        return cast(types.MoversResult, answer)

    def compare_books(
        self,
        *,
        league: Optional[str] = None,
        sport: Optional[Literal["football", "basketball"]] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        date: Optional[str] = None,
        date_to: Optional[str] = None,
        timezone: Optional[str] = None,
        market_type: Optional[Literal["1x2", "asian_handicap", "totals"]] = None,
        period: Optional[Literal["full_time", "half_time"]] = None,
    ) -> types.CompareBooksResult:
        """Compare bookmakers.

        Compares the bookmakers over a league or the whole slate on one market: margin (overround), availability, how often each is tightest or has the best price, and who moves first. `market_type` defaults to 1x2; `league`, `sport`, `status`, `date` and `date_to` narrow the fixtures. Use compare_lines for one fixture, list_bookmakers for the catalogue. Example: {"league": "England Premier League", "market_type": "1x2"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/compare_books",
            body={"league": league, "sport": sport, "status": status, "date": date, "date_to": date_to, "timezone": timezone, "market_type": market_type, "period": period},
        )
        return cast(types.CompareBooksResult, answer)

    def list_leagues_tool(
        self,
        *,
        sport: Optional[Literal["football", "basketball"]] = None,
        status: Optional[Literal["scheduled", "live", "finished"]] = None,
        date: Optional[str] = None,
        date_to: Optional[str] = None,
        timezone: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.LeaguesResult:
        """List leagues.

        The leagues that have fixtures on the slate, with ids that `league` filters take, how many fixtures each has, how many are live, and the next kickoff. `sport`, `status`, `date` and `date_to` narrow the fixtures counted. Use list_today_matches or list_events for the fixtures themselves. Example: {"sport": "football", "date": "tonight"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/list_leagues",
            body={"sport": sport, "status": status, "date": date, "date_to": date_to, "timezone": timezone, "limit": limit},
        )
        return cast(types.LeaguesResult, answer)

    def list_results_tool(
        self,
        *,
        date: Optional[str] = None,
        date_to: Optional[str] = None,
        timezone: Optional[str] = None,
        team: Optional[str] = None,
        league: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.ResultList:
        """List results.

        Final scores of finished matches of the last 30 days, most recent first, with red cards and no odds. Filter by kickoff day or days (`date`, `date_to`, in `timezone`), part of a team name and part of a league name. Use match_info to ask who won one match, get_result when you have its event_id. Example: {"team": "arsenal", "date": "yesterday"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/list_results",
            body={"date": date, "date_to": date_to, "timezone": timezone, "team": team, "league": league, "limit": limit},
        )
        return cast(types.ResultList, answer)

    def get_result_tool(
        self,
        *,
        event_id: str,
    ) -> types.GetResultResult:
        """Get a result.

        The final score and red cards of one finished match by event_id, from the 30-day cache. Use match_info when you have team names, list_results to browse. Example: {"event_id": "evt_tb6aCmXS"}.
        """
        answer = self.call(
            "POST",
            "/v1/mcp/get_result",
            body={"event_id": event_id},
        )
        return cast(types.GetResultResult, answer)
