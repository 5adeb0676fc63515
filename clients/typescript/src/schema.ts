// Types of requests and answers, written by `bun run docs clients` from the server's OpenAPI document.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the service and its feed
         * @description Answers at all times. `feed_live` and `as_of` say how current the slate is.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the slate is being served
         * @description 200 once the first snapshot is complete and as long as the feed is not lost, otherwise 503, like the odds. Lists the sources of the feed.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sports
         * @description The sports covered: a fixed list.
         */
        get: operations["listSports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bookmakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bookmakers
         * @description The seven bookmakers: a fixed list. `key` is what every `bookmakers` filter takes.
         */
        get: operations["listBookmakers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leagues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List leagues
         * @description Leagues with a fixture on the slate, by name then id; by relevance when `q` is given.
         */
        get: operations["listLeagues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description Teams with a fixture on the slate, by name then id; by relevance when `q` is given.
         */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fixtures
         * @description Fixtures on the slate by kickoff then id, filtered and paged.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List live fixtures
         * @description Fixtures being played now. An empty list is a valid answer.
         */
        get: operations["listLiveEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one fixture
         * @description One fixture of the slate.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of one fixture
         * @description Status, score, red cards and clock of one fixture.
         */
        get: operations["getEventState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/odds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the odds of one fixture
         * @description Every quote of the fixture that passes the filters, as a flat list. Suspended quotes keep their last prices; filter on `status` before using one. The sharp book is left out on the free tier.
         */
        get: operations["getEventOdds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/odds/{market_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the odds of one market of one fixture
         * @description The same as the odds of a fixture, but for one market type.
         */
        get: operations["getEventMarketOdds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/opening": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the opening prices of one fixture
         * @description For each current quote, the first price seen at the same bookmaker, market, period and line. Frozen once recorded; a line with none on file is left out.
         */
        get: operations["getEventOpening"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openings/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the opening prices of up to 20 fixtures
         * @description The same as the opening prices of a fixture, but for several. Ids that are not on the slate are left out. Costs one request.
         */
        post: operations["batchOpenings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/liquidity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much can be staked on one fixture at exchanges
         * @description For each exchange, what can be staked at the best price of every outcome, line by line, and what was traded so far, in the currency of the exchange. Other books are not in it; a fixture without an exchange has an empty list. A sharp exchange is left out on the free tier.
         */
        get: operations["getEventLiquidity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/odds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the odds of the slate, or what changed
         * @description All odds under the filters of events and of odds, at one instant. With `since`, the `cursor` of an earlier answer with the same filters: only what changed after it, quote by quote, however long ago that was. See docs/guide/streaming.md for a mirror in fifteen lines. With `at` it costs five requests.
         */
        get: operations["getOdds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/odds/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the odds of up to 20 fixtures
         * @description One entry per id, in request order. An id that fails has an error in its own entry. Costs one request, with `at` one for each fixture; a key is required, a free one is enough.
         */
        post: operations["batchOdds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get every price change of one fixture
         * @description The ticks of each line that passes the filters: one for each published change of its prices or status. Nothing is sampled unless `resolution` asks for it. Gaps say for which times nothing is known. Fixtures that have left the slate are included.
         */
        get: operations["getEventHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/closing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the closing prices of one fixture
         * @description The last open price of each line published before the kickoff, unless its bookmaker had withdrawn or suspended it for more than ten minutes by then. Final once the match is seen live, otherwise ten minutes after the last scheduled kickoff. Until then, the list is empty.
         */
        get: operations["getEventClosing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/settlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how the closing lines of one fixture settled
         * @description What became of a stake on each outcome of every line that had a closing price, as `/v1/convert/settle` says for one line. 404 until the match has a result.
         */
        get: operations["getEventSettlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fixtures of the price history
         * @description Fixtures with a price change on record, by kickoff then id, filtered and paged. Their ids are those of the slate.
         */
        get: operations["listHistoryEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the price history holds
         * @description The first and last instant, each day with its fixtures and ticks, and the gaps. Callers without a key see the last 24 hours, the free tier seven days, others everything that is kept.
         */
        get: operations["getHistoryCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signals/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the record of signals
         * @description Every value signal and arbitrage that opened while the server ran, graded by the closing prices and settled by the results, in one row or in groups. Losers count like winners, and a signal counts once however often its price changed. See docs/reference/signals.md for what a small sample means. `series=true` adds the growth of one unit on each and the spread of closing line values, as points of charts. It costs five requests.
         */
        get: operations["getSignalRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resolve/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the fixture a text means
         * @description Never guesses: several plausible fixtures are `ambiguous`, with all of them as alternatives.
         */
        post: operations["resolveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resolve/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the team a text means
         * @description Searches the teams of the current slate.
         */
        post: operations["resolveTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resolve/league": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the league a text means
         * @description Searches the leagues of the current slate.
         */
        post: operations["resolveLeague"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert/odds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert odds between formats
         * @description Deterministic. Answers the source format, echoed exactly, and each requested one. `bookmaker` applies that book's malay decimals.
         */
        post: operations["convertOdds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert/handicap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain an Asian handicap line
         * @description Deterministic. The components of a line, and how it settles, in words and as predicates.
         */
        post: operations["convertHandicap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a line by a score
         * @description Deterministic and exact. What becomes of a stake on each outcome; quarter lines may win or lose half. A basketball 1x2 that ends level is a push.
         */
        post: operations["convertSettle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List results
         * @description Finished matches of the last 30 days, most recent first: scores and red cards, no odds.
         */
        get: operations["listResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/results/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one result
         * @description The result of one finished match.
         */
        get: operations["getResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of the key
         * @description Requests, errors and latency of the key since the server started, and totals of all callers.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a ticket for one stream
         * @description A ticket replaces the key once, within 30 seconds. Send it as the parameter `ticket` of `/v1/stream` or `/v1/ws` from a browser, whose EventSource and WebSocket send no Authorization header. A key may have 100 unused tickets; on the free plan, all keys of an account have 20 together.
         */
        post: operations["createTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Sends a six-digit code by mail. The answer does not show whether the address has an account. A server that cannot send mail answers 403.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an address
         * @description Takes the code of the mail within 30 minutes: the six digits, with at most five tries, or the long code below them.
         */
        post: operations["verifyAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Returns a session token, which is also set as an HttpOnly cookie. A session lasts 30 days, and ends sooner when it is not used (seven days, unless the operator sets another time). If the request has a session cookie, that session ends. A second cookie, `overround_device`, lets this device log in while strangers who guess passwords are locked out. Where the site is https, both names begin with `__Host-`.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of this request.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         * @description The account of the session.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/account/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the plan (development stub)
         * @description Sets the plan with no payment while development mode is on. Disabled in production: 403.
         */
        post: operations["setPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Keys of the account, revoked ones included. Never the key itself.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The answer shows the key, only this once. A tier above the plan is 402. A key may expire (`expires_at`) and be bound to addresses (`allowed_addresses`).
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description The answer shows the new key, only this once. The old one stops working at once.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description The key stops working at once and stays in the list as revoked.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of the account
         * @description Requests of each key and of all together since the server started.
         */
        get: operations["getAccountUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a new password
         * @description Mails a code that can set a new password for an hour. The answer does not show whether the address has an account.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password by mail
         * @description Takes the code of the mail, ends all sessions of the account and logs in.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Takes the present password, ends all other sessions and notifies the owner by mail.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/account/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the account to another address
         * @description Mails a code to the new address and a notice to the old one. The answer does not show whether the new address has an account.
         */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/account/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the new address
         * @description Takes the code that was mailed to the new address. The `id` of the account changes with its address; both addresses get a mail.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Live sessions of the account, with the client that logged in and the time of last use.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session, or all others
         * @description Takes the password. Ends the session with that `session_id`, or, without one, all other sessions.
         */
        post: operations["endSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account
         * @description Takes the password. Deletes the account with its keys, which stop working at once.
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved views
         * @description The views of the board that the account has saved.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view
         * @description Saves the query of the board’s address under a name, or replaces the view of that name. At most 20 views.
         */
        post: operations["saveView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved view
         * @description Deletes a saved view for good.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert rules
         * @description The rules of the account.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Create an alert rule
         * @description Sends a message when something happens: `when` says what, `where` narrows it, `to` says where to send. At most 50 rules. The answer shows the signing secret, only this once.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One alert rule
         * @description A rule and its state.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * Delete an alert rule
         * @description Deletes a rule with its deliveries, waiting ones included.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Change or pause an alert rule
         * @description Each field that is sent replaces the former one. `status` pauses a rule or lets it send.
         */
        patch: operations["changeAlert"];
        trace?: never;
    };
    "/platform/alerts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an alert rule on the last day
         * @description Checks a rule as creating it does, and counts the alerts that it would have sent in the last 24 hours, by playing the price history again. Nothing is created or sent.
         */
        post: operations["previewAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/alerts/{alert_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends a made-up alert, also for a paused rule.
         */
        post: operations["testAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/alerts/{alert_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description The answer shows the new secret, only this once. For a day, deliveries are signed with both secrets.
         */
        post: operations["rotateAlertSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/alerts/{alert_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description What the rule sent lately, with the answers of its endpoint. One list has at most 256 KB: for older ones, ask again with `before`.
         */
        get: operations["listAlertDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/alerts/{alert_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description The delivery keeps its id, so that an endpoint can recognise one that it has received before.
         */
        post: operations["resendAlertDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agent tools
         * @description Every tool with its description and the JSON Schemas of its input and output.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/get_sharp_line": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the sharp line
         * @description Answers "what is the line on Arsenal?" in one call: finds the fixture from words, then the consensus line, best price per outcome, and fair odds from the sharpest book (lowest overround). Words ("over 2.5", "-1.5", "moneyline", "first half") or `market_type`, `period` and `line` say what, else the full-time asian_handicap at the consensus line; `verbosity: "terse"` leaves out the per-book list. Use compare_lines when you already have an event_id, find_value to look for prices above fair. Example: {"query": "Lakers vs Celtics", "market_type": "totals", "verbosity": "terse"}.
         */
        post: operations["get_sharp_line"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/find_match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a match
         * @description Turns a person's words into one fixture: team names in any order, nicknames, an optional date. Answers its event_id, teams, league, kickoff, status and score. Use it first when you have words and need an event_id; use match_info for who is favourite or who won, list_today_matches to browse. Never guesses: with several plausible fixtures it answers `ambiguous` and a question for the user. Example: {"query": "Man Utd v Spurs 2026-03-01"}.
         */
        post: operations["find_match"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/match_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match info
         * @description Answers when a match kicks off (in a time zone), the live score, who is favourite and with what probability, who won a finished match (results are kept for 30 days), and how much can be staked on it at exchanges. Finds the match from words; `timezone` adds the local kickoff time; a `date` of YYYY-MM-DD is a UTC day whatever the zone. Use get_sharp_line for lines and prices, score_prob for likely scores. Example: {"query": "who won Arsenal vs Chelsea", "timezone": "Europe/London"}.
         */
        post: operations["match_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/get_match_odds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get match odds
         * @description Every quote of one fixture, by `event_id` or `query`: book, market, period, line, prices and status, as a flat list. Narrow it with markets, bookmakers and period; a whole fixture has some 75 quotes. Suspended quotes keep their last prices, so use only `open` ones. Use compare_lines for best prices and the consensus line of one market. Example: {"event_id": "evt_tb6aCmXS", "markets": ["1x2"], "period": "full_time"}.
         */
        post: operations["get_match_odds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/compare_lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare lines
         * @description Compares the books on one market of one fixture, by `event_id` or `query`: consensus line, lines offered, best price per outcome, fair odds of the sharpest book, and each book's line with its overround. Words in `query` ("over 2.5", "first half") or `market_type`, `period` and `line` say what, else the full-time asian_handicap; `line` judges another line than the consensus; `verbosity: "terse"` leaves out the per-book list. Use get_sharp_line for the same with a decision and alternatives, get_match_odds for raw prices of every market. Example: {"event_id": "evt_tb6aCmXS", "market_type": "totals", "line": 2.5}.
         */
        post: operations["compare_lines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/explain_handicap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a handicap
         * @description Explains how an Asian handicap line settles: its components, a plain sentence and the condition of each outcome over a = (home goals - away goals) + line. Needs no fixture. `line` is the home side's handicap, a multiple of 0.25. Use compare_lines for the prices of a handicap. Example: {"line": -0.75}.
         */
        post: operations["explain_handicap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/list_today_matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List today's matches
         * @description Fixtures that kick off today, plus any still live, by kickoff: teams, league, status, score and clock. Today is the UTC day unless `timezone` is given, which also makes kickoff times in summaries local. `status`, `sport` and `league` (a name or an lg_ id) narrow the list, `limit` (1-200, default 50) cuts it; `verbosity: "terse"` gives one short row a match. Use list_events for another day or a range, find_match when you know the teams. Example: {"sport": "football", "status": "live"}.
         */
        post: operations["list_today_matches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/list_events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List events
         * @description Only the fixtures that kick off on a day, or in a range that ends up to 31 days later, by kickoff. `timezone` moves the day boundary and adds local kickoff times; `status`, `sport` and `league` (a name or an lg_ id) narrow the list; `truncated` says when `limit` (1-200, default 50) cut it; `verbosity: "terse"` gives one short row a match. Use list_today_matches for today and what is live now, list_results for finished scores. Example: {"date": "2026-03-01", "date_to": "2026-03-02", "timezone": "Europe/Madrid"}.
         */
        post: operations["list_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/list_bookmakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List bookmakers
         * @description The seven bookmakers with the keys that `bookmakers` filters take, their class (sharp or asian), and what your tier covers. Use get_match_odds for their prices. Example: {}.
         */
        post: operations["list_bookmakers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/get_opening_line": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the opening line
         * @description Line movement of one fixture: per book, market and period the first line and prices ever seen beside the current ones. For handicap and totals, `line` differing from `current_line` is the line movement; for 1x2 compare the prices. `markets`, `bookmakers` and `period` narrow it. Use get_sharp_line for where the market stands now. Example: {"query": "Arsenal vs Chelsea", "markets": ["asian_handicap"], "period": "full_time"}.
         */
        post: operations["get_opening_line"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/get_closing_line": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the closing line
         * @description Closing prices of one fixture: per book and line the last open price before the kickoff, for closing line value. Finished matches too, if a day is named. `markets`, `bookmakers` and `period` narrow it. Before the kickoff there are none. Use get_opening_line for the other end, line_history for what happened in between. Example: {"query": "Arsenal vs Chelsea", "date": "2026-03-01", "markets": ["1x2"]}.
         */
        post: operations["get_closing_line"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/line_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Line history
         * @description How a line has moved: one sentence (opened, high, low, moves, now or close) and every price change, for finished matches too, if a day is named. `market_type`, `period`, `line` and `bookmakers` narrow it; `from` and `to` limit the time. Use get_opening_line for openings alone, get_closing_line for closing prices. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "line": 2.5, "bookmakers": ["crown"]}.
         */
        post: operations["line_history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/find_value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find value
         * @description Reports prices of one fixture above the fair price of a reference at the same market, period and line, with the edge in per cent. `reference` is the sharp book (default), `consensus` (all other books) or a bookmaker. Finds the fixture from words. `min_edge_pct` (default 1) is the least edge reported, `min_ev_pct` the least expected return, `max_age_s` the most age of a price; `markets` and `period` narrow the search; `excluded` counts what was left out. The sharp book needs the standard tier or above. Reports only: it sizes no stake. Use scan_slate to search every fixture, compare_prob to test a probability of your own, find_arbitrage for sure margins. Example: {"query": "Arsenal vs Chelsea", "min_edge_pct": 2}.
         */
        post: operations["find_value"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/find_arbitrage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find arbitrage
         * @description Reports combinations of open prices of one fixture, one per outcome at the same line and from at least two books, whose inverse prices add up to less than 1, with the margin in per cent. Finds the fixture from words. `min_margin_pct` (default 0) is the least margin reported, `max_age_s` the most age of a price; `markets` and `period` narrow the search; `excluded` counts what was left out. Reports only: it sizes no stake. Rare by nature: use scan_slate to search every fixture, find_value for single prices above fair. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.
         */
        post: operations["find_arbitrage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/find_middles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find middles
         * @description Reports pairs of open prices of two owners at two lines of one handicap or total of a fixture that can both win (over 2.5 and under 3.5), with the probability of that and the expected return of the pair; and lines whose best prices together are close to fair (low hold). `min_ev_pct` (default 0) is the least expected return, `max_hold_pct` (1) the highest hold; `markets`, `period` and `max_age_s` narrow the search. Reports only: it sizes no stake. Use find_arbitrage for pairs at one line, find_value for single prices above fair. Example: {"query": "Lakers vs Celtics", "markets": ["totals"]}.
         */
        post: operations["find_middles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/compare_prob": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare a probability
         * @description Answers "is 2.10 on over 2.5 good?": judges a price, or a probability from elsewhere (a prediction market, a model), against the fair one of the sharpest book: fair probability, edge in percentage points, expected return, verdict good/marginal/no_edge and caveats to pass on. It never sizes a stake. Send `price` (in `format`) or `external_prob` (fees included); `outcome` is home/draw/away for 1x2, home/away for asian_handicap, over/under for totals; `line` is the consensus line unless given. Use get_sharp_line for the market itself, find_value for books priced above fair, score_prob for exact scores. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "outcome": "over", "line": 2.5, "price": 2.1}.
         */
        post: operations["compare_prob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/score_prob": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Likeliest scores
         * @description Answers "what will the score be?" for one football match: the likeliest full-time scores with probabilities, expected goals per side, the implied 1x2, and `ah_ev_check`, near 0 when the handicap market agrees. Fitted (Dixon-Coles) to the sharpest book's 1x2 and totals; works live from the current score. Not for basketball. Use match_info for who is favourite, compare_prob to judge a probability you already have, get_result for a finished match. `top` is 1 to 10, default 5. Example: {"query": "Arsenal vs Chelsea", "top": 3}.
         */
        post: operations["score_prob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/scan_slate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scan the slate
         * @description Sweeps the whole slate in one call: scores up to 100 fixtures (live first, then the soonest) for value and arbitrage and puts those with a signal first, each with its favourite, best value bet and best arbitrage. `min_edge_pct` (default 1) and `min_margin_pct` (0) say what counts, `min_ev_pct` the least expected return, `max_age_s` the most age of a price; `signal` and `outcome` what is looked for; `status`, `sport`, `league`, `markets`, `period`, `date` and `date_to` narrow the slate, `bookmakers` the prices reported; value is measured against `reference`; `only_signal` leaves out the rest; `hits: "all"` lists every hit; `limit` (default 20) cuts it. The sharp book needs the standard tier or above. Use find_value or find_arbitrage for every hit of one fixture, get_opening_line for line movement. Example: {"league": "Serie A", "date": "tonight", "signal": "value", "only_signal": true}.
         */
        post: operations["scan_slate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/signal_record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the record of signals
         * @description Whether past signals earned what they promised: how many opened, mean edge, closing line value, yield of one unit each with its 95 % interval; `group_by` makes rows. Use find_value for signals open now. Example: {"group_by": "bookmaker", "min_edge_pct": 2}.
         */
        post: operations["signal_record"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/list_movers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List movers
         * @description The largest moves of line or fair probability over the slate or a league, full time: since opening (the sharp book where it is visible), or in the last `minutes` (at most 60). `market_type` defaults to 1x2, where only probabilities move; totals and asian_handicap have lines too. `kind: "steam"` lists prices that several independent owners moved the same way before kickoff within `within_s`, `kind: "price"` those of single bookmakers; both know only what was seen since the server started. Use get_opening_line for every book of one fixture, scan_slate for value. Example: {"minutes": 60, "sport": "football"}.
         */
        post: operations["list_movers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/compare_books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare bookmakers
         * @description Compares the bookmakers over a league or the whole slate on one market: margin (overround), availability, how often each is tightest or has the best price, and who moves first. `market_type` defaults to 1x2; `league`, `sport`, `status`, `date` and `date_to` narrow the fixtures. Use compare_lines for one fixture, list_bookmakers for the catalogue. Example: {"league": "England Premier League", "market_type": "1x2"}.
         */
        post: operations["compare_books"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/list_leagues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List leagues
         * @description The leagues that have fixtures on the slate, with ids that `league` filters take, how many fixtures each has, how many are live, and the next kickoff. `sport`, `status`, `date` and `date_to` narrow the fixtures counted. Use list_today_matches or list_events for the fixtures themselves. Example: {"sport": "football", "date": "tonight"}.
         */
        post: operations["list_leagues"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/list_results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List results
         * @description Final scores of finished matches of the last 30 days, most recent first, with red cards and no odds. Filter by kickoff day or days (`date`, `date_to`, in `timezone`), part of a team name and part of a league name. Use match_info to ask who won one match, get_result when you have its event_id. Example: {"team": "arsenal", "date": "yesterday"}.
         */
        post: operations["list_results"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/get_result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a result
         * @description The final score and red cards of one finished match by event_id, from the 30-day cache. Use match_info when you have team names, list_results to browse. Example: {"event_id": "evt_tb6aCmXS"}.
         */
        post: operations["get_result"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            /** @description Account id. It is made from the e-mail address and changes with it. */
            id: string;
            /** @description E-mail address, lower case. */
            email: string;
            /**
             * @description Plan of the account.
             * @enum {string}
             */
            plan: "free" | "standard" | "realtime" | "enterprise";
            /** @description Whether the code from the mail was entered. */
            verified: boolean;
            /**
             * Format: date-time
             * @description When the account was created.
             */
            created_at: string;
        };
        AccountAnswer: {
            account: components["schemas"]["Account"];
        };
        AccountUsageAnswer: {
            /** @description All keys together. */
            account: {
                /** @description Number of requests answered. */
                requests: number;
                /** @description Number of answers with a status of 400 or more. */
                errors: number;
                /** @description Errors per request, 4 decimals. */
                error_rate: number;
                /** @description Mean time to an answer, in milliseconds. */
                avg_latency_ms: number;
                /** @description Longest time to an answer, in milliseconds. */
                max_latency_ms: number;
            };
            /** @description Each key, oldest first. */
            keys: {
                /** @description Identifies the key. */
                key_id: string;
                /** @description Usage of this key. */
                usage: {
                    /** @description Number of requests answered. */
                    requests: number;
                    /** @description Number of answers with a status of 400 or more. */
                    errors: number;
                    /** @description Errors per request, 4 decimals. */
                    error_rate: number;
                    /** @description Mean time to an answer, in milliseconds. */
                    avg_latency_ms: number;
                    /** @description Longest time to an answer, in milliseconds. */
                    max_latency_ms: number;
                };
            }[];
            /** @description Number of requests per day and key in the last 30 days, oldest first. A request appears here within half a minute. Days without a request are left out. */
            days: {
                /**
                 * Format: date
                 * @description UTC day.
                 */
                date: string;
                /** @description Identifies the key. */
                key_id: string;
                /** @description Number of requests answered on this day. */
                requests: number;
            }[];
        };
        Alert: {
            /** @description Identifies the rule. */
            id: string;
            /** @description A name for people. */
            name: string;
            /** @description The rule as a sentence. */
            sentence: string;
            when: components["schemas"]["ShownAlertWhen"];
            where: components["schemas"]["ShownAlertWhere"];
            to: components["schemas"]["AlertTo"];
            /**
             * @description `failing`: the endpoint failed too often; set the rule to `active` to resume. `ended`: the endpoint answered 410.
             * @enum {string}
             */
            status: "active" | "paused" | "failing" | "ended";
            /** @description Why nothing is sent or watched now; null when all is well. */
            note: string | null;
            /**
             * Format: date-time
             * @description When the rule was created.
             */
            created_at: string;
        };
        AlertAnswer: {
            alert: components["schemas"]["Alert"];
        };
        AlertDeleted: {
            /**
             * @description The rule and its deliveries are gone.
             * @constant
             */
            deleted: true;
        };
        AlertDeliveriesAnswer: {
            /** @description Newest first, at most 200. Finished deliveries are kept for 7 days; without a paid plan, only the last 20 of each rule. */
            deliveries: components["schemas"]["AlertDelivery"][];
        };
        AlertDelivery: {
            /** @description Id of the delivery. It is sent as `webhook-id`, the same in every attempt. */
            id: string;
            /**
             * @description `taken`: the endpoint answered 2xx. `failed`: there are no more attempts.
             * @enum {string}
             */
            state: "waiting" | "taken" | "failed";
            /** @description Number of attempts so far. */
            tries: number;
            /** @description HTTP status of the last answer; null if there was no answer. */
            status: number | null;
            /** @description Why the last attempt failed; null when it did not. */
            error: string | null;
            /** @description The first 512 characters of the last answer; control characters are replaced. */
            answer: string | null;
            /** @description Number of alerts in this delivery. */
            merged: number;
            /** @description The alert as JSON in format `raw`, whatever format the rule has. */
            body: string;
            /**
             * Format: date-time
             * @description When the alert was found.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the delivery was last sent; null when never.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When the delivery is sent next; null when no attempt is planned.
             */
            next_at: string | null;
        };
        AlertPreview: {
            /** @description The rule as a sentence. */
            sentence: string;
            /** @description Number of alerts that the rule would have sent between `from` and `to`; null when unknown. */
            count: number | null;
            /**
             * Format: date-time
             * @description Start of the time for which the rule was tried: a day ago, or later.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description End of that time: now, or earlier if the day has too many prices to try them all.
             */
            to: string | null;
            /** @description The latest of these alerts, newest first. */
            latest: components["schemas"]["PreviewedAlert"][];
            /** @description Why `count` may be incomplete; null if it is complete. */
            note: string | null;
        };
        AlertPreviewRequest: {
            when: components["schemas"]["AlertWhen"];
            where?: components["schemas"]["AlertWhere"] | null;
        };
        AlertQueued: {
            /** @description Id of the delivery, as in the list of deliveries. */
            delivery_id: string;
        };
        AlertTo: {
            /** @description An https URL. Telegram: https://api.telegram.org/bot<token>/sendMessage?chat_id=<id>; ntfy: the URL of the topic. */
            url: string;
            /**
             * @description `raw`: signed JSON (Standard Webhooks). The others: a sentence for that service.
             * @enum {string}
             */
            format: "raw" | "slack" | "discord" | "telegram" | "ntfy";
        };
        AlertWhen: {
            /**
             * @description `value`: a price above the fair one. `arbitrage`: all outcomes cost less than they return. `middle`: prices at two lines that can both win. `low_hold`: the best prices of a line are close to fair. `move`: a price or fair probability moved. `steam`: several owners moved a price the same way before kickoff. `price`: an outcome reaches a price. `match`: a match goes live, changes its score or finishes. `source`: a source of prices is lost or back, for operators.
             * @enum {string}
             */
            kind: "value" | "arbitrage" | "middle" | "low_hold" | "move" | "steam" | "price" | "match" | "source";
            /** @description For `value`: lowest edge in per cent; default 1. */
            min_edge_pct?: number | null;
            /** @description For `value` and `middle`: lowest expected return in per cent. Default: no minimum for `value`, 0 for `middle`. */
            min_ev_pct?: number | null;
            /** @description Reference that value is measured against: `sharp` (the sharp book), `consensus` (all other books with an open price there, each owner with equal weight) or a bookmaker; when absent, `sharp`. */
            reference?: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
            /** @description For `arbitrage`: lowest margin in per cent; default 0. */
            min_margin_pct?: number | null;
            /** @description Highest hold of `low_hold` in per cent; default 1. */
            max_hold_pct?: number | null;
            /** @description Smallest change that counts. For `move`: percentage points of the fair probability if `of` is `fair` (its default), per cent of the price if `of` is `price`; default 5. For `steam`: per cent of the price; default 1.5. */
            pct?: number | null;
            /** @description What `move` compares: fair probabilities or prices; default fair. */
            of?: ("fair" | "price") | null;
            /** @description `move` and `steam` compare prices with those of this many seconds ago; default 1800. */
            within_s?: number | null;
            /** @description For `steam`: least number of owners that moved the same way; default 3. */
            owners?: number | null;
            /** @description For `price`: the market; required there. */
            market?: ("1x2" | "asian_handicap" | "totals") | null;
            /** @description For `price`: the line; any when absent. */
            line?: number | null;
            /** @description For `price`: the outcome; required there. */
            outcome?: ("home" | "draw" | "away" | "over" | "under") | null;
            /** @description For `price`: the decimal price that some bookmaker must offer; required there. */
            price?: number | null;
            /** @description For `match`: what to report, comma-separated; all when absent. */
            news?: string | null;
            /** @description For signals and prices: also report the end of each; default false. */
            closed?: boolean | null;
            /** @description For signals and prices: if the same one opens again within this many seconds after its end, it is not reported again; default 600. */
            again_after_s?: number | null;
        };
        AlertWhere: {
            /** @description Sport. */
            sport?: ("football" | "basketball") | null;
            /** @description League id (`lg_...`), or a name that means one league of the slate. */
            league?: string | null;
            /** @description Team id (`tm_...`), or a name that means one team of the slate. */
            team?: string | null;
            /** @description One match (`evt_...`). */
            event_id?: string | null;
            /** @description Comma-separated market types; all when absent. */
            markets?: string | null;
            /** @description One period; both when absent. */
            period?: ("full_time" | "half_time") | null;
            /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
            bookmakers?: string | null;
            /** @description True: only in play. False: only before kickoff. Both when absent. */
            in_play?: boolean | null;
        };
        AlertWithSecret: {
            alert: components["schemas"]["Alert"];
            /** @description Secret that signs deliveries of format `raw`, shown only this once; null for other formats. */
            secret: string | null;
        };
        AlertsAnswer: {
            /** @description Oldest first. */
            alerts: components["schemas"]["Alert"][];
            /** @description How many rules an account may have. */
            limit: number;
        };
        ArbLeg: {
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description Price in the requested format. */
            price: number;
            /** @description The price in decimal, whatever format is requested. */
            decimal: number;
            /**
             * Format: date-time
             * @description Source time of the last message about this price: when it last moved.
             */
            as_of: string;
            /**
             * Format: date-time
             * @description When the source last confirmed the price: with the message of `as_of` or, while the price is open, with a later heartbeat.
             */
            confirmed_at: string;
            /** @description Whole seconds from `as_of` to the answer. */
            age_s: number;
            /** @description True if the price last moved more than an hour before the sharp book's price at the same line. */
            lagging: boolean;
        };
        ArbOpportunity: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description One bet per outcome, with at least two books in all. */
            legs: components["schemas"]["ArbLeg"][];
            /**
             * Format: date-time
             * @description None of these prices has moved since this time.
             */
            since: string;
            /** @description Sum of 1/decimal over the legs; below 1. */
            inverse_sum: number;
            /** @description (1 / inverse_sum - 1) x 100. */
            margin_pct: number;
            /** @description Lowest return in per cent, with stakes in inverse proportion to the prices: 0 on a whole line (a push returns every stake), half the margin on a quarter line, else the margin. */
            worst_pct: number;
            /** @description Highest return in per cent with the stakes of `worst_pct`: the margin. */
            best_pct: number;
        };
        BatchError: {
            /**
             * @description Stable; switch on it.
             * @enum {string}
             */
            code: "invalid_request" | "unauthorized" | "plan_limit" | "forbidden" | "not_found" | "rate_limit_exceeded" | "internal" | "upstream_unavailable";
            /** @description For people; may change. */
            message: string;
            /** @description The concrete corrective action, or null. */
            fix: string | null;
        };
        BatchOdds: {
            /** @description Number of entries. */
            count: number;
            /** @description Number of entries with odds. */
            ok_count: number;
            /** @description In request order, one entry per id. */
            data: components["schemas"]["BatchOddsEntry"][];
        };
        /** @description Exactly one of `odds` and `error` is set. */
        BatchOddsEntry: {
            /** @description The id that you sent. */
            event_id: string;
            /** @description Null when this id failed. */
            odds: components["schemas"]["OddsBlock"] | null;
            /** @description Why this id failed, or null. */
            error: components["schemas"]["BatchError"] | null;
        };
        BatchOddsRequest: {
            /** @description Event ids. An id that is sent twice is answered twice. */
            event_ids: string[];
            /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
            bookmakers?: string | null;
            /** @description Comma-separated market types; all when absent. */
            markets?: string | null;
            /** @description One period; both when absent. */
            period?: ("full_time" | "half_time") | null;
            /**
             * @description Odds format of prices.
             * @default decimal
             */
            format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
            /** @description A time in the past, ISO-8601 with a zone: the request is answered as it would have been then. See /v1/history for what is kept. */
            at?: string | null;
        };
        BatchOpenings: {
            /** @description In request order. Ids that are not on the slate are left out. */
            data: components["schemas"]["EventOpening"][];
        };
        BatchOpeningsRequest: {
            /** @description Event ids. An id that is sent twice is answered twice. */
            event_ids: string[];
            /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
            bookmakers?: string | null;
            /** @description Comma-separated market types; all when absent. */
            markets?: string | null;
            /** @description One period; both when absent. */
            period?: ("full_time" | "half_time") | null;
            /**
             * @description Odds format of prices.
             * @default decimal
             */
            format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
        };
        BestPrice: {
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description Price in the requested format. */
            price: number;
            /** @description The price in decimal, whatever format is requested. */
            decimal: number;
            /**
             * Format: date-time
             * @description Source time of the last message about this price: when it last moved.
             */
            as_of: string;
            /**
             * Format: date-time
             * @description When the source last confirmed the price: with the message of `as_of` or, while the price is open, with a later heartbeat.
             */
            confirmed_at: string;
            /** @description Whole seconds from `as_of` to the answer. */
            age_s: number;
            /** @description True if the price last moved more than an hour before the sharp book's price at the same line. */
            lagging: boolean;
        };
        BookLine: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            prices: components["schemas"]["Prices"];
            /** @description Sum of the inverse decimal prices minus 1; null when a price is 1 or less. */
            overround: number | null;
            /**
             * @description `suspended`: the book pulled the line; its last prices are still shown. Use only the prices of `open` quotes.
             * @enum {string}
             */
            status: "open" | "suspended";
            /**
             * Format: date-time
             * @description Source time of the last message about this price: when it last moved.
             */
            as_of: string;
            /**
             * Format: date-time
             * @description When the source last confirmed the price: with the message of `as_of` or, while the price is open, with a later heartbeat.
             */
            confirmed_at: string;
            /** @description Whole seconds from `as_of` to the answer. */
            age_s: number;
            /** @description True if the price last moved more than an hour before the sharp book's price at the same line. */
            lagging: boolean;
        };
        BookStanding: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description Per cent of the compared fixtures for which the book has an open price in this market. */
            availability_pct: number;
            /** @description Per cent of the book's quotes in this market that are suspended. */
            suspended_pct: number;
            /** @description Median over the consensus lines, as a fraction; null when the book quotes none of them. */
            overround: number | null;
            /** @description Number of fixtures for which the book's overround is the lowest. */
            tightest_count: number;
            /** @description Number of outcomes of consensus lines for which the book has the best price. */
            best_price_count: number;
            /** @description Number of further lines that several books repriced, not in `shared_moves`: the book was behind the first one by less than the polling interval of a source, so their order is unknown. */
            hidden_moves: number;
            /** @description Median seconds behind the first book, over the lines counted in `shared_moves`; null without such a line. */
            lag_s: number | null;
            /** @description Per cent of the lines counted in `shared_moves` on which the book moved first; null without such a line. */
            first_pct: number | null;
            /** @description Number of lines that this book and another one repriced within 10 minutes, without those of `hidden_moves`. With fewer than about twenty, `lag_s` and `first_pct` mean little. */
            shared_moves: number;
        };
        Bookmaker: {
            /** @description Bookmaker id. */
            id: string;
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            key: string;
            /** @description English display name. */
            name: string;
            /**
             * @description The one `sharp` book is left out of everything on the free tier.
             * @enum {string}
             */
            class: "sharp" | "asian";
        };
        BookmakerInfo: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            key: string;
            /** @description English display name. */
            name: string;
            /**
             * @description The one `sharp` book is left out of everything on the free tier.
             * @enum {string}
             */
            class: "sharp" | "asian";
            /** @description Whether the caller's tier sees the bookmaker's prices. */
            covered: boolean;
        };
        BookmakerList: {
            data: components["schemas"]["Bookmaker"][];
        };
        BookmakersResult: {
            /** @description Number of books in the list. */
            count: number;
            bookmakers: components["schemas"]["BookmakerInfo"][];
            /** @description What the caller's tier covers, in words. */
            note: string;
        };
        ChangeAlertRequest: {
            /** @description A name for people. */
            name?: string | null;
            when?: components["schemas"]["AlertWhen"] | null;
            where?: components["schemas"]["AlertWhere"] | null;
            to?: components["schemas"]["AlertTo"] | null;
            /** @description Pause the rule, or activate it again. */
            status?: ("active" | "paused") | null;
        };
        ChangeEmailAnswer: {
            account: components["schemas"]["Account"];
            /**
             * @description A mail is on its way to the new address.
             * @enum {string}
             */
            confirmation: "sent";
        };
        ChangeEmailRequest: {
            /** @description The current password of the account. */
            password: string;
            /** @description E-mail address. */
            new_email: string;
        };
        ChangePasswordRequest: {
            /** @description The current password of the account. */
            password: string;
            /** @description 10 to 128 characters; not one of the most used passwords, and not the e-mail address. */
            new_password: string;
        };
        ClosingLineResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /**
             * Format: date-time
             * @description When the match was first seen live. If it never was, its last scheduled kickoff.
             */
            kickoff_at: string | null;
            /** @description Sorted by market, period, line, then catalogue order of books. */
            closing: components["schemas"]["ClosingQuote"][];
        };
        /** @description The last open price published before the kickoff at one book, market, period and line. */
        ClosingQuote: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description The two half-step lines of a quarter line, nearer zero first; null when the line is not split. */
            handicap_components: number[] | null;
            prices: components["schemas"]["Prices"];
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /**
             * Format: date-time
             * @description Source time of this price.
             */
            closed_at: string;
            /**
             * Format: date-time
             * @description When the source last confirmed the price before the kickoff.
             */
            confirmed_at: string;
        };
        ClvBin: {
            /** @description Lower end of the bin in per cent, inclusive; null for the bin of everything below -20. */
            from_pct: number | null;
            /** @description Upper end of the bin in per cent, exclusive; null for the bin of 20 and above. */
            to_pct: number | null;
            /** @description Number of signals whose closing line value is in this bin. */
            signals: number;
        };
        CompareBooksResult: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description Number of fixtures compared. */
            count: number;
            /** @description Number of fixtures left out because at most 500 are compared; narrow the filters to include them. */
            not_compared: number;
            /** @description Lowest overround first. */
            books: components["schemas"]["BookStanding"][];
            /** @description One plain sentence a person could read out. */
            summary: string;
        };
        CompareLinesResult: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /**
             * Format: date-time
             * @description When the feed last confirmed this fixture, in steps of 10 s.
             */
            as_of: string;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            /** @description Line offered by the most books; null for `1x2` or when no book has an open quote. */
            consensus_line: number | null;
            /** @description Distinct open lines across books, ascending. */
            lines_offered: number[];
            /** @description The line that all fields below refer to: the requested one, else the consensus line. */
            line: number | null;
            /** @description Best price per outcome on `line`. */
            best_prices: components["schemas"]["BestPrice"][];
            /** @description Fair decimal odds by outcome: the prices of the sharpest book (lowest overround) on `line`, with its margin removed by `fair_method`. */
            fair_odds: {
                [key: string]: number;
            } | null;
            /** @description Book the fair odds came from. */
            fair_from: string | null;
            fair_method: ("power" | "proportional") | null;
            fair_methods: components["schemas"]["FairMethods"] | null;
            /** @description Every visible quote of the market, or of the requested line; empty when `terse`. */
            books: components["schemas"]["BookLine"][];
            /** @description Number of books with an open price on `line`. */
            book_count: number;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /**
             * @description The verbosity of this answer.
             * @enum {string}
             */
            verbosity: "full" | "terse";
        };
        CompareProbResult: {
            /**
             * @description `no_line`: the match is known, but no visible book has an open price to compare with. `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "no_line" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            market_type: ("1x2" | "asian_handicap" | "totals") | null;
            period: ("full_time" | "half_time") | null;
            outcome: ("home" | "draw" | "away" | "over" | "under") | null;
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description Fair probability of the outcome: without the margin. */
            fair_prob: number | null;
            /** @description `fair_prob` as a decimal price: 1 / fair_prob. */
            fair_decimal: number | null;
            /** @description Book with the lowest overround, from whose prices the margin was removed; null when there is none. */
            fair_from: string | null;
            /** @description Source of the fair price: `sharp`, `consensus` or a bookmaker; null without a fair price. */
            reference: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
            /** @description The probability that you sent, or the one implied by the price that you sent. */
            external_prob: number | null;
            /** @description The price that you sent, in `format`. */
            price: number | null;
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /** @description The name that you sent for the price. */
            external_label: string | null;
            /** @description (fair_prob - external_prob) x 100, in percentage points; positive: the external price is better than fair. */
            edge_pp: number | null;
            /** @description fair_prob / external_prob - 1: expected gain per unit staked; null when it is too large for JSON. */
            ev_roi: number | null;
            /** @description `good` if `edge_pp` is 2 or more, `marginal` if it is 1 or more, else `no_edge`; never `good` if `ev_roi` is above the cap of value bets. */
            verdict: ("good" | "marginal" | "no_edge") | null;
            /** @description `power` for `1x2`, else `proportional`. */
            devig_method: ("power" | "proportional") | null;
            /** @description Caveats: what to know before acting on the edge. Repeat them to the user. */
            caveats: string[];
        };
        ConfirmEmailRequest: {
            /** @description The code from the mail: six groups of five characters. */
            code: string;
        };
        /** @description Bookmakers whose sources confirmed their prices at the same time. */
        Confirmation: {
            bookmakers: string[];
            /**
             * Format: date-time
             * @description All open prices of these bookmakers were confirmed at this time or later (steps of 10 s). If a source confirms fixtures one by one, this is its oldest confirmation.
             */
            as_of: string;
        };
        ConvertHandicapRequest: {
            /** @description The home side's handicap. */
            line: number;
        };
        ConvertHandicapResponse: {
            /** @description Shortest decimal text of the line. */
            handicap_raw: string;
            /** @description The line as a number. */
            handicap_decimal: number;
            /** @description The line itself, or the two halves of a quarter line, nearer zero first. */
            handicap_components: number[];
            /** @description How the line settles, in words. */
            explanation: string;
            win_conditions: components["schemas"]["WinConditions"];
        };
        ConvertOddsRequest: {
            /** @description The odds, in the `from` format. */
            value: number;
            /**
             * @description Format of `value`.
             * @enum {string}
             */
            from: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /** @description Formats to convert to. */
            to: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability")[];
            /** @description Use this book's decimals for `malay`; canonical (3) when absent. */
            bookmaker?: string | null;
        };
        /** @description Has only the fields of the source format and of the requested formats. All other answers always have every field. */
        ConvertOddsResponse: {
            /** @description Total return per unit staked. */
            decimal?: (number | null) | null;
            /** @description Net return per unit staked. */
            hk?: (number | null) | null;
            /** @description From -1 to 1, not 0. */
            malay?: (number | null) | null;
            /** @description 100 or more, or -100 or less. */
            american?: (number | null) | null;
            /** @description 1 or more, or -1 or less. */
            indonesian?: (number | null) | null;
            /** @description Implied probability, including the margin. */
            probability?: (number | null) | null;
        };
        ConvertSettleRequest: {
            /**
             * @description Sport.
             * @enum {string}
             */
            sport: "football" | "basketball";
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /** @description Period; `half_time` is the first half. */
            period?: ("full_time" | "half_time") | null;
            /** @description The total, or the home side's handicap; required except for `1x2`. */
            line?: number | null;
            /** @description The score of the period at its end. */
            score: {
                /** @description Home side. */
                home: number;
                /** @description Away side. */
                away: number;
            };
            /** @description The score from which an in-play football handicap counts; 0-0 when absent. No other market uses it. */
            from_score?: {
                /** @description Home side. */
                home: number;
                /** @description Away side. */
                away: number;
            } | null;
        };
        ConvertSettleResponse: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description Every outcome of the market, in its order. */
            outcomes: components["schemas"]["SettledOutcome"][];
        };
        CreateAlertRequest: {
            /** @description A name for people. */
            name: string;
            when: components["schemas"]["AlertWhen"];
            where?: components["schemas"]["AlertWhere"] | null;
            to: components["schemas"]["AlertTo"];
        };
        CreateKeyRequest: {
            /**
             * @description Purpose of the key, as a note for people.
             * @default
             */
            label?: string | null;
            /**
             * @description Tier of the key; not above the plan.
             * @default free
             */
            tier?: ("free" | "standard" | "realtime" | "enterprise") | null;
            /** @description When the key expires; never if left out. */
            expires_at?: string | null;
            /** @description Addresses and ranges that the key may be used from; any if left out or empty. */
            allowed_addresses?: string[] | null;
        };
        Decision: {
            /** @description True when the result is unambiguous enough to act on. */
            safe_to_proceed: boolean;
            /** @description How certain it is that the right fixture was found. */
            confidence: number | null;
            /** @description What to ask the user; null when safe to proceed. */
            ask_user: string | null;
            /** @description Suggested next call. */
            next_action: components["schemas"]["NextAction"] | null;
        };
        DeleteAccountRequest: {
            /** @description The current password of the account. */
            password: string;
        };
        DeletedAnswer: {
            /**
             * @description The account and its keys are gone.
             * @constant
             */
            deleted: true;
        };
        EndSessionsRequest: {
            /** @description The current password of the account. */
            password: string;
            /** @description The session to end. If left out, all sessions except the current one end. */
            session_id?: string | null;
        };
        ErrorEnvelope: {
            error: {
                /**
                 * @description Stable; switch on it.
                 * @enum {string}
                 */
                code: "invalid_request" | "unauthorized" | "plan_limit" | "forbidden" | "not_found" | "rate_limit_exceeded" | "internal" | "upstream_unavailable";
                /** @description For people; may change. */
                message: string;
                /** @description The concrete corrective action. Apply it instead of retrying blindly. */
                fix: string | null;
                /** @description Whether the same request can succeed later. */
                is_retriable: boolean;
                /** @description Seconds to wait before a retry; null if there is no advice. */
                retry_after_seconds: number | null;
                /**
                 * Format: uri
                 * @description The section of the documentation about this code.
                 */
                documentation_url: string;
            };
        };
        /** @description A fixture. */
        Event: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            id: string;
            /**
             * @description Sport.
             * @enum {string}
             */
            sport: "football" | "basketball";
            league: components["schemas"]["LeagueRef"];
            home_team: components["schemas"]["TeamRef"];
            away_team: components["schemas"]["TeamRef"];
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
        };
        EventCandidate: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description Match confidence, 3 decimals. */
            confidence: number;
        };
        EventClosing: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * Format: date-time
             * @description When the match was first seen live. If it never was, its last scheduled kickoff.
             */
            kickoff_at: string | null;
            /** @description Empty until the time of the kickoff is certain, and for a match that never began. */
            closing: components["schemas"]["ClosingQuote"][];
        };
        EventHistory: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * Format: date-time
             * @description Only ticks published at this time or later.
             */
            from: string;
            /**
             * Format: date-time
             * @description Only ticks published before this time.
             */
            to: string;
            /** @enum {string} */
            resolution: "tick" | "1m" | "5m" | "1h" | "1d";
            /** @description Sorted by market, period, line, then catalogue order of books. */
            series: components["schemas"]["HistorySeries"][];
            /** @description Each change of status, score or red cards since `states_from`, oldest first; the same on every page. At most the newest 1,000. */
            states: components["schemas"]["HistoryState"][];
            /**
             * Format: date-time
             * @description `states` is complete from this time on. If there are more than 1,000 changes, it is later than `from`: to get the earlier ones, send it as `to`.
             */
            states_from: string;
            gaps: components["schemas"]["HistoryGap"][];
            /** @description Cursor of the next page; null on the last one. */
            next_cursor: string | null;
        };
        EventList: {
            data: components["schemas"]["Event"][];
        };
        EventOpening: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * @description `first_seen`: this service recorded the openings. `upstream`: the feed sent them.
             * @enum {string}
             */
            source: "first_seen" | "upstream";
            /** @description One per current quote that has an opening on file; the others are left out. */
            opening: components["schemas"]["OpeningQuote"][];
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            page: components["schemas"]["Page"];
        };
        EventSettlement: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            score: components["schemas"]["Score"];
            /** @description Null when it was not seen. */
            half_time_score: components["schemas"]["Score"] | null;
            /** @description Each line that had a closing price, once, sorted by market, period and line. First-half lines only if `half_time_score` is known. */
            settlement: components["schemas"]["SettledClosingLine"][];
        };
        EventState: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /** @description Current or final score; null before the feed sends one. */
            score: components["schemas"]["Score"] | null;
            /** @description Red cards; null when the feed sends none. */
            cards: components["schemas"]["Score"] | null;
            /** @description Match clock text, verbatim from the feed; null when there is none. */
            clock: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed this fixture.
             */
            as_of: string;
        };
        EventsResult: {
            /**
             * Format: date
             * @description First day.
             */
            date: string;
            /**
             * Format: date
             * @description Last day; null for one day.
             */
            date_to: string | null;
            /** @description The zone that you sent; null means UTC. */
            timezone: string | null;
            /** @description Number of matches in this answer. */
            count: number;
            /** @description True when more matches exist than `limit`. */
            truncated: boolean;
            /** @description Empty when `terse`. */
            matches: components["schemas"]["MatchSummary"][];
            /** @description Leagues in the order of their first kickoff; null unless `terse`. */
            by_league: components["schemas"]["LeagueRows"][] | null;
        };
        ExchangeLiquidity: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description ISO 4217 code of the amounts. */
            currency: string;
            /**
             * Format: date-time
             * @description Source time of these amounts. The source sends them every few seconds.
             */
            as_of: string;
            lines: {
                /**
                 * @description Market type.
                 * @enum {string}
                 */
                market_type: "1x2" | "asian_handicap" | "totals";
                /**
                 * @description Period; `half_time` is the first half.
                 * @enum {string}
                 */
                period: "full_time" | "half_time";
                /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
                line: number | null;
                sizes: components["schemas"]["Sizes"];
                /** @description Amount traded so far; null if the source does not send it. */
                matched: number | null;
            }[];
        };
        /** @description How many quotes, lines, hits or fixtures were left out, by reason. */
        Excluded: {
            /** @description Quotes not confirmed within the freshness window, or older than the highest allowed age. */
            stale: number;
            /** @description Value or arbitrage above the cap. Most often one of the prices is wrong. */
            implausible: number;
            /** @description Quotes that are suspended or carry a price of 1 or less. */
            suspended: number;
            /** @description Quotes of a period that is over. */
            period_over: number;
            /** @description Fixtures past their kickoff that no source reports as live. */
            not_started_late: number;
            /** @description Finished fixtures. */
            finished: number;
            /** @description Lines, or pairs of legs, whose prices come from a single owner. */
            single_book: number;
            /** @description Lines with prices of several owners but none of the sharp book. Counted only when the reference is `sharp`. */
            no_sharp: number;
            /** @description Lines without a price of the reference, if it is not `sharp`: the named bookmaker has none, or fewer than three other owners are left for a consensus. */
            no_reference: number;
        };
        /** @description Fair probability by outcome of one book's prices, by three methods of removing its margin. The default everywhere is `power` for a 1x2 and `proportional` for handicaps and totals. */
        FairMethods: {
            proportional: {
                [key: string]: number;
            };
            power: {
                [key: string]: number;
            };
            shin: {
                [key: string]: number;
            };
        };
        Favorite: {
            /**
             * @description Likeliest outcome.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away";
            /** @description Team name; null for a draw. */
            team: string | null;
            /** @description Fair probability of this outcome, from the full-time 1x2 without its margin. */
            win_probability: number;
            /** @description Book whose 1x2 prices these are. */
            source: string | null;
        };
        FindArbitrageResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description Highest margin first. */
            opportunities: components["schemas"]["ArbOpportunity"][];
            excluded: components["schemas"]["Excluded"];
            /** @description Caveats: why there are no signals, or what was left out and why. */
            note: string | null;
        };
        FindMatchResult: {
            /**
             * @description Whether one fixture is meant.
             * @enum {string}
             */
            status: "matched" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description The best match; null if `not_found`. Act on it only when `decision.safe_to_proceed`. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            decision: components["schemas"]["Decision"];
        };
        FindMiddlesResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description Highest expected return first. */
            middles: components["schemas"]["Middle"][];
            /** @description Lowest hold first. */
            low_holds: components["schemas"]["LowHold"][];
            excluded: components["schemas"]["Excluded"];
            /** @description Caveats: why there are no signals, or what was left out and why. */
            note: string | null;
        };
        FindValueResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description Highest edge first. */
            value_bets: components["schemas"]["ValueBet"][];
            /** @description Book whose prices, without their margin, were the reference; null without a reference, and for the consensus. */
            fair_source: string | null;
            /**
             * @description Reference that value was measured against: `sharp`, `consensus` or a bookmaker.
             * @enum {string}
             */
            reference: "sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc";
            excluded: components["schemas"]["Excluded"];
            /** @description Caveats: why there are no signals, or what was left out and why. */
            note: string | null;
        };
        FixtureChange: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description Null when the fixture has not changed. */
            event: components["schemas"]["Event"] | null;
            /** @description Null when the state of the match has not changed. */
            state: components["schemas"]["MatchState"] | null;
            /** @description True: `odds` is the whole list of the fixture, because it is new in this view or a line was withdrawn; drop the odds you hold for it. False: each quote in `odds` replaces the one you hold for the same bookmaker, market, period and line. */
            replace: boolean;
            /** @description The changed quotes, or all quotes if `replace` is true; sorted by market, period, line, then catalogue order of books. */
            odds: components["schemas"]["OddsQuote"][];
        };
        FollowedSignals: {
            kinds: ("value" | "arbitrage" | "middle" | "low_hold" | "move" | "steam")[];
            /** @description Lowest edge of value in per cent; null if value is not followed. */
            min_edge_pct: number | null;
            /** @description Lowest margin of arbitrage in per cent; null if arbitrage is not followed. */
            min_margin_pct: number | null;
            /** @description Reference that value is measured against; null if value is not followed. */
            reference: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
            /** @description Lowest expected return of a middle in per cent; null if middles are not followed. */
            min_ev_pct: number | null;
            /** @description Highest hold in per cent; null if low hold is not followed. */
            max_hold_pct: number | null;
            /** @description Smallest move, in per cent or percentage points; null if moves are not followed. */
            move_pct: number | null;
            /** @description What moves are measured on; null if moves are not followed. */
            move_of: ("fair" | "price") | null;
            /** @description Smallest change of a price in per cent; null if steam is not followed. */
            steam_pct: number | null;
            /** @description Least number of owners that moved; null if steam is not followed. */
            owners: number | null;
            /** @description Moves and steam compare with prices of this many seconds ago; null if neither is followed. */
            within_s: number | null;
            /** @description What the tier leaves out; null if nothing. */
            note: string | null;
        };
        ForgotPasswordRequest: {
            /** @description E-mail address. */
            email: string;
        };
        GetResultResult: {
            /**
             * @description `not_found`: not in the 30-day cache.
             * @enum {string}
             */
            status: "found" | "not_found";
            /** @description The id that you sent. */
            event_id: string;
            result: components["schemas"]["Result"] | null;
        };
        GrowthPoint: {
            /**
             * Format: date-time
             * @description Opening time of the last signal that this point counts.
             */
            at: string;
            /** @description Number of settled signals that this point counts. */
            settled: number;
            /** @description Total profit of these signals in units, with one unit staked on each; 0 is break-even. */
            units: number;
            /** @description Lower end of the 95 % interval of `units`, from resampling whole matches. Null with fewer than two matches. */
            units_low: number | null;
            /** @description Upper end of this interval. */
            units_high: number | null;
        };
        Health: {
            /**
             * @description `starting` until the first snapshot is complete. `degraded` while the feed is not live, messages of it are missing, a source has a problem or the database is damaged (see /ready).
             * @enum {string}
             */
            status: "ok" | "degraded" | "starting";
            /** @description Whether every source is connected, sent something in the last 30 s, and no message of it is missing. */
            feed_live: boolean;
            /**
             * Format: date-time
             * @description When a message of the feed was last applied; null before the first.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the live freshness window. */
            as_of_stale: boolean;
            /** @description Number of fixtures on the slate. */
            matches: number;
            /** @description Number of quotes on the slate, without those of the sharp bookmaker. */
            odds: number;
        };
        /** @description What the price history holds, as far back as the plan sees. */
        HistoryCoverage: {
            /**
             * Format: date-time
             * @description When the first tick was published; null when there is none.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description When the last tick was published; null when there is none.
             */
            to: string | null;
            /** @description Days with ticks, oldest first. */
            days: components["schemas"]["HistoryDay"][];
            /** @description Oldest first. */
            gaps: components["schemas"]["HistoryGap"][];
        };
        HistoryDay: {
            /**
             * Format: date
             * @description UTC day.
             */
            day: string;
            /** @description Number of fixtures with a tick on that day. */
            fixtures: number;
            /** @description Number of ticks of the whole day, including the part that the plan does not see. */
            ticks: number;
            /** @description Size on disk in bytes. On a tier that does not see every bookmaker, an estimate of the part that it sees. */
            bytes: number;
        };
        /** @description A fixture of the price history, with its status as last known. */
        HistoryEvent: {
            event: components["schemas"]["Event"];
            /**
             * Format: date-time
             * @description When the first tick of the fixture that the plan sees was published.
             */
            first_at: string;
            /**
             * Format: date-time
             * @description When the last tick of the fixture was published.
             */
            last_at: string;
            /** @description Number of ticks, from the start of the first UTC day that the plan sees in whole or in part. */
            ticks: number;
        };
        HistoryEventPage: {
            data: components["schemas"]["HistoryEvent"][];
            page: components["schemas"]["Page"];
        };
        /** @description A time for which the price history cannot say what was published. */
        HistoryGap: {
            /**
             * Format: date-time
             * @description Start of the gap, inclusive.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the gap, exclusive; null while the gap lasts.
             */
            to: string | null;
            /**
             * @description `stopped`: the process was not running or stood still, or a file was lost. `feed_lost`: the server had no feed. `overrun`: it could not keep up, or its clock was set back. `disk_full`: it could not write.
             * @enum {string}
             */
            reason: "stopped" | "feed_lost" | "overrun" | "disk_full";
        };
        /** @description The ticks of one line of one bookmaker. */
        HistorySeries: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description The two half-step lines of a quarter line, nearer zero first; null when the line is not split. */
            handicap_components: number[] | null;
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /** @description In the order of publishing. */
            ticks: components["schemas"]["HistoryTick"][];
        };
        /** @description Status, score and red cards of a match from an instant on. */
        HistoryState: {
            /**
             * Format: date-time
             * @description When the server published the change.
             */
            at: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /** @description Null before the feed sends one. */
            score: components["schemas"]["Score"] | null;
            /** @description Red cards; null when the feed sends none. */
            cards: components["schemas"]["Score"] | null;
        };
        /** @description One published change of the prices or the status of a line. */
        HistoryTick: {
            /**
             * Format: date-time
             * @description Source time: the `as_of` that the quote had.
             */
            at: string;
            /**
             * @description Status from then on; `withdrawn` when the line left the slate.
             * @enum {string}
             */
            status: "open" | "suspended" | "withdrawn";
            /** @description Null when the line was withdrawn. */
            prices: components["schemas"]["Prices"] | null;
            /** @description Whether the match was in play then. */
            in_play: boolean;
            /** @description The score then; null when unknown. */
            score: components["schemas"]["Score"] | null;
        };
        Key: {
            /** @description Identifies the key; not a secret. */
            key_id: string;
            /** @description Purpose of the key. */
            label: string;
            /**
             * @description Tier of the key.
             * @enum {string}
             */
            tier: "free" | "standard" | "realtime" | "enterprise";
            /** @description Last four characters of the key. */
            last4: string;
            /**
             * @description A revoked key never works again.
             * @enum {string}
             */
            status: "active" | "revoked";
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last used; null when never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key expires; null when never.
             */
            expires_at: string | null;
            /** @description Addresses and ranges that the key may be used from; any if the list is empty. */
            allowed_addresses: string[];
        };
        KeyWithSecret: {
            /** @description Identifies the key; not a secret. */
            key_id: string;
            /** @description Purpose of the key. */
            label: string;
            /**
             * @description Tier of the key.
             * @enum {string}
             */
            tier: "free" | "standard" | "realtime" | "enterprise";
            /** @description Last four characters of the key. */
            last4: string;
            /**
             * @description A revoked key never works again.
             * @enum {string}
             */
            status: "active" | "revoked";
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last used; null when never.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key expires; null when never.
             */
            expires_at: string | null;
            /** @description Addresses and ranges that the key may be used from; any if the list is empty. */
            allowed_addresses: string[];
            /** @description The key itself, shown only this once. */
            key: string;
        };
        KeysAnswer: {
            /** @description Oldest first, revoked ones included. */
            keys: components["schemas"]["Key"][];
        };
        League: {
            /** @description League id. Stable across calls and restarts; safe to store. */
            id: string;
            /** @description Display name. */
            name: string;
            /**
             * @description Sport.
             * @enum {string}
             */
            sport: "football" | "basketball";
        };
        LeagueCandidate: {
            /** @description League id. Stable across calls and restarts; safe to store. */
            league_id: string;
            /** @description Match confidence, 3 decimals. */
            confidence: number;
        };
        LeaguePage: {
            data: components["schemas"]["League"][];
            page: components["schemas"]["Page"];
        };
        LeagueRef: {
            /** @description League id. Stable across calls and restarts; safe to store. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        LeagueRows: {
            /** @description League name. */
            league: string;
            /** @description One row per match. It begins with the kickoff (with MM-DD if not on `date`), or with "live", score and clock, or with score and "FT". Then come the teams and the event id without `evt_`. */
            rows: string[];
        };
        LeaguesResult: {
            /** @description Number of leagues in this answer. */
            count: number;
            /** @description True when there are more leagues than `limit`. */
            truncated: boolean;
            /** @description Most fixtures first, then by name. */
            leagues: components["schemas"]["ListedLeague"][];
        };
        LineHistoryResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /**
             * @description The resolution used.
             * @enum {string}
             */
            resolution: "tick" | "1m" | "5m" | "1h" | "1d";
            /** @description Sorted by line, then catalogue order of books. */
            series: components["schemas"]["HistorySeries"][];
            /** @description Periods for which no prices are known. */
            gaps: components["schemas"]["HistoryGap"][];
            /** @description Whether there are more points than these: send `line`, `bookmakers`, or a shorter time, or choose a coarser `resolution`. */
            truncated: boolean;
        };
        LineMove: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /**
             * @description What moved: a fair probability, or the price of a bookmaker.
             * @enum {string}
             */
            of: "fair" | "price";
            /** @description The bookmaker whose price moved, or from whose prices the fair probability is computed. */
            bookmaker: string;
            /** @description Decimal price before the move; the fair price if `of` is `fair`. */
            decimal_from: number;
            /** @description Decimal price now; the fair price if `of` is `fair`. */
            decimal_to: number;
            /** @description The change: per cent for a price, percentage points for a fair probability. */
            change: number;
            /**
             * Format: date-time
             * @description When the earlier price was first offered, as far as it is known.
             */
            from_at: string;
            /** @description Prices are compared with those of this many seconds ago. */
            within_s: number;
        };
        Liquidity: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description One entry for each exchange that has prices of the fixture and whose source sends amounts. */
            exchanges: components["schemas"]["ExchangeLiquidity"][];
        };
        ListedLeague: {
            /** @description League id. Stable across calls and restarts; safe to store. */
            id: string;
            /** @description Display name. */
            name: string;
            /**
             * @description Sport.
             * @enum {string}
             */
            sport: "football" | "basketball";
            /** @description Number of fixtures that pass the filter. */
            matches: number;
            /** @description Number of these fixtures that are live now. */
            live: number;
            /**
             * Format: date-time
             * @description The first kickoff of these fixtures that is still to come; null if there is no such kickoff.
             */
            next_kickoff: string | null;
        };
        LoginAnswer: {
            /** @description The token of the session, which is also set as an HttpOnly cookie. */
            session_token: string;
            /**
             * Format: date-time
             * @description When the session ends.
             */
            expires_at: string;
            account: components["schemas"]["Account"];
        };
        LoginRequest: {
            /** @description E-mail address. */
            email: string;
            /** @description The password chosen at sign-up. */
            password: string;
        };
        LogoutAnswer: {
            /**
             * @description The session has ended.
             * @constant
             */
            logged_out: true;
        };
        LowHold: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description The best price of every outcome, from at least two owners. */
            legs: components["schemas"]["ArbLeg"][];
            /**
             * Format: date-time
             * @description None of these prices has moved since this time.
             */
            since: string;
            /** @description (1 - 1 / sum of 1/decimal) x 100: how far the best prices together are from fair. Below 0 they are an arbitrage. */
            hold_pct: number;
        };
        MatchAlternative: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description 'Home vs Away'. */
            label: string;
            /** @description Match confidence, 3 decimals. */
            confidence: number;
        };
        MatchInfoResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description Kickoff in the time zone of `timezone`, ISO-8601 with its offset; null without a known zone or a kickoff. */
            scheduled_at_local: string | null;
            /** @description The time zone that you sent, or that the query names. */
            timezone: string | null;
            /** @description Null when no 1x2 is open. */
            favorite: components["schemas"]["Favorite"] | null;
            /** @description De-vigged probability by outcome of the full-time 1x2; null when no such quote is open. */
            implied_probabilities: {
                [key: string]: number;
            } | null;
            fair_method: ("power" | "proportional") | null;
            fair_methods: components["schemas"]["FairMethods"] | null;
            /** @description How much can be staked on the full-time 1x2 at each exchange; empty if no source sends amounts. */
            liquidity: components["schemas"]["WinnerLiquidity"][];
        };
        MatchOddsResult: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /** @description League name. */
            league: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /**
             * Format: date-time
             * @description When the feed last confirmed this fixture, in steps of 10 s.
             */
            as_of: string;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            odds: components["schemas"]["OddsQuote"][];
        };
        MatchState: {
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /** @description Current or final score; null before the feed sends one. */
            score: components["schemas"]["Score"] | null;
            /** @description Red cards; null when the feed sends none. */
            cards: components["schemas"]["Score"] | null;
            /** @description Match clock text, verbatim from the feed; null when there is none. */
            clock: string | null;
        };
        MatchSummary: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * @description Sport.
             * @enum {string}
             */
            sport: "football" | "basketball";
            /** @description League name. */
            league: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /** @description Kickoff in the requested time zone, ISO-8601 with its offset; null without a zone or a kickoff. */
            scheduled_at_local: string | null;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /** @description Current score when live, final score when finished. */
            score: components["schemas"]["Score"] | null;
            /** @description Match clock text, verbatim from the feed; null when there is none. */
            clock: string | null;
            /** @description How certain it is that this fixture is meant; null except from find_match. */
            confidence: number | null;
            /** @description One line a person could read out. */
            summary: string | null;
        };
        MeAnswer: {
            account: components["schemas"]["Account"];
            /** @description Whether the account belongs to the operator of this server, who may open /console/operator. */
            operator: boolean;
        };
        Middle: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The two bets, at books of different owners: over or home, then under or away. */
            legs: components["schemas"]["MiddleLeg"][];
            /**
             * Format: date-time
             * @description None of these prices has moved since this time.
             */
            since: string;
            /** @description Probability that both bets win, in full or by half. */
            both_win_prob: number;
            /** @description Probability that one bet wins, in full or by half, and the other loses nothing. */
            no_loss_prob: number;
            /** @description Expected return in per cent of the total stake, which is split so that both bets pay the same. Every result is settled exactly, quarter lines by halves. */
            ev_pct: number;
            /** @description Return of the pair at the worst result, in per cent. */
            worst_pct: number;
        };
        MiddleLeg: {
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /** @description Line of this bet: the total, or the home handicap. */
            line: number | null;
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description Price in the requested format. */
            price: number;
            /** @description The price in decimal, whatever format is requested. */
            decimal: number;
            /**
             * Format: date-time
             * @description Source time of the last message about this price: when it last moved.
             */
            as_of: string;
            /**
             * Format: date-time
             * @description When the source last confirmed the price: with the message of `as_of` or, while the price is open, with a later heartbeat.
             */
            confirmed_at: string;
            /** @description Whole seconds from `as_of` to the answer. */
            age_s: number;
            /** @description True if the price last moved more than an hour before the sharp book's price at the same line. */
            lagging: boolean;
        };
        MovedPrice: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description League name. */
            league: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /**
             * @description What moved: a fair probability, or the price of a bookmaker.
             * @enum {string}
             */
            of: "fair" | "price";
            /** @description The bookmaker whose price moved, or from whose prices the fair probability is computed. */
            bookmaker: string;
            /** @description Decimal price before the move; the fair price if `of` is `fair`. */
            decimal_from: number;
            /** @description Decimal price now; the fair price if `of` is `fair`. */
            decimal_to: number;
            /** @description The change: per cent for a price, percentage points for a fair probability. */
            change: number;
            /**
             * Format: date-time
             * @description When the earlier price was first offered, as far as it is known.
             */
            from_at: string;
            /** @description Prices are compared with those of this many seconds ago. */
            within_s: number;
        };
        Mover: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description League name. */
            league: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /** @description Book whose fair prices these are. */
            bookmaker: string;
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line_from: number | null;
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line_to: number | null;
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /** @description Probability, 4 decimals. */
            prob_from: number;
            /** @description Probability, 4 decimals. */
            prob_to: number;
            /** @description (prob_to - prob_from) x 100; null when the line moved, because the two are then of different bets. */
            change_pp: number | null;
            /**
             * Format: date-time
             * @description When `line_from` and `prob_from` were offered.
             */
            from_at: string;
        };
        MoversResult: {
            /** @enum {string} */
            kind: "fair" | "price" | "steam";
            /** @description Null means every market. */
            market_type: ("1x2" | "asian_handicap" | "totals") | null;
            /** @description Null for `price` and `steam`. */
            fair_method: ("power" | "proportional") | null;
            /** @description The minutes that you sent; null means since opening. */
            minutes: number | null;
            /** @description Number of movers in this answer. */
            count: number;
            /** @description True when more have moved than `limit`. */
            truncated: boolean;
            /** @description Number of fixtures left out because at most 500 are examined; narrow the filters to include them. */
            not_compared: number;
            /** @description Moves of kind `fair`, largest first: by line, then by probability. */
            movers: components["schemas"]["Mover"][];
            /** @description Moves of kind `price`, largest first. */
            moves: components["schemas"]["MovedPrice"][];
            /** @description Moves of kind `steam`, those of most owners first. */
            steam: components["schemas"]["SteamMove"][];
            /** @description One plain sentence a person could read out. */
            summary: string;
        };
        NextAction: {
            /** @description Tool to call next. */
            tool: string;
            /** @description Arguments for that tool. */
            args: {
                [key: string]: string;
            };
            /** @description Why this call comes next. */
            reason: string;
        };
        NodeHealth: {
            /**
             * @description `starting` until the first snapshot is complete. `degraded` while the feed is not live, messages of it are missing, a source has a problem or the database is damaged (see /ready).
             * @enum {string}
             */
            status: "ok" | "degraded" | "starting";
            /** @description Whether every source is connected, sent something in the last 30 s, and no message of it is missing. */
            feed_live: boolean;
            /**
             * Format: date-time
             * @description When a message of the feed was last applied; null before the first.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the live freshness window. */
            as_of_stale: boolean;
            /** @description Number of fixtures on the slate. */
            matches: number;
            /** @description Number of quotes on the slate, without those of the sharp bookmaker. */
            odds: number;
            /** @description The state of this node in its cluster. */
            node: {
                /**
                 * @description The setting ROLE.
                 * @enum {string}
                 */
                role: "ingest" | "serve";
                /**
                 * @description `leading`: all nodes serve the slate of this node. `waiting`: another ingest node leads. `following`: this node serves the slate of the leader. `leaderless`: no node leads. `cut_off`: Redis does not answer.
                 * @enum {string}
                 */
                state: "waiting" | "leading" | "following" | "leaderless" | "cut_off";
                /** @description The epoch of this node's slate, with which its cursors begin. */
                epoch: string;
            };
        };
        OddsBlock: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * Format: date-time
             * @description When the feed last confirmed this fixture, in steps of 10 s.
             */
            as_of: string;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            /** @description Flat list, sorted by market, period, line, then catalogue order of books. */
            odds: components["schemas"]["OddsQuote"][];
        };
        /** @description The changes of the odds in a view, at one instant. */
        OddsChanges: {
            /** @description Send it as `since` to get what changed after this answer; null in an answer about the past. */
            cursor: string | null;
            /** @description True when this is the whole view: drop all that you hold. */
            full: boolean;
            /**
             * Format: date-time
             * @description When the feed last confirmed the slate; null before the first time.
             */
            as_of: string | null;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            /** @description In no particular order. */
            fixtures: components["schemas"]["FixtureChange"][];
            /** @description Fixtures that left the slate or this view. May include one that the view never held; never includes one of `fixtures`. */
            removed: string[];
        };
        /** @description The prices of one book for one line of a market. A price of 0 means that the line was pulled; it is 0 in every format. */
        OddsQuote: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description The two half-step lines of a quarter line, nearer zero first; null when the line is not split. */
            handicap_components: number[] | null;
            prices: components["schemas"]["Prices"];
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /**
             * @description `suspended`: the book pulled the line; its last prices are still shown. Use only the prices of `open` quotes.
             * @enum {string}
             */
            status: "open" | "suspended";
            /**
             * Format: date-time
             * @description Source time of the last message about this quote.
             */
            as_of: string;
        };
        OpeningLine: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The opening line; null for `1x2`. */
            line: number | null;
            /** @description The two half-step lines of a quarter line, nearer zero first; null when the line is not split. */
            handicap_components: number[] | null;
            opening: components["schemas"]["Prices"];
            /** @description Prices of the current main line; null when the book has none. */
            current: components["schemas"]["Prices"] | null;
            /** @description Line of the current quote. Null for `1x2`, and when there is no current quote. */
            current_line: number | null;
            /** @description The two half-step lines of a quarter line, nearer zero first; null when the line is not split. */
            current_handicap_components: number[] | null;
            /**
             * Format: date-time
             * @description When the opening was first recorded.
             */
            opened_at: string | null;
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
        };
        OpeningLineResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description Sorted by market, period, then catalogue order of books. */
            lines: components["schemas"]["OpeningLine"][];
            /** @description `first_seen`: recorded by this service. `upstream`: sent by the feed. */
            source: string;
        };
        /** @description The first price seen at one book, market, period and line. Never changes. */
        OpeningQuote: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description The two half-step lines of a quarter line, nearer zero first; null when the line is not split. */
            handicap_components: number[] | null;
            prices: components["schemas"]["Prices"];
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /**
             * Format: date-time
             * @description When this price was first seen.
             */
            opened_at: string | null;
        };
        Page: {
            /** @description Cursor of the next page; null on the last one. */
            next_cursor: string | null;
            /** @description Page size of this answer. */
            limit: number;
        };
        PasswordChangedAnswer: {
            account: components["schemas"]["Account"];
            /** @description Number of sessions that were ended. */
            ended_sessions: number;
        };
        PreviewedAlert: {
            /**
             * Format: date-time
             * @description When the alert would have been found.
             */
            at: string;
            /** @description The alert as a sentence. */
            text: string;
        };
        /** @description Price by outcome: home/draw/away for `1x2` (home/away in basketball), home/away for `asian_handicap`, over/under for `totals`. */
        Prices: {
            /** @description Price in the format of this answer; an integer only in `american`. */
            home: number;
            /** @description Price in the format of this answer; an integer only in `american`. */
            draw: number;
            /** @description Price in the format of this answer; an integer only in `american`. */
            away: number;
        } | {
            /** @description Price in the format of this answer; an integer only in `american`. */
            home: number;
            /** @description Price in the format of this answer; an integer only in `american`. */
            away: number;
        } | {
            /** @description Price in the format of this answer; an integer only in `american`. */
            over: number;
            /** @description Price in the format of this answer; an integer only in `american`. */
            under: number;
        };
        Ready: {
            /**
             * @description The first snapshot is complete.
             * @enum {string}
             */
            status: "ready";
            /** @description The sources of the feed. */
            sources: {
                /** @description The source, as FEED names it. */
                name: string;
                /**
                 * @description `failing`: a request was not answered and is retried, or messages were lost. `stopped`: a retry cannot help (bad key, product not bought, no credits left); the source is tried again later.
                 * @enum {string}
                 */
                state: "starting" | "ok" | "failing" | "stopped";
                /** @description Why the source is not `ok`, one word. */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When the source is next polled or reconnected.
                 */
                next_try_at: string | null;
                /** @description Whether the source is connected. */
                connected: boolean;
                /**
                 * Format: date-time
                 * @description The data of this source may be wrong since this time, because messages were lost or none arrived. Null while all is well.
                 */
                lost_since: string | null;
                /** @description How far the clock of the source is ahead of ours, in seconds; negative when it is behind. The timestamps of the source are corrected by this difference. */
                clock_ahead_s: number;
            }[];
            /** @description Damage in the database; the log of the server has the details. */
            database: {
                /** @description Number of damaged rows of keys, accounts and sessions. Requests that need one of them get 503. */
                damaged_rows: number;
                /** @description Number of problems found in the indexes of keys, accounts and sessions. */
                damaged_indexes: number;
            };
            /** @description The budget for request bodies being received, answers not yet read, and backlogs of streams. How much of it is used is in /metrics. */
            memory: {
                /** @description Bytes that may be held in memory for clients. */
                budget_bytes: number;
            };
            /** @description The price history of this node; null when the history is switched off. */
            history: {
                /**
                 * @description `stopped`: prices are not recorded; everything else is served as always.
                 * @enum {string}
                 */
                state: "starting" | "ok" | "stopped";
                /** @description Why the history is stopped, one word. */
                reason: string | null;
                /** @description The reason of the present gap; null without a gap. */
                gap: string | null;
                /** @description Files that could not be read, at most 20. The node that writes the history moves them away. */
                set_aside: string[];
            } | null;
            /** @description Why callers without a key see no prices, if the settings cause that; null otherwise. */
            note: string | null;
        };
        /** @description A group of signals. A field is null while its value is unknown. */
        RecordRow: {
            /** @description The value of `group_by` that the signals of this row share, such as a bookmaker; `all` without `group_by`. Edges are grouped by whole per cent: `02-03`. */
            key: string;
            /** @description Number of signals that opened, however they ended. */
            signals: number;
            /** @description Mean edge of the signals when they opened, in per cent; for arbitrage, the mean margin. */
            mean_edge_pct: number;
            /** @description Number of signals of this row with a closing line value. */
            closed_with_clv: number;
            /** @description Mean closing line value in per cent: closing fair probability, by the same reference and method, times the price, minus 1. */
            mean_clv_pct: number | null;
            /** @description Per cent of the signals with a closing line value for which this value is above 0. */
            beat_close_pct: number | null;
            /** @description Number of signals with a result. */
            settled: number;
            /** @description Mean profit per settled signal, in per cent of its stake; all stakes are equal. */
            yield_pct: number | null;
            /** @description Lower end of the 95 % interval of `yield_pct`, from resampling whole matches. Null with fewer than two matches. */
            yield_low_pct: number | null;
            /** @description Upper end of this interval. */
            yield_high_pct: number | null;
            /** @description Median time for which a closed signal was seen open, in seconds. */
            median_life_s: number | null;
        };
        /** @description Points of two charts of all signals that pass the filters, whatever `group_by` is. */
        RecordSeries: {
            /** @description Running total of the profit, with one unit staked on each settled signal, in the order in which the signals opened. From point to point about the same number of signals is added. Empty while no signal is settled. */
            growth: components["schemas"]["GrowthPoint"][];
            /** @description The distribution of the closing line values. */
            clv: {
                /** @description Number of signals with a closing line value. */
                signals: number;
                /** @description Mean closing line value in per cent. */
                mean_pct: number | null;
                /** @description Standard error of `mean_pct`, clustered by match. Null with fewer than two matches. */
                standard_error_pct: number | null;
                /** @description Histogram of the closing line values, in bins of one per cent, from the lowest bin with a signal to the highest. */
                bins: components["schemas"]["ClvBin"][];
            };
        };
        ResetAskedAnswer: {
            /**
             * @description A mail is on its way.
             * @enum {string}
             */
            reset: "sent";
        };
        ResetPasswordRequest: {
            /** @description The code from the mail: six groups of five characters. */
            code: string;
            /** @description 10 to 128 characters; not one of the most used passwords, and not the e-mail address. */
            new_password: string;
        };
        ResolveEventRequest: {
            /** @description One team, two teams with any separator, or an event id. May contain a date. */
            query: string;
            /** @description Hints that narrow down the candidates. */
            context?: {
                /** @description Sport. */
                sport?: ("football" | "basketball") | null;
                /** @description Only fixtures that kick off in this range. */
                date_range?: {
                    /** @description First kickoff day, UTC. */
                    from?: string | null;
                    /** @description Last kickoff day, UTC, inclusive. */
                    to?: string | null;
                } | null;
                /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                timezone?: string | null;
            } | null;
        };
        ResolveLeagueRequest: {
            /** @description A league name. */
            query: string;
        };
        ResolveTeamRequest: {
            /** @description A team name. */
            query: string;
            /** @description Sport. */
            sport?: ("football" | "basketball") | null;
        };
        ResolvedEvent: {
            /**
             * @description `ambiguous`: several candidates are plausible; the service never guesses.
             * @enum {string}
             */
            status: "matched" | "ambiguous" | "not_found";
            /** @description Null unless `matched`. */
            best_match: components["schemas"]["EventCandidate"] | null;
            /** @description Other candidates, best first. */
            alternatives: components["schemas"]["EventCandidate"][];
        };
        ResolvedLeague: {
            /**
             * @description `ambiguous`: several candidates are plausible; the service never guesses.
             * @enum {string}
             */
            status: "matched" | "ambiguous" | "not_found";
            /** @description Null unless `matched`. */
            best_match: components["schemas"]["LeagueCandidate"] | null;
            /** @description Other candidates, best first. */
            alternatives: components["schemas"]["LeagueCandidate"][];
        };
        ResolvedTeam: {
            /**
             * @description `ambiguous`: several candidates are plausible; the service never guesses.
             * @enum {string}
             */
            status: "matched" | "ambiguous" | "not_found";
            /** @description Null unless `matched`. */
            best_match: components["schemas"]["TeamCandidate"] | null;
            /** @description Other candidates, best first. */
            alternatives: components["schemas"]["TeamCandidate"][];
        };
        /** @description A finished match, kept for 30 days. No odds. */
        Result: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            sport: ("football" | "basketball") | null;
            /** @description League name. */
            league: string | null;
            /** @description Display name. */
            home_team: string | null;
            /** @description Display name. */
            away_team: string | null;
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /** @description Final score. */
            score: components["schemas"]["Score"] | null;
            /** @description Red cards. */
            red_cards: components["schemas"]["Score"] | null;
            /**
             * Format: date-time
             * @description When the service learned that the match was over.
             */
            finished_at: string;
        };
        ResultList: {
            /** @description Number of results in this answer. */
            count: number;
            /** @description Most recent first. */
            results: components["schemas"]["Result"][];
            /** @description Explains an empty list when the fixture exists but has not finished. */
            note: string | null;
        };
        SaveViewRequest: {
            /** @description The name that the owner gave the view. */
            name: string;
            /** @description The query of the board’s address, without the question mark. */
            query: string;
        };
        SavedView: {
            /** @description Identifies the view. */
            view_id: string;
            /** @description The name that the owner gave the view. */
            name: string;
            /** @description The query of the board’s address, without the question mark. */
            query: string;
            /**
             * Format: date-time
             * @description When the view was last saved.
             */
            saved_at: string;
        };
        SavedViewsAnswer: {
            /** @description Sorted by name. */
            views: components["schemas"]["SavedView"][];
            /** @description How many views an account may have. */
            limit: number;
        };
        ScanEntry: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * @description Sport.
             * @enum {string}
             */
            sport: "football" | "basketball";
            /** @description League name. */
            league: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /** @description Current score when live, final score when finished. */
            score: components["schemas"]["Score"] | null;
            /** @description Match clock text, verbatim from the feed; null when there is none. */
            clock: string | null;
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed this fixture, in steps of 10 s.
             */
            as_of: string;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            /** @description Number of visible books with an open quote. */
            book_count: number;
            /** @description Number of value bets found on this fixture. */
            value_count: number;
            /** @description The value bet with the highest edge; null without value. */
            best_value: components["schemas"]["ValueBet"] | null;
            /** @description Number of arbitrages found on this fixture. */
            arb_count: number;
            /** @description The arbitrage with the highest margin; null without arbitrage. */
            best_arb: components["schemas"]["ArbOpportunity"] | null;
            /** @description The best arbitrage and value in one line. */
            signal: string;
            /** @description Null when the full-time 1x2 has no fair prices. */
            favorite: components["schemas"]["Favorite"] | null;
            /** @description Every hit, when `hits` is `all`; else null. */
            hits: {
                /** @description Highest edge first. */
                value_bets: components["schemas"]["ValueBet"][];
                /** @description Highest margin first. */
                opportunities: components["schemas"]["ArbOpportunity"][];
            } | null;
        };
        ScanSlateResult: {
            /**
             * Format: date
             * @description Today, UTC.
             */
            date: string;
            /** @description Number of fixtures that pass the filters. */
            count: number;
            /** @description Number of scored fixtures with value or arbitrage. */
            with_signal: number;
            /** @description Number of entries in this answer. */
            returned: number;
            /** @description True when `limit` cut entries that match the request. */
            truncated: boolean;
            /** @description Number of fixtures left out because at most 100 are scored; narrow the filters to include them. */
            not_scored: number;
            /**
             * @description Reference that value was measured against: `sharp`, `consensus` or a bookmaker.
             * @enum {string}
             */
            reference: "sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc";
            excluded: components["schemas"]["Excluded"];
            /** @description Caveats: why there are no signals, or what was left out and why. */
            note: string | null;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description Value and arbitrage first, strongest first. */
            entries: components["schemas"]["ScanEntry"][];
        };
        /** @description A count per side: goals, or cards. */
        Score: {
            /** @description Home side. */
            home: number;
            /** @description Away side. */
            away: number;
        };
        ScoreProbResult: {
            /**
             * @description `no_line`: the match is known, but its prices allow no fit; `summary` says why. `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "no_line" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description The likeliest full-time scores, likeliest first, never below the current score; empty unless `ok`. */
            scores: components["schemas"]["ScorelineProb"][];
            /** @description Probability that the match ends with one of `scores`. */
            top_cum: number | null;
            /** @description Full-time result under the fitted goal rates. */
            implied_1x2: {
                /** @description Probability, 4 decimals. */
                home: number;
                /** @description Probability, 4 decimals. */
                draw: number;
                /** @description Probability, 4 decimals. */
                away: number;
            } | null;
            /** @description Expected home goals: in the whole match before kickoff, in the rest of the match when live. */
            lambda_home: number | null;
            /** @description Expected away goals, counted like `lambda_home`. */
            lambda_away: number | null;
            /** @description Dixon-Coles low-score correlation of the fit. */
            rho: number | null;
            /** @description Expected profit of one unit on the home side at the fair handicap price, by the fitted grid. The fit does not use that price: near 0 means that the price and the grid agree. Null if there is no handicap or the fit needed it. */
            ah_ev_check: number | null;
            /** @description Book with the lowest overround, from whose prices the margin was removed; null when there is none. */
            fair_from: string | null;
            /** @description How the margin was removed from the prices of `fair_from`: `power` for a 1x2, `shin` at a lead of two goals or more, `proportional` for a handicap when there is no 1x2. */
            fair_method: ("proportional" | "power" | "shin") | null;
        };
        ScorelineProb: {
            /** @description Full-time score, home first. */
            score: string;
            /** @description Probability, 4 decimals. */
            prob: number;
        };
        SessionsAnswer: {
            /** @description Live sessions, most recently used first. */
            sessions: {
                /** @description Identifies the session; not a secret. */
                session_id: string;
                /** @description The browser or program that logged in; null when unknown. */
                client: string | null;
                /**
                 * Format: date-time
                 * @description When the session was started.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the session was last used, to within a few minutes.
                 */
                last_used_at: string;
                /**
                 * Format: date-time
                 * @description When the session ends at the latest.
                 */
                expires_at: string;
                /** @description Whether this request uses the session. */
                current: boolean;
            }[];
        };
        SessionsEndedAnswer: {
            /** @description Number of sessions that were ended. */
            ended_sessions: number;
        };
        SetPlanRequest: {
            /**
             * @description The new plan: the highest tier that keys of the account may have.
             * @enum {string}
             */
            plan: "free" | "standard" | "realtime" | "enterprise";
        };
        SettledClosingLine: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /** @description Every outcome of the market, in its order. */
            outcomes: components["schemas"]["SettledOutcome"][];
        };
        /** @description `win`, `push` and `loss` add to 1. */
        SettledOutcome: {
            /**
             * @description Outcome of the market.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /**
             * @description What becomes of a stake on the outcome.
             * @enum {string}
             */
            result: "win" | "half_win" | "push" | "half_loss" | "loss";
            /** @description Share of the stake that wins. */
            win: number;
            /** @description Share of the stake that is given back. */
            push: number;
            /** @description Share of the stake that loses. */
            loss: number;
        };
        SharpLineResult: {
            /**
             * @description `ambiguous`: several fixtures fit and none was guessed; ask the user.
             * @enum {string}
             */
            status: "ok" | "ambiguous" | "not_found";
            /** @description The query that you sent. */
            query: string;
            /** @description One plain sentence a person could read out. */
            summary: string;
            /** @description The fixture that is meant; null unless it is certain. */
            match: components["schemas"]["MatchSummary"] | null;
            /** @description Other plausible fixtures, best first. */
            alternatives: components["schemas"]["MatchAlternative"][];
            /** @description A question whose answer decides which match is meant. */
            ask_user: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the fixture; null when `match` is null.
             */
            as_of: string | null;
            /** @description Whether `as_of` is older than the freshness window; null when `match` is null. */
            stale: boolean | null;
            decision: components["schemas"]["Decision"];
            /** @description Null when ambiguous or not found. */
            comparison: components["schemas"]["CompareLinesResult"] | null;
        };
        ShownAlertWhen: {
            /**
             * @description `value`: a price above the fair one. `arbitrage`: all outcomes cost less than they return. `middle`: prices at two lines that can both win. `low_hold`: the best prices of a line are close to fair. `move`: a price or fair probability moved. `steam`: several owners moved a price the same way before kickoff. `price`: an outcome reaches a price. `match`: a match goes live, changes its score or finishes. `source`: a source of prices is lost or back, for operators.
             * @enum {string}
             */
            kind: "value" | "arbitrage" | "middle" | "low_hold" | "move" | "steam" | "price" | "match" | "source";
            /** @description For `value`: lowest edge in per cent; default 1. */
            min_edge_pct: number | null;
            /** @description For `value` and `middle`: lowest expected return in per cent. Default: no minimum for `value`, 0 for `middle`. */
            min_ev_pct: number | null;
            reference: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
            /** @description For `arbitrage`: lowest margin in per cent; default 0. */
            min_margin_pct: number | null;
            /** @description Highest hold of `low_hold` in per cent; default 1. */
            max_hold_pct: number | null;
            /** @description Smallest change that counts. For `move`: percentage points of the fair probability if `of` is `fair` (its default), per cent of the price if `of` is `price`; default 5. For `steam`: per cent of the price; default 1.5. */
            pct: number | null;
            of: ("fair" | "price") | null;
            /** @description `move` and `steam` compare prices with those of this many seconds ago; default 1800. */
            within_s: number | null;
            /** @description For `steam`: least number of owners that moved the same way; default 3. */
            owners: number | null;
            market: ("1x2" | "asian_handicap" | "totals") | null;
            /** @description For `price`: the line; any when absent. */
            line: number | null;
            outcome: ("home" | "draw" | "away" | "over" | "under") | null;
            /** @description For `price`: the decimal price that some bookmaker must offer; required there. */
            price: number | null;
            /** @description For `match`: what is reported; null means all. */
            news: ("live" | "score" | "finished")[] | null;
            /** @description For signals and prices: also report the end of each; default false. */
            closed: boolean | null;
            /** @description For signals and prices: if the same one opens again within this many seconds after its end, it is not reported again; default 600. */
            again_after_s: number | null;
        };
        ShownAlertWhere: {
            sport: ("football" | "basketball") | null;
            /** @description League id (`lg_...`), or a name that means one league of the slate. */
            league: string | null;
            /** @description Team id (`tm_...`), or a name that means one team of the slate. */
            team: string | null;
            /** @description One match (`evt_...`). */
            event_id: string | null;
            /** @description Market types; null means all. */
            markets: ("1x2" | "asian_handicap" | "totals")[] | null;
            period: ("full_time" | "half_time") | null;
            /** @description Bookmaker keys; null means all of the tier. */
            bookmakers: string[] | null;
            /** @description True: only in play. False: only before kickoff. Both when absent. */
            in_play: boolean | null;
        };
        SignalRecord: {
            /**
             * Format: date-time
             * @description Only signals that opened at or after this instant count; null without a limit.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description Only signals that opened before this instant count; null without a limit.
             */
            to: string | null;
            /**
             * Format: date-time
             * @description When the first counted signal opened; null if no signal is counted.
             */
            since: string | null;
            /** @description Null when there is one row for all signals. */
            group_by: ("bookmaker" | "league" | "market_type" | "edge" | "reference" | "day") | null;
            /**
             * @description Kind of signal.
             * @enum {string}
             */
            kind: "value" | "arbitrage";
            /** @description Reference that value was measured against. Null for arbitrage, and when `group_by` is `reference`. */
            reference: ("sharp" | "consensus") | null;
            /** @description Sorted by `key`. Empty when no signal passes the filters. */
            data: components["schemas"]["RecordRow"][];
            /** @description Null unless `series` is true. */
            series: components["schemas"]["RecordSeries"] | null;
        };
        SignalRecordResult: {
            /**
             * Format: date-time
             * @description Only signals that opened at or after this instant count; null without a limit.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description Only signals that opened before this instant count; null without a limit.
             */
            to: string | null;
            /**
             * Format: date-time
             * @description When the first counted signal opened; null if no signal is counted.
             */
            since: string | null;
            /** @description Null when there is one row for all signals. */
            group_by: ("bookmaker" | "league" | "market_type" | "edge" | "reference" | "day") | null;
            /**
             * @description Kind of signal.
             * @enum {string}
             */
            kind: "value" | "arbitrage";
            /** @description Reference that value was measured against. Null for arbitrage, and when `group_by` is `reference`. */
            reference: ("sharp" | "consensus") | null;
            /** @description Sorted by `key`. Empty when no signal passes the filters. */
            data: components["schemas"]["RecordRow"][];
            /** @description One ready-to-read sentence about all rows together. */
            summary: string;
        };
        SignupAnswer: {
            account: components["schemas"]["Account"];
            /**
             * @description A code is on its way by mail.
             * @enum {string}
             */
            verification: "sent";
        };
        SignupRequest: {
            /** @description E-mail address. */
            email: string;
            /** @description 10 to 128 characters; not one of the most used passwords, and not the e-mail address. */
            password: string;
        };
        /** @description Amount that can be staked at the best price of each outcome; 0 without a price. */
        Sizes: {
            /** @description An amount in the currency of the exchange. */
            home: number;
            /** @description An amount in the currency of the exchange. */
            draw: number;
            /** @description An amount in the currency of the exchange. */
            away: number;
        } | {
            /** @description An amount in the currency of the exchange. */
            home: number;
            /** @description An amount in the currency of the exchange. */
            away: number;
        } | {
            /** @description An amount in the currency of the exchange. */
            over: number;
            /** @description An amount in the currency of the exchange. */
            under: number;
        };
        /** @description A message could not be carried out. The connection stays open. */
        SocketError: {
            error: {
                /**
                 * @description Stable; switch on it.
                 * @enum {string}
                 */
                code: "invalid_request" | "unauthorized" | "plan_limit" | "forbidden" | "not_found" | "rate_limit_exceeded" | "internal" | "upstream_unavailable";
                /** @description For people; may change. */
                message: string;
                /** @description The concrete corrective action. Apply it instead of retrying blindly. */
                fix: string | null;
                /** @description Whether the same request can succeed later. */
                is_retriable: boolean;
                /** @description Seconds to wait before a retry; null if there is no advice. */
                retry_after_seconds: number | null;
                /**
                 * Format: uri
                 * @description The section of the documentation about this code.
                 */
                documentation_url: string;
            };
            /** @description The limit that a `rate_limit_exceeded` is about, like `X-RateLimit-Scope` over HTTP; null for other codes. */
            scope: string | null;
        };
        /** @description Answered with `pong`. */
        SocketPing: {
            /** @enum {string} */
            op: "ping";
        };
        /** @description The answer to `ping`. */
        SocketPong: Record<string, never>;
        /** @description Answered with a `ticket` for the key of this connection. A page that connected with a ticket uses it for its next connection. */
        SocketRenew: {
            /** @enum {string} */
            op: "renew";
        };
        /** @description Opens a stream. The filters are those of `/v1/stream`, with the same names. */
        SocketSubscribe: {
            /** @enum {string} */
            op: "subscribe";
            /** @description Your name for the subscription; each of its messages carries it. */
            id: string;
            /** @description Sport. */
            sport?: ("football" | "basketball") | null;
            /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
            league?: string | null;
            /** @description Kickoff day, YYYY-MM-DD, UTC unless `timezone` is given. */
            date?: string | null;
            /** @description Event status. */
            status?: ("scheduled" | "live" | "finished") | null;
            /** @description IANA time zone in which days begin and end; UTC when absent. */
            timezone?: string | null;
            /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
            bookmakers?: string | null;
            /** @description Comma-separated market types; all when absent. */
            markets?: string | null;
            /** @description One period; both when absent. */
            period?: ("full_time" | "half_time") | null;
            /**
             * @description Odds format of prices.
             * @default decimal
             */
            format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
            /** @description Also send signals of these kinds, as `signal` events, under the same filters. They are those of find_value, find_arbitrage, find_middles and list_movers. */
            signals?: string | null;
            /** @description Lowest edge of value in per cent, inclusive; default 1. */
            min_edge_pct?: number | null;
            /** @description Reference that value is measured against: `sharp` (the sharp book), `consensus` (all other books with an open price there, each owner with equal weight) or a bookmaker; when absent, `sharp`. */
            reference?: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
            /** @description Lowest margin of arbitrage in per cent, inclusive; default 0. */
            min_margin_pct?: number | null;
            /** @description Least expected return of a middle in per cent; default 0. */
            min_ev_pct?: number | null;
            /** @description Highest hold of `low_hold` in per cent; default 1. */
            max_hold_pct?: number | null;
            /** @description Smallest change that counts for `move`: percentage points if `move_of` is `fair`, per cent if it is `price`; default 5. */
            move_pct?: number | null;
            /** @description What `move` compares: fair probabilities or prices; default fair. */
            move_of?: ("fair" | "price") | null;
            /** @description Smallest change of a price that counts for `steam`, in per cent; default 1.5. */
            steam_pct?: number | null;
            /** @description Least number of owners that moved the same way; bookmakers of one group count once. */
            owners?: number | null;
            /** @description `move` and `steam` compare prices with those of this many seconds ago; default 1800. */
            within_s?: number | null;
            /** @description `cursor` of an answer with the same filters: only changes after it are sent. Without it, or if it is too old or from before a restart of the service, the whole view is sent and `full` is true. */
            since?: string | null;
            /** @description Milliseconds between two deltas: 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000. Any other value is raised to the next of these. A value below the minimum of the tier is raised to that minimum, which is also the default. `hello` has the value in use. */
            tick_ms?: number | null;
        };
        /** @description Ends a stream; it sends nothing after this. */
        SocketUnsubscribe: {
            /** @enum {string} */
            op: "unsubscribe";
            /** @description Your name for the subscription; each of its messages carries it. */
            id: string;
        };
        Sport: {
            /** @description Sport id. */
            id: string;
            /**
             * @description Sport.
             * @enum {string}
             */
            key: "football" | "basketball";
            /** @description English display name. */
            name: string;
        };
        SportList: {
            data: components["schemas"]["Sport"][];
        };
        Steam: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /**
             * @description `shortening`: prices fell. `drifting`: they rose.
             * @enum {string}
             */
            way: "shortening" | "drifting";
            /** @description Number of independent owners whose price moved this way. */
            owners: number;
            /** @description Bookmakers that moved, at most eight, in catalogue order. */
            books: components["schemas"]["SteamBook"][];
            /** @description Number of bookmakers that moved. */
            book_count: number;
            /** @description Prices are compared with those of this many seconds ago. */
            within_s: number;
        };
        SteamBook: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description Decimal price `within_s` seconds ago. */
            decimal_from: number;
            /** @description Decimal price now. */
            decimal_to: number;
            /** @description Change in per cent of the earlier price. */
            change_pct: number;
            /**
             * Format: date-time
             * @description Source time of the last message about the present price.
             */
            as_of: string;
        };
        SteamMove: {
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /** @description League name. */
            league: string;
            /** @description Display name. */
            home_team: string;
            /** @description Display name. */
            away_team: string;
            /**
             * @description Event status.
             * @enum {string}
             */
            status: "scheduled" | "live" | "finished";
            /**
             * Format: date-time
             * @description Kickoff; null when the feed has not sent it.
             */
            scheduled_at: string | null;
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /**
             * @description `shortening`: prices fell. `drifting`: they rose.
             * @enum {string}
             */
            way: "shortening" | "drifting";
            /** @description Number of independent owners whose price moved this way. */
            owners: number;
            /** @description Bookmakers that moved, at most eight, in catalogue order. */
            books: components["schemas"]["SteamBook"][];
            /** @description Number of bookmakers that moved. */
            book_count: number;
            /** @description Prices are compared with those of this many seconds ago. */
            within_s: number;
        };
        /** @description Last event before the server closes the stream. */
        StreamBye: {
            /** @enum {string} */
            reason: "shutdown" | "slow_reader" | "key_revoked" | "limit";
            reconnect_after_ms: number;
        };
        /** @description What changed since the previous event, as in the answer of `/v1/odds`. */
        StreamDelta: {
            /** @description The cursor before this event. */
            from: string;
            /** @description The cursor after this event; also the id of the event. */
            to: string;
            /** @description True when this reader fell behind or resumed, and several deltas were merged into one. */
            conflated: boolean;
            /** @description Send it as `since` to get what changed after this answer; null in an answer about the past. */
            cursor: string | null;
            /** @description True when this is the whole view: drop all that you hold. */
            full: boolean;
            /**
             * Format: date-time
             * @description When the feed last confirmed the slate; null before the first time.
             */
            as_of: string | null;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            /** @description In no particular order. */
            fixtures: components["schemas"]["FixtureChange"][];
            /** @description Fixtures that left the slate or this view. May include one that the view never held; never includes one of `fixtures`. */
            removed: string[];
        };
        /** @description Distinguishes a quiet slate from a frozen stream, and reports how the data has aged since the last event. */
        StreamHeartbeat: {
            /** @description Send it as `since` to get what changed after this answer; null in an answer about the past. */
            cursor: string | null;
            /**
             * Format: date-time
             * @description When the feed last confirmed the slate; null before the first time.
             */
            as_of: string | null;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            /** @description Milliseconds since the feed last sent something. */
            feed_age_ms: number;
            /** @description Sent only if the feed joins several sources: when each of them last confirmed its open prices, oldest first. A bookmaker that is not listed was never confirmed. With one source, `as_of` holds for every open price. */
            confirmations?: components["schemas"]["Confirmation"][] | null;
        };
        /** @description First event of a stream. */
        StreamHello: {
            /** @description The position of the server as the stream opens. Do not resume from it: you hold no data of it yet. */
            cursor: string;
            /** @description Interval of heartbeats, in milliseconds. */
            heartbeat_ms: number;
            /** @description Shortest time between two deltas, in milliseconds. */
            tick_ms: number;
            /** @description True: a quote that moves twice between two frames is sent once, with its last value. */
            conflates: boolean;
            /** @description Null when no signals were requested. */
            signals: components["schemas"]["FollowedSignals"] | null;
        };
        /** @description A signal that opened, changed or closed. */
        StreamSignal: {
            /**
             * @description What happened. `changed`: something other than an age changed. `closed`: the signal is shown in its last state.
             * @enum {string}
             */
            change: "opened" | "changed" | "closed";
            /** @description True: the signal did not open now, but was already open when this reader connected, resumed or caught up. */
            current: boolean;
            /** @description True: scoring took longer than a tick, so this event covers several ticks; signals that opened and closed in between are missing. */
            conflated: boolean;
            /** @description Stays the same while the signal is open, and on every node: kind, event, market, period, line and, for value, outcome. */
            id: string;
            /**
             * @description Kind of signal.
             * @enum {string}
             */
            kind: "value" | "arbitrage" | "middle" | "low_hold" | "move" | "steam";
            /** @description Event id. Stable across calls and restarts; safe to store. */
            event_id: string;
            /**
             * Format: date-time
             * @description When the signal opened, by the clock of the server. If it was already open when the server began to follow it, when the last of its prices moved.
             */
            opened_at: string;
            /** @description How many milliseconds the signal was open, when it closes; else null. */
            lived_ms: number | null;
            /** @description Age in whole seconds of the signal's oldest price, that is, since its last move. For value, the prices of the reference count too. */
            oldest_age_s: number;
            /** @description As in find_value. Null for signals of other kinds. */
            value_bet: components["schemas"]["ValueBet"] | null;
            /** @description As in find_arbitrage. */
            opportunity: components["schemas"]["ArbOpportunity"] | null;
            /** @description As in find_middles. */
            middle: components["schemas"]["Middle"] | null;
            /** @description As in find_middles. */
            low_hold: components["schemas"]["LowHold"] | null;
            /** @description As in list_movers. What moved may also be a fair probability. */
            move: components["schemas"]["LineMove"] | null;
            /** @description As in list_movers. */
            steam: components["schemas"]["Steam"] | null;
        };
        /** @description A summary of all signals of the view and why there are no more; sent after the current signals and with heartbeats. */
        StreamSignals: {
            /** @description Number of open signals. */
            count: number;
            /** @description Number of fixtures whose further signals are not sent until other signals close. */
            left_out: number;
            /** @description The ids of all open signals, after they were sent as `current`: drop all others that you hold. Null when only the counts changed. */
            ids: string[] | null;
            excluded: components["schemas"]["Excluded"];
            /** @description Caveats: why there are no signals, or what was left out and why. */
            note: string | null;
        };
        /** @description The whole view, in parts. */
        StreamSnapshot: {
            /** @description Counts from 1. Part 1 starts a new slate: drop all that you hold. */
            part: number;
            /** @description True in the last part. Only the event of this part has an id. */
            last: boolean;
            /** @description Send it as `since` to get what changed after this answer; null in an answer about the past. */
            cursor: string | null;
            /** @description True when this is the whole view: drop all that you hold. */
            full: boolean;
            /**
             * Format: date-time
             * @description When the feed last confirmed the slate; null before the first time.
             */
            as_of: string | null;
            /** @description True when `as_of` is older than the freshness window of the match state (live or pre-match). */
            stale: boolean;
            fixtures: components["schemas"]["FixtureChange"][];
            /** @description Fixtures that left the slate or this view. May include one that the view never held; never includes one of `fixtures`. */
            removed: string[];
        };
        StreamTicket: {
            /** @description Opens one stream. */
            ticket: string;
            /**
             * Format: date-time
             * @description When the ticket expires.
             */
            expires_at: string;
        };
        Team: {
            /** @description Team id. Stable across calls and restarts; safe to store. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        TeamCandidate: {
            /** @description Team id. Stable across calls and restarts; safe to store. */
            team_id: string;
            /** @description Match confidence, 3 decimals. */
            confidence: number;
        };
        TeamPage: {
            data: components["schemas"]["Team"][];
            page: components["schemas"]["Page"];
        };
        TeamRef: {
            /** @description Team id. Stable across calls and restarts; safe to store. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        TodayMatches: {
            /**
             * Format: date
             * @description Today in the requested time zone.
             */
            date: string;
            /** @description Number of matches in this answer. */
            count: number;
            /** @description Empty when `terse`. */
            matches: components["schemas"]["MatchSummary"][];
            /** @description Leagues in the order of their first kickoff; null unless `terse`. */
            by_league: components["schemas"]["LeagueRows"][] | null;
        };
        ToolManifest: {
            tools: components["schemas"]["ToolManifestEntry"][];
        };
        ToolManifestEntry: {
            /** @description Tool name. */
            name: string;
            /** @description Short name for people. */
            title: string;
            /** @description Description for a model that chooses a tool. */
            description: string;
            /**
             * @description How it is called over REST.
             * @constant
             */
            method: "POST";
            /** @description Where it is called over REST. */
            path: string;
            /** @description A JSON Schema. */
            input_schema: {
                [key: string]: unknown;
            };
            /** @description A JSON Schema. */
            output_schema: {
                [key: string]: unknown;
            };
        };
        UsageReport: {
            /**
             * Format: date-time
             * @description When counting began: the start of the server.
             */
            started_at: string;
            /** @description Seconds since `started_at`. */
            uptime_s: number;
            /** @description The key, masked: its last four characters. */
            key: string;
            /**
             * @description Tier of the key.
             * @enum {string}
             */
            tier: "free" | "standard" | "realtime" | "enterprise";
            /** @description Usage of this key. */
            usage: {
                /** @description Number of requests answered. */
                requests: number;
                /** @description Number of answers with a status of 400 or more. */
                errors: number;
                /** @description Errors per request, 4 decimals. */
                error_rate: number;
                /** @description Mean time to an answer, in milliseconds. */
                avg_latency_ms: number;
                /** @description Longest time to an answer, in milliseconds. */
                max_latency_ms: number;
            };
            /** @description Number of requests of all callers. */
            total_requests: number;
            /** @description Number of requests of all callers that were answered with a status of 400 or more. */
            total_errors: number;
        };
        ValidationErrorBody: {
            detail: components["schemas"]["ValidationItem"][];
        };
        ValidationItem: {
            /** @description Kind of problem. */
            type: string;
            /** @description Where: `query`, `path` or `body`, then the field. */
            loc: (string | number)[];
            /** @description What is wrong. */
            msg: string;
            /** @description Always null: submitted values are never sent back. */
            input: null;
        };
        ValueBet: {
            /**
             * @description Market type.
             * @enum {string}
             */
            market_type: "1x2" | "asian_handicap" | "totals";
            /**
             * @description Period; `half_time` is the first half.
             * @enum {string}
             */
            period: "full_time" | "half_time";
            /** @description The home side's handicap (negative: home gives goals) or the total; null for `1x2`. */
            line: number | null;
            /**
             * @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.
             * @enum {string}
             */
            outcome: "home" | "draw" | "away" | "over" | "under";
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description Price in the requested format. */
            price: number;
            /** @description The price in decimal, whatever format is requested. */
            decimal: number;
            /** @description Fair decimal price: the reference at the same line, without its margin. */
            fair_price: number;
            /**
             * @description How the margin was removed: `power` for `1x2`, else `proportional`.
             * @enum {string}
             */
            fair_method: "power" | "proportional";
            /** @description (decimal / fair_price - 1) x 100. */
            edge_pct: number;
            /** @description Expected return in per cent of the stake, by the fitted goal grid: the edge times the share of the stake that, on average, a push does not return. Null without a grid. */
            ev_pct: number | null;
            /**
             * @description Odds format of prices.
             * @enum {string}
             */
            format: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            /**
             * Format: date-time
             * @description Neither this price nor those of the reference have moved since this time.
             */
            since: string;
            /**
             * Format: date-time
             * @description Source time of the last message about this price: when it last moved.
             */
            as_of: string;
            /**
             * Format: date-time
             * @description When the source last confirmed the price: with the message of `as_of` or, while the price is open, with a later heartbeat.
             */
            confirmed_at: string;
            /** @description Whole seconds from `as_of` to the answer. */
            age_s: number;
            /** @description True if the price last moved more than an hour before the sharp book's price at the same line. */
            lagging: boolean;
        };
        VerifyRequest: {
            /** @description E-mail address. */
            email: string;
            /** @description The six digits from the mail, or the long code below them. */
            code: string;
        };
        ViewDeletedAnswer: {
            /**
             * @description The view is gone.
             * @constant
             */
            deleted: true;
        };
        WinConditions: {
            /** @description Predicate over `a` = (home goals - away goals) + line, or null when the outcome cannot happen. */
            full_win: string | null;
            /** @description Predicate over `a` = (home goals - away goals) + line, or null when the outcome cannot happen. */
            half_win: string | null;
            /** @description Predicate over `a` = (home goals - away goals) + line, or null when the outcome cannot happen. */
            push: string | null;
            /** @description Predicate over `a` = (home goals - away goals) + line, or null when the outcome cannot happen. */
            half_loss: string | null;
            /** @description Predicate over `a` = (home goals - away goals) + line, or null when the outcome cannot happen. */
            full_loss: string | null;
        };
        /** @description The amounts that can be staked on the full-time 1x2 at one exchange. */
        WinnerLiquidity: {
            /** @description Bookmaker key, as every `bookmakers` filter takes it. */
            bookmaker: string;
            /** @description ISO 4217 code of the amounts. */
            currency: string;
            /**
             * Format: date-time
             * @description Source time of these amounts. The source sends them every few seconds.
             */
            as_of: string;
            sizes: components["schemas"]["Sizes"];
            /** @description Amount traded so far; null if the source does not send it. */
            matched: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"] | components["schemas"]["NodeHealth"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listSports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SportList"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listBookmakers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookmakerList"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listLeagues: {
        parameters: {
            query?: {
                /** @description Sport. */
                sport?: "football" | "basketball";
                /** @description Fuzzy name filter; knows abbreviations, ignores case and accents. Results are sorted by relevance. */
                q?: string;
                /** @description Page size. */
                limit?: number;
                /** @description `page.next_cursor` of the previous page. Opaque; it marks a position, so a page never skips or repeats an entity when others are added or removed. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaguePage"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Fuzzy name filter; knows abbreviations, ignores case and accents. Results are sorted by relevance. */
                q?: string;
                /** @description Sport. */
                sport?: "football" | "basketball";
                /** @description Page size. */
                limit?: number;
                /** @description `page.next_cursor` of the previous page. Opaque; it marks a position, so a page never skips or repeats an entity when others are added or removed. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPage"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Sport. */
                sport?: "football" | "basketball";
                /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                league?: string;
                /** @description Kickoff day, YYYY-MM-DD, UTC unless `timezone` is given. */
                date?: string;
                /** @description Event status. */
                status?: "scheduled" | "live" | "finished";
                /** @description IANA time zone in which days begin and end; UTC when absent. */
                timezone?: string;
                /** @description Page size. */
                limit?: number;
                /** @description `page.next_cursor` of the previous page. Opaque; it marks a position, so a page never skips or repeats an entity when others are added or removed. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listLiveEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventState"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventOdds: {
        parameters: {
            query?: {
                /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
                bookmakers?: string[];
                /** @description Comma-separated market types; all when absent. */
                markets?: ("1x2" | "asian_handicap" | "totals")[];
                /** @description One period; both when absent. */
                period?: "full_time" | "half_time";
                /** @description Odds format of prices. */
                format?: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
                /** @description A time in the past, ISO-8601 with a zone: the request is answered as it would have been then. See /v1/history for what is kept. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OddsBlock"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventMarketOdds: {
        parameters: {
            query?: {
                /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
                bookmakers?: string[];
                /** @description One period; both when absent. */
                period?: "full_time" | "half_time";
                /** @description Odds format of prices. */
                format?: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
                /** @description A time in the past, ISO-8601 with a zone: the request is answered as it would have been then. See /v1/history for what is kept. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
                /** @description Market type. */
                market_type: "1x2" | "asian_handicap" | "totals";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OddsBlock"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventOpening: {
        parameters: {
            query?: {
                /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
                bookmakers?: string[];
                /** @description Comma-separated market types; all when absent. */
                markets?: ("1x2" | "asian_handicap" | "totals")[];
                /** @description One period; both when absent. */
                period?: "full_time" | "half_time";
                /** @description Odds format of prices. */
                format?: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            };
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventOpening"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    batchOpenings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchOpeningsRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchOpenings"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventLiquidity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liquidity"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getOdds: {
        parameters: {
            query?: {
                /** @description Sport. */
                sport?: "football" | "basketball";
                /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                league?: string;
                /** @description Kickoff day, YYYY-MM-DD, UTC unless `timezone` is given. */
                date?: string;
                /** @description Event status. */
                status?: "scheduled" | "live" | "finished";
                /** @description IANA time zone in which days begin and end; UTC when absent. */
                timezone?: string;
                /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
                bookmakers?: string[];
                /** @description Comma-separated market types; all when absent. */
                markets?: ("1x2" | "asian_handicap" | "totals")[];
                /** @description One period; both when absent. */
                period?: "full_time" | "half_time";
                /** @description Odds format of prices. */
                format?: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
                /** @description `cursor` of an answer with the same filters: only changes after it are sent. Without it, or if it is too old or from before a restart of the service, the whole view is sent and `full` is true. */
                since?: string;
                /** @description A time in the past, ISO-8601 with a zone: the request is answered as it would have been then. See /v1/history for what is kept. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OddsChanges"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    batchOdds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchOddsRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchOdds"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventHistory: {
        parameters: {
            query?: {
                /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
                bookmakers?: string[];
                /** @description Comma-separated market types; all when absent. */
                markets?: ("1x2" | "asian_handicap" | "totals")[];
                /** @description One period; both when absent. */
                period?: "full_time" | "half_time";
                /** @description Odds format of prices. */
                format?: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
                /** @description Only this line: the home side's handicap, or the total. */
                line?: number;
                /** @description Ticks published at or after this instant. Default: as far back as the plan sees. */
                from?: string;
                /** @description Ticks published before this instant. Default: now. */
                to?: string;
                /** @description `tick`: every change. Otherwise, the last tick of each line in each bucket. */
                resolution?: "tick" | "1m" | "5m" | "1h" | "1d";
                /** @description Maximum number of ticks on a page, over all series. */
                limit?: number;
                /** @description `page.next_cursor` of the previous page. Opaque; it marks a position, so a page never skips or repeats an entity when others are added or removed. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventHistory"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventClosing: {
        parameters: {
            query?: {
                /** @description Comma-separated bookmaker keys; all books of the tier when absent. */
                bookmakers?: string[];
                /** @description Comma-separated market types; all when absent. */
                markets?: ("1x2" | "asian_handicap" | "totals")[];
                /** @description One period; both when absent. */
                period?: "full_time" | "half_time";
                /** @description Odds format of prices. */
                format?: "decimal" | "hk" | "malay" | "american" | "indonesian" | "probability";
            };
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventClosing"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEventSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSettlement"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listHistoryEvents: {
        parameters: {
            query?: {
                /** @description UTC day of the kickoff, YYYY-MM-DD. */
                day?: string;
                /** @description Sport. */
                sport?: "football" | "basketball";
                /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                league?: string;
                /** @description Fuzzy name filter; knows abbreviations, ignores case and accents. Results are sorted by relevance. */
                q?: string;
                /** @description Page size. */
                limit?: number;
                /** @description `page.next_cursor` of the previous page. Opaque; it marks a position, so a page never skips or repeats an entity when others are added or removed. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEventPage"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getHistoryCoverage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryCoverage"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getSignalRecord: {
        parameters: {
            query?: {
                /** @description Only signals that opened at or after this instant. */
                from?: string;
                /** @description Only signals that opened before this instant. */
                to?: string;
                /** @description How signals are grouped into rows; one row for all when absent. */
                group_by?: "bookmaker" | "league" | "market_type" | "edge" | "reference" | "day";
                /** @description Kind of signal. */
                kind?: "value" | "arbitrage";
                /** @description Reference that value was measured against. Default: `sharp`, or `consensus` on a tier that does not see the sharp book. */
                reference?: "sharp" | "consensus";
                /** @description Sport. */
                sport?: "football" | "basketball";
                /** @description Lowest edge in per cent when the signal opened; for arbitrage, lowest margin. The record holds value signals with an edge of at least 1 per cent. */
                min_edge_pct?: number;
                /** @description True: only signals that opened in play. False: only the others. Both when absent. */
                in_play?: "true" | "false";
                /** @description True: adds `series`, the points of two charts. Only for value against one reference. */
                series?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignalRecord"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    resolveEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveEventRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedEvent"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    resolveTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveTeamRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedTeam"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    resolveLeague: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveLeagueRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedLeague"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    convertOdds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertOddsRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertOddsResponse"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    convertHandicap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertHandicapRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertHandicapResponse"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    convertSettle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertSettleRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertSettleResponse"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listResults: {
        parameters: {
            query?: {
                /** @description Kickoff day, YYYY-MM-DD, UTC unless `timezone` is given. */
                date?: string;
                /** @description Part of either team name; case and accents are ignored. */
                team?: string;
                /** @description Part of the league name; case and accents are ignored. */
                league?: string;
                /** @description Page size. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultList"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Event id (`evt_...`). */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Result"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamTicket"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignupRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    verifyAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    setPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPlanRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `key_id` of a key; no secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `key_id` of a key; no secret. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getAccountUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountUsageAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotPasswordRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetAskedAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordChangedAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeEmailAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmailRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndSessionsRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEndedAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteAccountRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewsAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    saveView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveViewRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `view_id` of a view. */
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewDeletedAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlertRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertWithSecret"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDeleted"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    changeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAlertRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    previewAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPreviewRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPreview"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    testAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertQueued"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    rotateAlertSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertWithSecret"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listAlertDeliveries: {
        parameters: {
            query?: {
                /** @description Id of a delivery: only older ones are listed. */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDeliveriesAnswer"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    resendAlertDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a rule. */
                alert_id: string;
                /** @description The `id` of a delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertQueued"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolManifest"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    get_sharp_line: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description When absent: the market named in `query` ("moneyline", "over 2.5"), else `asian_handicap`. */
                    market_type?: ("1x2" | "asian_handicap" | "totals") | null;
                    /** @description When absent: the period named in `query` ("first half"), else `full_time`. */
                    period?: ("full_time" | "half_time") | null;
                    /** @description Use this line, not the consensus line: the total, or the home side's handicap (negative: home gives goals). Not for `1x2`. */
                    line?: number | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /**
                     * @description `terse` leaves `books` empty and keeps the analytics and the summary.
                     * @default full
                     */
                    verbosity?: ("full" | "terse") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharpLineResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    find_match: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindMatchResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    match_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchInfoResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    get_match_odds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Event id (`evt_...`); or send query. */
                    event_id?: string | null;
                    /** @description In place of event_id: One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description Bookmaker keys; all books of the tier when absent or empty. */
                    bookmakers?: string[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchOddsResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    compare_lines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Event id (`evt_...`); or send query. */
                    event_id?: string | null;
                    /** @description In place of event_id: One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description When absent: the market named in `query` ("moneyline", "over 2.5"), else `asian_handicap`. */
                    market_type?: ("1x2" | "asian_handicap" | "totals") | null;
                    /** @description When absent: the period named in `query` ("first half"), else `full_time`. */
                    period?: ("full_time" | "half_time") | null;
                    /** @description Use this line, not the consensus line: the total, or the home side's handicap (negative: home gives goals). Not for `1x2`. */
                    line?: number | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /**
                     * @description `terse` leaves `books` empty and keeps the analytics and the summary.
                     * @default full
                     */
                    verbosity?: ("full" | "terse") | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareLinesResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    explain_handicap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The home side's handicap. */
                    line: number;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertHandicapResponse"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    list_today_matches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Only this status. */
                    status?: ("scheduled" | "live" | "finished") | null;
                    /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                    league?: string | null;
                    /**
                     * @description Page size.
                     * @default 50
                     */
                    limit?: number | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /**
                     * @description `terse`: one short row per match in `by_league`; `matches` is empty.
                     * @default full
                     */
                    verbosity?: ("full" | "terse") | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TodayMatches"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description First kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date: string;
                    /** @description Last kickoff day of a range that starts at date, inclusive. */
                    date_to?: string | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Only this status. */
                    status?: ("scheduled" | "live" | "finished") | null;
                    /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                    league?: string | null;
                    /**
                     * @description Page size.
                     * @default 50
                     */
                    limit?: number | null;
                    /**
                     * @description `terse`: one short row per match in `by_league`; `matches` is empty.
                     * @default full
                     */
                    verbosity?: ("full" | "terse") | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    list_bookmakers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookmakersResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    get_opening_line: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description Bookmaker keys; all books of the tier when absent or empty. */
                    bookmakers?: string[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpeningLineResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    get_closing_line: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description Bookmaker keys; all books of the tier when absent or empty. */
                    bookmakers?: string[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosingLineResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    line_history: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /**
                     * @description Market type.
                     * @default asian_handicap
                     */
                    market_type?: ("1x2" | "asian_handicap" | "totals") | null;
                    /**
                     * @description Period; `half_time` is the first half.
                     * @default full_time
                     */
                    period?: ("full_time" | "half_time") | null;
                    /** @description Only this line: the home side's handicap, or the total. */
                    line?: number | null;
                    /** @description Bookmaker keys; all books of the tier when absent or empty. */
                    bookmakers?: string[] | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /** @description Ticks published at or after this instant. Default: as far back as the plan sees. */
                    from?: string | null;
                    /** @description Ticks published before this instant. Default: now. */
                    to?: string | null;
                    /** @description Default: every change, or the finest steps that give at most 400 points. */
                    resolution?: ("tick" | "1m" | "5m" | "1h" | "1d") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineHistoryResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    find_value: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /**
                     * @description Lowest edge in per cent, inclusive.
                     * @default 1
                     */
                    min_edge_pct?: number | null;
                    /** @description Lowest expected return (`ev_pct`) in per cent, inclusive; when absent, `ev_pct` is not checked. */
                    min_ev_pct?: number | null;
                    /** @description Highest age of a price in seconds, by `as_of`. When absent: any age before kickoff, as long as the source confirms the price; 300 in play. */
                    max_age_s?: number | null;
                    /** @description Reference that value is measured against: `sharp` (the sharp book), `consensus` (all other books with an open price there, each owner with equal weight) or a bookmaker; when absent, `sharp`. */
                    reference?: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindValueResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    find_arbitrage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /**
                     * @description Lowest margin in per cent, inclusive.
                     * @default 0
                     */
                    min_margin_pct?: number | null;
                    /** @description Highest age of a price in seconds, by `as_of`. When absent: any age before kickoff, as long as the source confirms the price; 300 in play. */
                    max_age_s?: number | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindArbitrageResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    find_middles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /**
                     * @description Least expected return of a middle in per cent, inclusive.
                     * @default 0
                     */
                    min_ev_pct?: number | null;
                    /**
                     * @description Highest hold of a line in per cent, inclusive.
                     * @default 1
                     */
                    max_hold_pct?: number | null;
                    /** @description Highest age of a price in seconds, by `as_of`. When absent: any age before kickoff, as long as the source confirms the price; 300 in play. */
                    max_age_s?: number | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindMiddlesResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    compare_prob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /** @description home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`. The query may name it ("Chelsea to win", "over 2.5"). Required with price; with external_prob the default is home. */
                    outcome?: ("home" | "draw" | "away" | "over" | "under") | null;
                    /** @description The probability to judge, above 0 and below 1: what a contract that pays 1 costs, fees included. Send this or price. */
                    external_prob?: number | null;
                    /** @description The price to judge, in `format`, in place of external_prob. The query may name it ("+150", "7/4"). */
                    price?: number | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /** @description When absent: the market that the query or the outcome names (over and under mean totals), else `1x2`. */
                    market_type?: ("1x2" | "asian_handicap" | "totals") | null;
                    /** @description When absent: the period named in `query` ("first half"), else `full_time`. */
                    period?: ("full_time" | "half_time") | null;
                    /** @description Use this line, not the consensus line: the total, or the home side's handicap (negative: home gives goals). Not for `1x2`. */
                    line?: number | null;
                    /** @description Whose fair price to compare with: `sharp`, `consensus` (all books, each owner with equal weight) or a bookmaker; when absent, the sharpest book of the line. */
                    reference?: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
                    /** @description Source of the probability, named in the summary. */
                    external_label?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareProbResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    score_prob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half"). */
                    query: string;
                    /**
                     * @description How many scores, 1 to 10.
                     * @default 5
                     */
                    top?: number | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreProbResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    scan_slate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only this status. */
                    status?: ("scheduled" | "live" | "finished") | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                    league?: string | null;
                    /** @description Market types; all when absent or empty. */
                    markets?: ("1x2" | "asian_handicap" | "totals")[] | null;
                    /** @description Only prices of these bookmakers; the reference stays the same. */
                    bookmakers?: string[] | null;
                    /** @description One period; both when absent. */
                    period?: ("full_time" | "half_time") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description Last kickoff day of a range that starts at date, inclusive. */
                    date_to?: string | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /**
                     * @description Which kinds of signals to report.
                     * @default any
                     */
                    signal?: ("value" | "arbitrage" | "any") | null;
                    /** @description Only value on this outcome. */
                    outcome?: ("home" | "draw" | "away" | "over" | "under") | null;
                    /**
                     * @description `all`: every value bet and arbitrage of each entry, in `hits`.
                     * @default best
                     */
                    hits?: ("best" | "all") | null;
                    /**
                     * @description True returns only fixtures with value or arbitrage.
                     * @default false
                     */
                    only_signal?: boolean | null;
                    /**
                     * @description Lowest edge in per cent, inclusive.
                     * @default 1
                     */
                    min_edge_pct?: number | null;
                    /** @description Lowest expected return (`ev_pct`) in per cent, inclusive; when absent, `ev_pct` is not checked. */
                    min_ev_pct?: number | null;
                    /**
                     * @description Lowest margin in per cent, inclusive.
                     * @default 0
                     */
                    min_margin_pct?: number | null;
                    /** @description Highest age of a price in seconds, by `as_of`. When absent: any age before kickoff, as long as the source confirms the price; 300 in play. */
                    max_age_s?: number | null;
                    /** @description Reference that value is measured against: `sharp` (the sharp book), `consensus` (all other books with an open price there, each owner with equal weight) or a bookmaker; when absent, `sharp`. */
                    reference?: ("sharp" | "consensus" | "crown" | "sbobet" | "macau" | "m8bet" | "pinnacle" | "nova88" | "hkjc") | null;
                    /**
                     * @description Odds format of prices.
                     * @default decimal
                     */
                    format?: ("decimal" | "hk" | "malay" | "american" | "indonesian" | "probability") | null;
                    /**
                     * @description Maximum number of entries.
                     * @default 20
                     */
                    limit?: number | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanSlateResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    signal_record: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only signals that opened at or after this instant. */
                    from?: string | null;
                    /** @description Only signals that opened before this instant. */
                    to?: string | null;
                    /** @description How signals are grouped into rows; one row for all when absent. */
                    group_by?: ("bookmaker" | "league" | "market_type" | "edge" | "reference" | "day") | null;
                    /**
                     * @description Kind of signal.
                     * @default value
                     */
                    kind?: ("value" | "arbitrage") | null;
                    /** @description Reference that value was measured against. Default: `sharp`, or `consensus` on a tier that does not see the sharp book. */
                    reference?: ("sharp" | "consensus") | null;
                    /** @description Sport. */
                    sport?: ("football" | "basketball") | null;
                    /**
                     * @description Lowest edge in per cent when the signal opened; for arbitrage, lowest margin. The record holds value signals with an edge of at least 1 per cent.
                     * @default 0
                     */
                    min_edge_pct?: number | null;
                    /** @description True: only signals that opened in play. False: only the others. Both when absent. */
                    in_play?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignalRecordResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    list_movers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description `fair`: moves of line or fair probability. `price`: prices of single bookmakers. `steam`: prices that several owners moved the same way.
                     * @default fair
                     */
                    kind?: ("fair" | "price" | "steam") | null;
                    /** @description When absent, 1x2; for `price` and `steam`, every market. */
                    market_type?: ("1x2" | "asian_handicap" | "totals") | null;
                    /** @description For `steam` and `price`: least change in per cent; default 1.5 for `steam`, 5 for `price`. */
                    pct?: number | null;
                    /** @description Prices are compared with those of this many seconds ago. */
                    within_s?: number | null;
                    /** @description Least number of owners that moved the same way; bookmakers of one group count once. */
                    owners?: number | null;
                    /** @description Moves in this many minutes, at most 60; since opening when absent. */
                    minutes?: number | null;
                    /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                    league?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Only this status. */
                    status?: ("scheduled" | "live" | "finished") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description Last kickoff day of a range that starts at date, inclusive. */
                    date_to?: string | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /**
                     * @description Maximum number of movers.
                     * @default 10
                     */
                    limit?: number | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoversResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    compare_books: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids. */
                    league?: string | null;
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Only this status. */
                    status?: ("scheduled" | "live" | "finished") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description Last kickoff day of a range that starts at date, inclusive. */
                    date_to?: string | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /**
                     * @description Market type.
                     * @default 1x2
                     */
                    market_type?: ("1x2" | "asian_handicap" | "totals") | null;
                    /**
                     * @description Period; `half_time` is the first half.
                     * @default full_time
                     */
                    period?: ("full_time" | "half_time") | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareBooksResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    list_leagues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only this sport. */
                    sport?: ("football" | "basketball") | null;
                    /** @description Only this status. */
                    status?: ("scheduled" | "live" | "finished") | null;
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description Last kickoff day of a range that starts at date, inclusive. */
                    date_to?: string | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /**
                     * @description Page size.
                     * @default 50
                     */
                    limit?: number | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaguesResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    list_results: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Kickoff day: YYYY-MM-DD, today, tomorrow, sunday, 28 Nov or this weekend. */
                    date?: string | null;
                    /** @description Last kickoff day of a range that starts at date, inclusive. */
                    date_to?: string | null;
                    /** @description IANA time zone of day boundaries and local times; UTC when absent. */
                    timezone?: string | null;
                    /** @description Part of either team name; case and accents are ignored. */
                    team?: string | null;
                    /** @description Part of the league name; case and accents are ignored. */
                    league?: string | null;
                    /**
                     * @description Page size.
                     * @default 50
                     */
                    limit?: number | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultList"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    get_result: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event id (`evt_...`). */
                    event_id: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetResultResult"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
}
