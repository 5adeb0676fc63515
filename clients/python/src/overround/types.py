"""Requests and answers, written by `bun run docs clients` from the server’s OpenAPI document."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union



class Account(TypedDict):
    id: str
    email: str
    plan: Literal["free", "standard", "realtime", "enterprise"]
    verified: bool
    created_at: str


class AccountAnswer(TypedDict):
    account: Account


class AccountUsageAnswerAccount(TypedDict):
    """All keys together."""

    requests: int
    errors: int
    error_rate: float
    avg_latency_ms: float
    max_latency_ms: float


class AccountUsageAnswerKeysUsage(TypedDict):
    """Usage of this key."""

    requests: int
    errors: int
    error_rate: float
    avg_latency_ms: float
    max_latency_ms: float


class AccountUsageAnswerKeys(TypedDict):
    key_id: str
    usage: AccountUsageAnswerKeysUsage


class AccountUsageAnswerDays(TypedDict):
    date: str
    key_id: str
    requests: int


class AccountUsageAnswer(TypedDict):
    account: AccountUsageAnswerAccount
    keys: List[AccountUsageAnswerKeys]
    days: List[AccountUsageAnswerDays]


class Alert(TypedDict):
    id: str
    name: str
    sentence: str
    when: ShownAlertWhen
    where: ShownAlertWhere
    to: AlertTo
    status: Literal["active", "paused", "failing", "ended"]
    note: Optional[str]
    created_at: str


class AlertAnswer(TypedDict):
    alert: Alert


class AlertDeleted(TypedDict):
    deleted: Literal[True]


class AlertDeliveriesAnswer(TypedDict):
    deliveries: List[AlertDelivery]


class AlertDelivery(TypedDict):
    id: str
    state: Literal["waiting", "taken", "failed"]
    tries: int
    status: Optional[int]
    error: Optional[str]
    answer: Optional[str]
    merged: int
    body: str
    created_at: str
    sent_at: Optional[str]
    next_at: Optional[str]

AlertPreview = TypedDict("AlertPreview", {
    "sentence": "str",
    "count": "Optional[int]",
    "from": "Optional[str]",
    "to": "Optional[str]",
    "latest": "List[PreviewedAlert]",
    "note": "Optional[str]",
})


class _AlertPreviewRequest(TypedDict):
    when: AlertWhen


class AlertPreviewRequest(_AlertPreviewRequest, total=False):
    where: Optional[AlertWhere]


class AlertQueued(TypedDict):
    delivery_id: str


class AlertTo(TypedDict):
    url: str
    format: Literal["raw", "slack", "discord", "telegram", "ntfy"]


class _AlertWhen(TypedDict):
    kind: Literal["value", "arbitrage", "middle", "low_hold", "move", "steam", "price", "match", "source"]


class AlertWhen(_AlertWhen, total=False):
    min_edge_pct: Optional[float]
    min_ev_pct: Optional[float]
    reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]]
    min_margin_pct: Optional[float]
    max_hold_pct: Optional[float]
    pct: Optional[float]
    of: Optional[Literal["fair", "price"]]
    within_s: Optional[int]
    owners: Optional[int]
    market: Optional[Literal["1x2", "asian_handicap", "totals"]]
    line: Optional[float]
    outcome: Optional[Literal["home", "draw", "away", "over", "under"]]
    price: Optional[float]
    news: Optional[str]
    closed: Optional[bool]
    again_after_s: Optional[int]


class AlertWhere(TypedDict, total=False):
    sport: Optional[Literal["football", "basketball"]]
    league: Optional[str]
    team: Optional[str]
    event_id: Optional[str]
    markets: Optional[str]
    period: Optional[Literal["full_time", "half_time"]]
    bookmakers: Optional[str]
    in_play: Optional[bool]


class AlertWithSecret(TypedDict):
    alert: Alert
    secret: Optional[str]


class AlertsAnswer(TypedDict):
    alerts: List[Alert]
    limit: int


class ArbLeg(TypedDict):
    outcome: Literal["home", "draw", "away", "over", "under"]
    bookmaker: str
    price: float
    decimal: float
    as_of: str
    confirmed_at: str
    age_s: int
    lagging: bool


class ArbOpportunity(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    legs: List[ArbLeg]
    since: str
    inverse_sum: float
    margin_pct: float
    worst_pct: float
    best_pct: float


class BatchError(TypedDict):
    code: Literal["invalid_request", "unauthorized", "plan_limit", "forbidden", "not_found", "rate_limit_exceeded", "internal", "upstream_unavailable"]
    message: str
    fix: Optional[str]


class BatchOdds(TypedDict):
    count: int
    ok_count: int
    data: List[BatchOddsEntry]


class BatchOddsEntry(TypedDict):
    """Exactly one of `odds` and `error` is set."""

    event_id: str
    odds: Optional[OddsBlock]
    error: Optional[BatchError]


class _BatchOddsRequest(TypedDict):
    event_ids: List[str]


class BatchOddsRequest(_BatchOddsRequest, total=False):
    bookmakers: Optional[str]
    markets: Optional[str]
    period: Optional[Literal["full_time", "half_time"]]
    format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]]
    at: Optional[str]


class BatchOpenings(TypedDict):
    data: List[EventOpening]


class _BatchOpeningsRequest(TypedDict):
    event_ids: List[str]


class BatchOpeningsRequest(_BatchOpeningsRequest, total=False):
    bookmakers: Optional[str]
    markets: Optional[str]
    period: Optional[Literal["full_time", "half_time"]]
    format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]]


class BestPrice(TypedDict):
    outcome: Literal["home", "draw", "away", "over", "under"]
    bookmaker: str
    price: float
    decimal: float
    as_of: str
    confirmed_at: str
    age_s: int
    lagging: bool


class BookLine(TypedDict):
    bookmaker: str
    line: Optional[float]
    prices: Prices
    overround: Optional[float]
    status: Literal["open", "suspended"]
    as_of: str
    confirmed_at: str
    age_s: int
    lagging: bool


class BookStanding(TypedDict):
    bookmaker: str
    availability_pct: float
    suspended_pct: float
    overround: Optional[float]
    tightest_count: int
    best_price_count: int
    hidden_moves: int
    lag_s: Optional[float]
    first_pct: Optional[float]
    shared_moves: int

Bookmaker = TypedDict("Bookmaker", {
    "id": "str",
    "key": "str",
    "name": "str",
    "class": "Literal['sharp', 'asian']",
})

BookmakerInfo = TypedDict("BookmakerInfo", {
    "key": "str",
    "name": "str",
    "class": "Literal['sharp', 'asian']",
    "covered": "bool",
})


class BookmakerList(TypedDict):
    data: List[Bookmaker]


class BookmakersResult(TypedDict):
    count: int
    bookmakers: List[BookmakerInfo]
    note: str


class ChangeAlertRequest(TypedDict, total=False):
    name: Optional[str]
    when: Optional[AlertWhen]
    where: Optional[AlertWhere]
    to: Optional[AlertTo]
    status: Optional[Literal["active", "paused"]]


class ChangeEmailAnswer(TypedDict):
    account: Account
    confirmation: Literal["sent"]


class ChangeEmailRequest(TypedDict):
    password: str
    new_email: str


class ChangePasswordRequest(TypedDict):
    password: str
    new_password: str


class ClosingLineResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    kickoff_at: Optional[str]
    closing: List[ClosingQuote]


class ClosingQuote(TypedDict):
    """The last open price published before the kickoff at one book, market, period and line."""

    bookmaker: str
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    handicap_components: Optional[List[float]]
    prices: Prices
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    closed_at: str
    confirmed_at: str


class ClvBin(TypedDict):
    from_pct: Optional[int]
    to_pct: Optional[int]
    signals: int


class CompareBooksResult(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    count: int
    not_compared: int
    books: List[BookStanding]
    summary: str


class CompareLinesResult(TypedDict):
    event_id: str
    home_team: str
    away_team: str
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    as_of: str
    stale: bool
    consensus_line: Optional[float]
    lines_offered: List[float]
    line: Optional[float]
    best_prices: List[BestPrice]
    fair_odds: Optional[Dict[str, float]]
    fair_from: Optional[str]
    fair_method: Optional[Literal["power", "proportional"]]
    fair_methods: Optional[FairMethods]
    books: List[BookLine]
    book_count: int
    summary: str
    verbosity: Literal["full", "terse"]


class CompareProbResult(TypedDict):
    status: Literal["ok", "no_line", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    market_type: Optional[Literal["1x2", "asian_handicap", "totals"]]
    period: Optional[Literal["full_time", "half_time"]]
    outcome: Optional[Literal["home", "draw", "away", "over", "under"]]
    line: Optional[float]
    fair_prob: Optional[float]
    fair_decimal: Optional[float]
    fair_from: Optional[str]
    reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]]
    external_prob: Optional[float]
    price: Optional[float]
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    external_label: Optional[str]
    edge_pp: Optional[float]
    ev_roi: Optional[float]
    verdict: Optional[Literal["good", "marginal", "no_edge"]]
    devig_method: Optional[Literal["power", "proportional"]]
    caveats: List[str]


class ConfirmEmailRequest(TypedDict):
    code: str


class Confirmation(TypedDict):
    """Bookmakers whose sources confirmed their prices at the same time."""

    bookmakers: List[str]
    as_of: str


class ConvertHandicapRequest(TypedDict):
    line: float


class ConvertHandicapResponse(TypedDict):
    handicap_raw: str
    handicap_decimal: float
    handicap_components: List[float]
    explanation: str
    win_conditions: WinConditions

ConvertOddsRequest = TypedDict("ConvertOddsRequest", {
    "value": "float",
    "from": "Literal['decimal', 'hk', 'malay', 'american', 'indonesian', 'probability']",
    "to": "List[Literal['decimal', 'hk', 'malay', 'american', 'indonesian', 'probability']]",
    "bookmaker": "Optional[str]",
}, total=False)


class ConvertOddsResponse(TypedDict, total=False):
    """Has only the fields of the source format and of the requested formats. All other answers always have every field."""

    decimal: Optional[float]
    hk: Optional[float]
    malay: Optional[float]
    american: Optional[int]
    indonesian: Optional[float]
    probability: Optional[float]


class ConvertSettleRequestScore(TypedDict):
    """The score of the period at its end."""

    home: int
    away: int


class ConvertSettleRequestFromScore(TypedDict):
    home: int
    away: int


class _ConvertSettleRequest(TypedDict):
    sport: Literal["football", "basketball"]
    market_type: Literal["1x2", "asian_handicap", "totals"]
    score: ConvertSettleRequestScore


class ConvertSettleRequest(_ConvertSettleRequest, total=False):
    period: Optional[Literal["full_time", "half_time"]]
    line: Optional[float]
    from_score: Optional[ConvertSettleRequestFromScore]


class ConvertSettleResponse(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    line: Optional[float]
    outcomes: List[SettledOutcome]


class _CreateAlertRequest(TypedDict):
    name: str
    when: AlertWhen
    to: AlertTo


class CreateAlertRequest(_CreateAlertRequest, total=False):
    where: Optional[AlertWhere]


class CreateKeyRequest(TypedDict, total=False):
    label: Optional[str]
    tier: Optional[Literal["free", "standard", "realtime", "enterprise"]]
    expires_at: Optional[str]
    allowed_addresses: Optional[List[str]]


class Decision(TypedDict):
    safe_to_proceed: bool
    confidence: Optional[float]
    ask_user: Optional[str]
    next_action: Optional[NextAction]


class DeleteAccountRequest(TypedDict):
    password: str


class DeletedAnswer(TypedDict):
    deleted: Literal[True]


class _EndSessionsRequest(TypedDict):
    password: str


class EndSessionsRequest(_EndSessionsRequest, total=False):
    session_id: Optional[str]


class ErrorEnvelopeError(TypedDict):
    code: Literal["invalid_request", "unauthorized", "plan_limit", "forbidden", "not_found", "rate_limit_exceeded", "internal", "upstream_unavailable"]
    message: str
    fix: Optional[str]
    is_retriable: bool
    retry_after_seconds: Optional[float]
    documentation_url: str


class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError


class Event(TypedDict):
    """A fixture."""

    id: str
    sport: Literal["football", "basketball"]
    league: LeagueRef
    home_team: TeamRef
    away_team: TeamRef
    scheduled_at: Optional[str]
    status: Literal["scheduled", "live", "finished"]


class EventCandidate(TypedDict):
    event_id: str
    confidence: float


class EventClosing(TypedDict):
    event_id: str
    kickoff_at: Optional[str]
    closing: List[ClosingQuote]

EventHistory = TypedDict("EventHistory", {
    "event_id": "str",
    "from": "str",
    "to": "str",
    "resolution": "Literal['tick', '1m', '5m', '1h', '1d']",
    "series": "List[HistorySeries]",
    "states": "List[HistoryState]",
    "states_from": "str",
    "gaps": "List[HistoryGap]",
    "next_cursor": "Optional[str]",
})


class EventList(TypedDict):
    data: List[Event]


class EventOpening(TypedDict):
    event_id: str
    source: Literal["first_seen", "upstream"]
    opening: List[OpeningQuote]


class EventPage(TypedDict):
    data: List[Event]
    page: Page


class EventSettlement(TypedDict):
    event_id: str
    score: Score
    half_time_score: Optional[Score]
    settlement: List[SettledClosingLine]


class EventState(TypedDict):
    event_id: str
    status: Literal["scheduled", "live", "finished"]
    score: Optional[Score]
    cards: Optional[Score]
    clock: Optional[str]
    as_of: str


class EventsResult(TypedDict):
    date: str
    date_to: Optional[str]
    timezone: Optional[str]
    count: int
    truncated: bool
    matches: List[MatchSummary]
    by_league: Optional[List[LeagueRows]]


class ExchangeLiquidityLines(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    sizes: Sizes
    matched: Optional[float]


class ExchangeLiquidity(TypedDict):
    bookmaker: str
    currency: str
    as_of: str
    lines: List[ExchangeLiquidityLines]


class Excluded(TypedDict):
    """How many quotes, lines, hits or fixtures were left out, by reason."""

    stale: int
    implausible: int
    suspended: int
    period_over: int
    not_started_late: int
    finished: int
    single_book: int
    no_sharp: int
    no_reference: int


class FairMethods(TypedDict):
    """Fair probability by outcome of one book's prices, by three methods of removing its margin. The default everywhere is `power` for a 1x2 and `proportional` for handicaps and totals."""

    proportional: Dict[str, float]
    power: Dict[str, float]
    shin: Dict[str, float]


class Favorite(TypedDict):
    outcome: Literal["home", "draw", "away"]
    team: Optional[str]
    win_probability: float
    source: Optional[str]


class FindArbitrageResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    opportunities: List[ArbOpportunity]
    excluded: Excluded
    note: Optional[str]


class FindMatchResult(TypedDict):
    status: Literal["matched", "ambiguous", "not_found"]
    query: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    decision: Decision


class FindMiddlesResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    middles: List[Middle]
    low_holds: List[LowHold]
    excluded: Excluded
    note: Optional[str]


class FindValueResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    value_bets: List[ValueBet]
    fair_source: Optional[str]
    reference: Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]
    excluded: Excluded
    note: Optional[str]


class FixtureChange(TypedDict):
    event_id: str
    event: Optional[Event]
    state: Optional[MatchState]
    replace: bool
    odds: List[OddsQuote]


class FollowedSignals(TypedDict):
    kinds: List[Literal["value", "arbitrage", "middle", "low_hold", "move", "steam"]]
    min_edge_pct: Optional[float]
    min_margin_pct: Optional[float]
    reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]]
    min_ev_pct: Optional[float]
    max_hold_pct: Optional[float]
    move_pct: Optional[float]
    move_of: Optional[Literal["fair", "price"]]
    steam_pct: Optional[float]
    owners: Optional[int]
    within_s: Optional[int]
    note: Optional[str]


class ForgotPasswordRequest(TypedDict):
    email: str


class GetResultResult(TypedDict):
    status: Literal["found", "not_found"]
    event_id: str
    result: Optional[Result]


class GrowthPoint(TypedDict):
    at: str
    settled: int
    units: float
    units_low: Optional[float]
    units_high: Optional[float]


class Health(TypedDict):
    status: Literal["ok", "degraded", "starting"]
    feed_live: bool
    as_of: Optional[str]
    as_of_stale: bool
    matches: int
    odds: int

HistoryCoverage = TypedDict("HistoryCoverage", {
    "from": "Optional[str]",
    "to": "Optional[str]",
    "days": "List[HistoryDay]",
    "gaps": "List[HistoryGap]",
})


class HistoryDay(TypedDict):
    day: str
    fixtures: int
    ticks: int
    bytes: int


class HistoryEvent(TypedDict):
    """A fixture of the price history, with its status as last known."""

    event: Event
    first_at: str
    last_at: str
    ticks: int


class HistoryEventPage(TypedDict):
    data: List[HistoryEvent]
    page: Page

HistoryGap = TypedDict("HistoryGap", {
    "from": "str",
    "to": "Optional[str]",
    "reason": "Literal['stopped', 'feed_lost', 'overrun', 'disk_full']",
})


class HistorySeries(TypedDict):
    """The ticks of one line of one bookmaker."""

    bookmaker: str
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    handicap_components: Optional[List[float]]
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    ticks: List[HistoryTick]


class HistoryState(TypedDict):
    """Status, score and red cards of a match from an instant on."""

    at: str
    status: Literal["scheduled", "live", "finished"]
    score: Optional[Score]
    cards: Optional[Score]


class HistoryTick(TypedDict):
    """One published change of the prices or the status of a line."""

    at: str
    status: Literal["open", "suspended", "withdrawn"]
    prices: Optional[Prices]
    in_play: bool
    score: Optional[Score]


class Key(TypedDict):
    key_id: str
    label: str
    tier: Literal["free", "standard", "realtime", "enterprise"]
    last4: str
    status: Literal["active", "revoked"]
    created_at: str
    last_used_at: Optional[str]
    expires_at: Optional[str]
    allowed_addresses: List[str]


class KeyWithSecret(TypedDict):
    key_id: str
    label: str
    tier: Literal["free", "standard", "realtime", "enterprise"]
    last4: str
    status: Literal["active", "revoked"]
    created_at: str
    last_used_at: Optional[str]
    expires_at: Optional[str]
    allowed_addresses: List[str]
    key: str


class KeysAnswer(TypedDict):
    keys: List[Key]


class League(TypedDict):
    id: str
    name: str
    sport: Literal["football", "basketball"]


class LeagueCandidate(TypedDict):
    league_id: str
    confidence: float


class LeaguePage(TypedDict):
    data: List[League]
    page: Page


class LeagueRef(TypedDict):
    id: str
    name: str


class LeagueRows(TypedDict):
    league: str
    rows: List[str]


class LeaguesResult(TypedDict):
    count: int
    truncated: bool
    leagues: List[ListedLeague]


class LineHistoryResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    resolution: Literal["tick", "1m", "5m", "1h", "1d"]
    series: List[HistorySeries]
    gaps: List[HistoryGap]
    truncated: bool


class LineMove(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    outcome: Literal["home", "draw", "away", "over", "under"]
    of: Literal["fair", "price"]
    bookmaker: str
    decimal_from: float
    decimal_to: float
    change: float
    from_at: str
    within_s: int


class Liquidity(TypedDict):
    event_id: str
    exchanges: List[ExchangeLiquidity]


class ListedLeague(TypedDict):
    id: str
    name: str
    sport: Literal["football", "basketball"]
    matches: int
    live: int
    next_kickoff: Optional[str]


class LoginAnswer(TypedDict):
    session_token: str
    expires_at: str
    account: Account


class LoginRequest(TypedDict):
    email: str
    password: str


class LogoutAnswer(TypedDict):
    logged_out: Literal[True]


class LowHold(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    legs: List[ArbLeg]
    since: str
    hold_pct: float


class MatchAlternative(TypedDict):
    event_id: str
    label: str
    confidence: float


class MatchInfoResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    scheduled_at_local: Optional[str]
    timezone: Optional[str]
    favorite: Optional[Favorite]
    implied_probabilities: Optional[Dict[str, float]]
    fair_method: Optional[Literal["power", "proportional"]]
    fair_methods: Optional[FairMethods]
    liquidity: List[WinnerLiquidity]


class MatchOddsResult(TypedDict):
    event_id: str
    home_team: str
    away_team: str
    league: str
    status: Literal["scheduled", "live", "finished"]
    as_of: str
    stale: bool
    odds: List[OddsQuote]


class MatchState(TypedDict):
    status: Literal["scheduled", "live", "finished"]
    score: Optional[Score]
    cards: Optional[Score]
    clock: Optional[str]


class MatchSummary(TypedDict):
    event_id: str
    sport: Literal["football", "basketball"]
    league: str
    home_team: str
    away_team: str
    scheduled_at: Optional[str]
    scheduled_at_local: Optional[str]
    status: Literal["scheduled", "live", "finished"]
    score: Optional[Score]
    clock: Optional[str]
    confidence: Optional[float]
    summary: Optional[str]


class MeAnswer(TypedDict):
    account: Account
    operator: bool


class Middle(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    legs: List[MiddleLeg]
    since: str
    both_win_prob: float
    no_loss_prob: float
    ev_pct: float
    worst_pct: float


class MiddleLeg(TypedDict):
    outcome: Literal["home", "draw", "away", "over", "under"]
    line: Optional[float]
    bookmaker: str
    price: float
    decimal: float
    as_of: str
    confirmed_at: str
    age_s: int
    lagging: bool


class MovedPrice(TypedDict):
    event_id: str
    league: str
    home_team: str
    away_team: str
    status: Literal["scheduled", "live", "finished"]
    scheduled_at: Optional[str]
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    outcome: Literal["home", "draw", "away", "over", "under"]
    of: Literal["fair", "price"]
    bookmaker: str
    decimal_from: float
    decimal_to: float
    change: float
    from_at: str
    within_s: int


class Mover(TypedDict):
    event_id: str
    league: str
    home_team: str
    away_team: str
    status: Literal["scheduled", "live", "finished"]
    scheduled_at: Optional[str]
    bookmaker: str
    line_from: Optional[float]
    line_to: Optional[float]
    outcome: Literal["home", "draw", "away", "over", "under"]
    prob_from: float
    prob_to: float
    change_pp: Optional[float]
    from_at: str


class MoversResult(TypedDict):
    kind: Literal["fair", "price", "steam"]
    market_type: Optional[Literal["1x2", "asian_handicap", "totals"]]
    fair_method: Optional[Literal["power", "proportional"]]
    minutes: Optional[int]
    count: int
    truncated: bool
    not_compared: int
    movers: List[Mover]
    moves: List[MovedPrice]
    steam: List[SteamMove]
    summary: str


class NextAction(TypedDict):
    tool: str
    args: Dict[str, str]
    reason: str


class NodeHealthNode(TypedDict):
    """The state of this node in its cluster."""

    role: Literal["ingest", "serve"]
    state: Literal["waiting", "leading", "following", "leaderless", "cut_off"]
    epoch: str


class NodeHealth(TypedDict):
    status: Literal["ok", "degraded", "starting"]
    feed_live: bool
    as_of: Optional[str]
    as_of_stale: bool
    matches: int
    odds: int
    node: NodeHealthNode


class OddsBlock(TypedDict):
    event_id: str
    as_of: str
    stale: bool
    odds: List[OddsQuote]


class OddsChanges(TypedDict):
    """The changes of the odds in a view, at one instant."""

    cursor: Optional[str]
    full: bool
    as_of: Optional[str]
    stale: bool
    fixtures: List[FixtureChange]
    removed: List[str]


class OddsQuote(TypedDict):
    """The prices of one book for one line of a market. A price of 0 means that the line was pulled; it is 0 in every format."""

    bookmaker: str
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    handicap_components: Optional[List[float]]
    prices: Prices
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    status: Literal["open", "suspended"]
    as_of: str


class OpeningLine(TypedDict):
    bookmaker: str
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    handicap_components: Optional[List[float]]
    opening: Prices
    current: Optional[Prices]
    current_line: Optional[float]
    current_handicap_components: Optional[List[float]]
    opened_at: Optional[str]
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]


class OpeningLineResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    lines: List[OpeningLine]
    source: str


class OpeningQuote(TypedDict):
    """The first price seen at one book, market, period and line. Never changes."""

    bookmaker: str
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    handicap_components: Optional[List[float]]
    prices: Prices
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    opened_at: Optional[str]


class Page(TypedDict):
    next_cursor: Optional[str]
    limit: int


class PasswordChangedAnswer(TypedDict):
    account: Account
    ended_sessions: int


class PreviewedAlert(TypedDict):
    at: str
    text: str

Prices = Dict[str, float]


class ReadySources(TypedDict):
    name: str
    state: Literal["starting", "ok", "failing", "stopped"]
    reason: Optional[str]
    next_try_at: Optional[str]
    connected: bool
    lost_since: Optional[str]
    clock_ahead_s: float


class ReadyDatabase(TypedDict):
    """Damage in the database; the log of the server has the details."""

    damaged_rows: int
    damaged_indexes: int


class ReadyMemory(TypedDict):
    """The budget for request bodies being received, answers not yet read, and backlogs of streams. How much of it is used is in /metrics."""

    budget_bytes: int


class ReadyHistory(TypedDict):
    """The price history of this node; null when the history is switched off."""

    state: Literal["starting", "ok", "stopped"]
    reason: Optional[str]
    gap: Optional[str]
    set_aside: List[str]


class Ready(TypedDict):
    status: Literal["ready"]
    sources: List[ReadySources]
    database: ReadyDatabase
    memory: ReadyMemory
    history: Optional[ReadyHistory]
    note: Optional[str]


class RecordRow(TypedDict):
    """A group of signals. A field is null while its value is unknown."""

    key: str
    signals: int
    mean_edge_pct: float
    closed_with_clv: int
    mean_clv_pct: Optional[float]
    beat_close_pct: Optional[float]
    settled: int
    yield_pct: Optional[float]
    yield_low_pct: Optional[float]
    yield_high_pct: Optional[float]
    median_life_s: Optional[float]


class RecordSeriesClv(TypedDict):
    """The distribution of the closing line values."""

    signals: int
    mean_pct: Optional[float]
    standard_error_pct: Optional[float]
    bins: List[ClvBin]


class RecordSeries(TypedDict):
    """Points of two charts of all signals that pass the filters, whatever `group_by` is."""

    growth: List[GrowthPoint]
    clv: RecordSeriesClv


class ResetAskedAnswer(TypedDict):
    reset: Literal["sent"]


class ResetPasswordRequest(TypedDict):
    code: str
    new_password: str

ResolveEventRequestContextDateRange = TypedDict("ResolveEventRequestContextDateRange", {
    "from": "Optional[str]",
    "to": "Optional[str]",
}, total=False)


class ResolveEventRequestContext(TypedDict, total=False):
    sport: Optional[Literal["football", "basketball"]]
    date_range: Optional[ResolveEventRequestContextDateRange]
    timezone: Optional[str]


class _ResolveEventRequest(TypedDict):
    query: str


class ResolveEventRequest(_ResolveEventRequest, total=False):
    context: Optional[ResolveEventRequestContext]


class ResolveLeagueRequest(TypedDict):
    query: str


class _ResolveTeamRequest(TypedDict):
    query: str


class ResolveTeamRequest(_ResolveTeamRequest, total=False):
    sport: Optional[Literal["football", "basketball"]]


class ResolvedEvent(TypedDict):
    status: Literal["matched", "ambiguous", "not_found"]
    best_match: Optional[EventCandidate]
    alternatives: List[EventCandidate]


class ResolvedLeague(TypedDict):
    status: Literal["matched", "ambiguous", "not_found"]
    best_match: Optional[LeagueCandidate]
    alternatives: List[LeagueCandidate]


class ResolvedTeam(TypedDict):
    status: Literal["matched", "ambiguous", "not_found"]
    best_match: Optional[TeamCandidate]
    alternatives: List[TeamCandidate]


class Result(TypedDict):
    """A finished match, kept for 30 days. No odds."""

    event_id: str
    sport: Optional[Literal["football", "basketball"]]
    league: Optional[str]
    home_team: Optional[str]
    away_team: Optional[str]
    scheduled_at: Optional[str]
    score: Optional[Score]
    red_cards: Optional[Score]
    finished_at: str


class ResultList(TypedDict):
    count: int
    results: List[Result]
    note: Optional[str]


class SaveViewRequest(TypedDict):
    name: str
    query: str


class SavedView(TypedDict):
    view_id: str
    name: str
    query: str
    saved_at: str


class SavedViewsAnswer(TypedDict):
    views: List[SavedView]
    limit: int


class ScanEntryHits(TypedDict):
    """Every hit, when `hits` is `all`; else null."""

    value_bets: List[ValueBet]
    opportunities: List[ArbOpportunity]


class ScanEntry(TypedDict):
    event_id: str
    sport: Literal["football", "basketball"]
    league: str
    home_team: str
    away_team: str
    status: Literal["scheduled", "live", "finished"]
    score: Optional[Score]
    clock: Optional[str]
    scheduled_at: Optional[str]
    as_of: str
    stale: bool
    book_count: int
    value_count: int
    best_value: Optional[ValueBet]
    arb_count: int
    best_arb: Optional[ArbOpportunity]
    signal: str
    favorite: Optional[Favorite]
    hits: Optional[ScanEntryHits]


class ScanSlateResult(TypedDict):
    date: str
    count: int
    with_signal: int
    returned: int
    truncated: bool
    not_scored: int
    reference: Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]
    excluded: Excluded
    note: Optional[str]
    summary: str
    entries: List[ScanEntry]


class Score(TypedDict):
    """A count per side: goals, or cards."""

    home: int
    away: int


class ScoreProbResultImplied1x2(TypedDict):
    """Full-time result under the fitted goal rates."""

    home: float
    draw: float
    away: float


class ScoreProbResult(TypedDict):
    status: Literal["ok", "no_line", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    scores: List[ScorelineProb]
    top_cum: Optional[float]
    implied_1x2: Optional[ScoreProbResultImplied1x2]
    lambda_home: Optional[float]
    lambda_away: Optional[float]
    rho: Optional[float]
    ah_ev_check: Optional[float]
    fair_from: Optional[str]
    fair_method: Optional[Literal["proportional", "power", "shin"]]


class ScorelineProb(TypedDict):
    score: str
    prob: float


class SessionsAnswerSessions(TypedDict):
    session_id: str
    client: Optional[str]
    created_at: str
    last_used_at: str
    expires_at: str
    current: bool


class SessionsAnswer(TypedDict):
    sessions: List[SessionsAnswerSessions]


class SessionsEndedAnswer(TypedDict):
    ended_sessions: int


class SetPlanRequest(TypedDict):
    plan: Literal["free", "standard", "realtime", "enterprise"]


class SettledClosingLine(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    outcomes: List[SettledOutcome]


class SettledOutcome(TypedDict):
    """`win`, `push` and `loss` add to 1."""

    outcome: Literal["home", "draw", "away", "over", "under"]
    result: Literal["win", "half_win", "push", "half_loss", "loss"]
    win: float
    push: float
    loss: float


class SharpLineResult(TypedDict):
    status: Literal["ok", "ambiguous", "not_found"]
    query: str
    summary: str
    match: Optional[MatchSummary]
    alternatives: List[MatchAlternative]
    ask_user: Optional[str]
    as_of: Optional[str]
    stale: Optional[bool]
    decision: Decision
    comparison: Optional[CompareLinesResult]


class ShownAlertWhen(TypedDict):
    kind: Literal["value", "arbitrage", "middle", "low_hold", "move", "steam", "price", "match", "source"]
    min_edge_pct: Optional[float]
    min_ev_pct: Optional[float]
    reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]]
    min_margin_pct: Optional[float]
    max_hold_pct: Optional[float]
    pct: Optional[float]
    of: Optional[Literal["fair", "price"]]
    within_s: Optional[int]
    owners: Optional[int]
    market: Optional[Literal["1x2", "asian_handicap", "totals"]]
    line: Optional[float]
    outcome: Optional[Literal["home", "draw", "away", "over", "under"]]
    price: Optional[float]
    news: Optional[List[Literal["live", "score", "finished"]]]
    closed: Optional[bool]
    again_after_s: Optional[int]


class ShownAlertWhere(TypedDict):
    sport: Optional[Literal["football", "basketball"]]
    league: Optional[str]
    team: Optional[str]
    event_id: Optional[str]
    markets: Optional[List[Literal["1x2", "asian_handicap", "totals"]]]
    period: Optional[Literal["full_time", "half_time"]]
    bookmakers: Optional[List[str]]
    in_play: Optional[bool]

SignalRecord = TypedDict("SignalRecord", {
    "from": "Optional[str]",
    "to": "Optional[str]",
    "since": "Optional[str]",
    "group_by": "Optional[Literal['bookmaker', 'league', 'market_type', 'edge', 'reference', 'day']]",
    "kind": "Literal['value', 'arbitrage']",
    "reference": "Optional[Literal['sharp', 'consensus']]",
    "data": "List[RecordRow]",
    "series": "Optional[RecordSeries]",
})

SignalRecordResult = TypedDict("SignalRecordResult", {
    "from": "Optional[str]",
    "to": "Optional[str]",
    "since": "Optional[str]",
    "group_by": "Optional[Literal['bookmaker', 'league', 'market_type', 'edge', 'reference', 'day']]",
    "kind": "Literal['value', 'arbitrage']",
    "reference": "Optional[Literal['sharp', 'consensus']]",
    "data": "List[RecordRow]",
    "summary": "str",
})


class SignupAnswer(TypedDict):
    account: Account
    verification: Literal["sent"]


class SignupRequest(TypedDict):
    email: str
    password: str

Sizes = Dict[str, float]


class SocketErrorError(TypedDict):
    code: Literal["invalid_request", "unauthorized", "plan_limit", "forbidden", "not_found", "rate_limit_exceeded", "internal", "upstream_unavailable"]
    message: str
    fix: Optional[str]
    is_retriable: bool
    retry_after_seconds: Optional[float]
    documentation_url: str


class SocketError(TypedDict):
    """A message could not be carried out. The connection stays open."""

    error: SocketErrorError
    scope: Optional[str]


class SocketPing(TypedDict):
    """Answered with `pong`."""

    op: Literal["ping"]


class SocketPong(TypedDict):
    """The answer to `ping`."""

    pass


class SocketRenew(TypedDict):
    """Answered with a `ticket` for the key of this connection. A page that connected with a ticket uses it for its next connection."""

    op: Literal["renew"]


class _SocketSubscribe(TypedDict):
    op: Literal["subscribe"]
    id: str


class SocketSubscribe(_SocketSubscribe, total=False):
    """Opens a stream. The filters are those of `/v1/stream`, with the same names."""

    sport: Optional[Literal["football", "basketball"]]
    league: Optional[str]
    date: Optional[str]
    status: Optional[Literal["scheduled", "live", "finished"]]
    timezone: Optional[str]
    bookmakers: Optional[str]
    markets: Optional[str]
    period: Optional[Literal["full_time", "half_time"]]
    format: Optional[Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]]
    signals: Optional[str]
    min_edge_pct: Optional[float]
    reference: Optional[Literal["sharp", "consensus", "crown", "sbobet", "macau", "m8bet", "pinnacle", "nova88", "hkjc"]]
    min_margin_pct: Optional[float]
    min_ev_pct: Optional[float]
    max_hold_pct: Optional[float]
    move_pct: Optional[float]
    move_of: Optional[Literal["fair", "price"]]
    steam_pct: Optional[float]
    owners: Optional[int]
    within_s: Optional[int]
    since: Optional[str]
    tick_ms: Optional[int]


class SocketUnsubscribe(TypedDict):
    """Ends a stream; it sends nothing after this."""

    op: Literal["unsubscribe"]
    id: str


class Sport(TypedDict):
    id: str
    key: Literal["football", "basketball"]
    name: str


class SportList(TypedDict):
    data: List[Sport]


class Steam(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    outcome: Literal["home", "draw", "away", "over", "under"]
    way: Literal["shortening", "drifting"]
    owners: int
    books: List[SteamBook]
    book_count: int
    within_s: int


class SteamBook(TypedDict):
    bookmaker: str
    decimal_from: float
    decimal_to: float
    change_pct: float
    as_of: str


class SteamMove(TypedDict):
    event_id: str
    league: str
    home_team: str
    away_team: str
    status: Literal["scheduled", "live", "finished"]
    scheduled_at: Optional[str]
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    outcome: Literal["home", "draw", "away", "over", "under"]
    way: Literal["shortening", "drifting"]
    owners: int
    books: List[SteamBook]
    book_count: int
    within_s: int


class StreamBye(TypedDict):
    """Last event before the server closes the stream."""

    reason: Literal["shutdown", "slow_reader", "key_revoked", "limit"]
    reconnect_after_ms: int

StreamDelta = TypedDict("StreamDelta", {
    "from": "str",
    "to": "str",
    "conflated": "bool",
    "cursor": "Optional[str]",
    "full": "bool",
    "as_of": "Optional[str]",
    "stale": "bool",
    "fixtures": "List[FixtureChange]",
    "removed": "List[str]",
})


class _StreamHeartbeat(TypedDict):
    cursor: Optional[str]
    as_of: Optional[str]
    stale: bool
    feed_age_ms: int


class StreamHeartbeat(_StreamHeartbeat, total=False):
    """Distinguishes a quiet slate from a frozen stream, and reports how the data has aged since the last event."""

    confirmations: Optional[List[Confirmation]]


class StreamHello(TypedDict):
    """First event of a stream."""

    cursor: str
    heartbeat_ms: int
    tick_ms: int
    conflates: bool
    signals: Optional[FollowedSignals]


class StreamSignal(TypedDict):
    """A signal that opened, changed or closed."""

    change: Literal["opened", "changed", "closed"]
    current: bool
    conflated: bool
    id: str
    kind: Literal["value", "arbitrage", "middle", "low_hold", "move", "steam"]
    event_id: str
    opened_at: str
    lived_ms: Optional[int]
    oldest_age_s: int
    value_bet: Optional[ValueBet]
    opportunity: Optional[ArbOpportunity]
    middle: Optional[Middle]
    low_hold: Optional[LowHold]
    move: Optional[LineMove]
    steam: Optional[Steam]


class StreamSignals(TypedDict):
    """A summary of all signals of the view and why there are no more; sent after the current signals and with heartbeats."""

    count: int
    left_out: int
    ids: Optional[List[str]]
    excluded: Excluded
    note: Optional[str]


class StreamSnapshot(TypedDict):
    """The whole view, in parts."""

    part: int
    last: bool
    cursor: Optional[str]
    full: bool
    as_of: Optional[str]
    stale: bool
    fixtures: List[FixtureChange]
    removed: List[str]


class StreamTicket(TypedDict):
    ticket: str
    expires_at: str


class Team(TypedDict):
    id: str
    name: str


class TeamCandidate(TypedDict):
    team_id: str
    confidence: float


class TeamPage(TypedDict):
    data: List[Team]
    page: Page


class TeamRef(TypedDict):
    id: str
    name: str


class TodayMatches(TypedDict):
    date: str
    count: int
    matches: List[MatchSummary]
    by_league: Optional[List[LeagueRows]]


class ToolManifest(TypedDict):
    tools: List[ToolManifestEntry]


class ToolManifestEntry(TypedDict):
    name: str
    title: str
    description: str
    method: Literal["POST"]
    path: str
    input_schema: Dict[str, Any]
    output_schema: Dict[str, Any]


class UsageReportUsage(TypedDict):
    """Usage of this key."""

    requests: int
    errors: int
    error_rate: float
    avg_latency_ms: float
    max_latency_ms: float


class UsageReport(TypedDict):
    started_at: str
    uptime_s: int
    key: str
    tier: Literal["free", "standard", "realtime", "enterprise"]
    usage: UsageReportUsage
    total_requests: int
    total_errors: int


class ValidationErrorBody(TypedDict):
    detail: List[ValidationItem]


class ValidationItem(TypedDict):
    type: str
    loc: List[Union[str, int]]
    msg: str
    input: Any


class ValueBet(TypedDict):
    market_type: Literal["1x2", "asian_handicap", "totals"]
    period: Literal["full_time", "half_time"]
    line: Optional[float]
    outcome: Literal["home", "draw", "away", "over", "under"]
    bookmaker: str
    price: float
    decimal: float
    fair_price: float
    fair_method: Literal["power", "proportional"]
    edge_pct: float
    ev_pct: Optional[float]
    format: Literal["decimal", "hk", "malay", "american", "indonesian", "probability"]
    since: str
    as_of: str
    confirmed_at: str
    age_s: int
    lagging: bool


class VerifyRequest(TypedDict):
    email: str
    code: str


class ViewDeletedAnswer(TypedDict):
    deleted: Literal[True]


class WinConditions(TypedDict):
    full_win: Optional[str]
    half_win: Optional[str]
    push: Optional[str]
    half_loss: Optional[str]
    full_loss: Optional[str]


class WinnerLiquidity(TypedDict):
    """The amounts that can be staked on the full-time 1x2 at one exchange."""

    bookmaker: str
    currency: str
    as_of: str
    sizes: Sizes
    matched: Optional[float]
