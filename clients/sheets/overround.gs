/**
 * Overround in Google Sheets: prices, value and arbitrage from your own server as custom functions.
 *
 * In Extensions > Apps Script, paste this file, save, and reload the sheet. The menu item Overround > Server and key asks
 * for both, and stores them in the script's properties, where everybody who may edit the script can read them. The
 * server has to be reachable from the internet.
 *
 *   =OVERROUND_EVENTS("today")                        fixtures of a day
 *   =OVERROUND_ODDS("arsenal chelsea", "1x2")         every price of a fixture, one row for each bookmaker and line
 *   =OVERROUND_BEST("arsenal", "home")                best price of an outcome, on the consensus line
 *   =OVERROUND_BEST("arsenal", "over", "totals", 2.5)
 *   =OVERROUND_VALUE(2)                               prices at least 2% above fair
 *   =OVERROUND_ARBITRAGE()
 *
 * Sheets computes a function again only when an argument changes. To refresh, give a function one more
 * argument, a cell such as $Z$1; then select that cell and choose Overround > Refresh, which writes the time
 * into it. Answers are cached for 20 seconds.
 */

var CACHE_SECONDS = 20;
/** A longer answer is not cached, because the cache takes at most 100 KB for a value. */
var CACHE_CHARS_MAX = 90000;

/** Adds the menu when the sheet is opened. */
function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Overround')
    .addItem('Server and key', 'overroundSettings')
    .addItem('Refresh', 'overroundRefresh')
    .addToUi();
}

/** Asks for the server and the key. An empty answer changes nothing; "none" removes the key. */
function overroundSettings() {
  var ui = SpreadsheetApp.getUi();
  var properties = PropertiesService.getScriptProperties();
  var url = ui.prompt('Address of the server, such as https://odds.example.com').getResponseText().trim();
  if (url) properties.setProperty('OVERROUND_URL', checkedUrl_(url));
  var key = ui.prompt('Key (isk_...), or "none" for the free tier').getResponseText().trim();
  if (key === 'none') properties.deleteProperty('OVERROUND_API_KEY');
  else if (key) properties.setProperty('OVERROUND_API_KEY', key);
}

/** Writes the time into the selected cell. Functions that have it as an argument are computed again. */
function overroundRefresh() {
  SpreadsheetApp.getActiveSpreadsheet().getCurrentCell().setValue(new Date());
}

/**
 * Fixtures of a day: id, kickoff, status, home, away, league.
 * @param {string} day YYYY-MM-DD, today, tonight, tomorrow or a weekday; default: today
 * @param {string} league a league, by name or id
 * @return {Array<Array>} a head and a row for each fixture
 * @customfunction
 */
function OVERROUND_EVENTS(day, league) {
  var answer = tool_('list_events', { date: day || 'today', league: league || null, limit: 200 });
  return table_(['event', 'kickoff', 'status', 'home', 'away', 'league'], answer.matches, function (match) {
    return [match.event_id, time_(match.scheduled_at), match.status, match.home_team, match.away_team, match.league];
  });
}

/**
 * Every price of one fixture.
 * @param {string} fixture an event id, or words such as "arsenal chelsea"
 * @param {string} market 1x2, asian_handicap or totals; default: all
 * @param {string} format decimal, hk, malay, american, indonesian or probability
 * @return {Array<Array>} a head and a row for each bookmaker and line
 * @customfunction
 */
function OVERROUND_ODDS(fixture, market, format) {
  var input = { query: words_(fixture), markets: market ? [market] : null, format: format || null };
  var head = ['bookmaker', 'market', 'period', 'line', 'home / over', 'draw', 'away / under', 'status', 'as of'];
  return table_(head, tool_('get_match_odds', input).odds, function (quote) {
    var prices = quote.prices;
    var first = prices.home === undefined ? prices.over : prices.home;
    var last = prices.away === undefined ? prices.under : prices.away;
    return [
      quote.bookmaker, quote.market_type, quote.period, blank_(quote.line), shown_(first), shown_(prices.draw), shown_(last),
      quote.status, time_(quote.as_of),
    ];
  });
}

/**
 * The best open price of one outcome.
 * @param {string} fixture an event id, or words such as "arsenal chelsea"
 * @param {string} outcome home, draw, away, over or under
 * @param {string} market 1x2, asian_handicap or totals; default: totals for over and under, otherwise 1x2
 * @param {number} line the total, or the home side's handicap; default: the consensus line
 * @param {string} format as in OVERROUND_ODDS
 * @return {number} the price; empty when nobody offers it
 * @customfunction
 */
function OVERROUND_BEST(fixture, outcome, market, line, format) {
  var totals = outcome === 'over' || outcome === 'under';
  var answer = tool_('get_sharp_line', {
    query: words_(fixture),
    market_type: market || (totals ? 'totals' : '1x2'),
    line: line === undefined || line === '' ? null : line,
    format: format || null,
    verbosity: 'terse',
  });
  // If the words fit several fixtures, none is chosen: the cell's error is the question of the server.
  if (answer.comparison === null) throw new Error(answer.ask_user || answer.summary);
  var best = answer.comparison.best_prices.filter(function (price) {
    return price.outcome === outcome;
  });
  return best.length === 0 ? '' : best[0].price;
}

/**
 * Prices above the fair price of the sharp book, highest edge first. Needs a key of the standard tier or above.
 * @param {number} minEdgePct lowest edge in per cent; default: 1
 * @param {string} league a league, by name or id
 * @return {Array<Array>} a head and a row for each price
 * @customfunction
 */
function OVERROUND_VALUE(minEdgePct, league) {
  var head = ['edge %', 'price', 'fair', 'outcome', 'bookmaker', 'market', 'period', 'line', 'home', 'away', 'kickoff', 'age s'];
  var found = scan_({ signal: 'value', min_edge_pct: minEdgePct || null, league: league || null }, 'value_bets');
  return table_(head, found, function (hit) {
    var bet = hit.found;
    return [
      bet.edge_pct, bet.price, bet.fair_price, bet.outcome, bet.bookmaker, bet.market_type, bet.period, blank_(bet.line),
      hit.entry.home_team, hit.entry.away_team, time_(hit.entry.scheduled_at), bet.age_s,
    ];
  });
}

/**
 * Prices of several bookmakers that together cost less than they return.
 * @param {number} minMarginPct lowest margin in per cent; default: 0
 * @return {Array<Array>} a head and a row for each arbitrage
 * @customfunction
 */
function OVERROUND_ARBITRAGE(minMarginPct) {
  var head = ['margin %', 'prices', 'market', 'period', 'line', 'home', 'away', 'kickoff'];
  var found = scan_({ signal: 'arbitrage', min_margin_pct: minMarginPct || null }, 'opportunities');
  return table_(head, found, function (hit) {
    var legs = hit.found.legs.map(function (leg) {
      return leg.outcome + ' ' + leg.price + ' ' + leg.bookmaker;
    });
    return [
      hit.found.margin_pct, legs.join(', '), hit.found.market_type, hit.found.period, blank_(hit.found.line),
      hit.entry.home_team, hit.entry.away_team, time_(hit.entry.scheduled_at),
    ];
  });
}

// Functions whose names end in "_" are private to the script: sheets cannot call them.

function scan_(input, field) {
  var request = { only_signal: true, hits: 'all', limit: 100 };
  Object.keys(input).forEach(function (name) {
    request[name] = input[name];
  });
  return [].concat.apply([], tool_('scan_slate', request).entries.map(function (entry) {
    return entry.hits[field].map(function (found) {
      return { entry: entry, found: found };
    });
  }));
}

/** The answer of an agent tool, from the cache if it is less than CACHE_SECONDS old. */
function tool_(name, input) {
  var properties = PropertiesService.getScriptProperties();
  var url = properties.getProperty('OVERROUND_URL');
  if (!url) throw new Error('Set the server first: Overround > Server and key');
  var key = properties.getProperty('OVERROUND_API_KEY');
  var body = JSON.stringify(input);
  var cache = CacheService.getScriptCache();
  // A digest, because keys of the cache are short; with server and key, because each has its own answers.
  var cacheKey = digest_([url, key, name, body].join('\n'));
  var kept = cache.get(cacheKey);
  if (kept !== null) return JSON.parse(kept);
  var response = UrlFetchApp.fetch(url.replace(/\/+$/, '') + '/v1/mcp/' + name, {
    method: 'post',
    contentType: 'application/json',
    payload: body,
    headers: key ? { Authorization: 'Bearer ' + key } : {},
    muteHttpExceptions: true,
    followRedirects: false, // a redirect would send the key to another host
  });
  var text = response.getContentText();
  if (response.getResponseCode() !== 200) throw new Error(refusal_(response.getResponseCode(), text));
  if (text.length <= CACHE_CHARS_MAX) cache.put(cacheKey, text, CACHE_SECONDS);
  return JSON.parse(text);
}

function refusal_(status, text) {
  try {
    var body = JSON.parse(text);
    if (body.error) return body.error.message + (body.error.fix ? '. ' + body.error.fix : '');
    return body.detail.map(function (problem) {
      return problem.loc.slice(1).join('.') + ': ' + problem.msg;
    }).join('; ');
  } catch (error) {
    return 'The server answered with status ' + status + ' and no JSON; check its address';
  }
}

function digest_(text) {
  return Utilities.base64EncodeWebSafe(Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text, Utilities.Charset.UTF_8));
}

function checkedUrl_(url) {
  if (!/^https?:\/\/[^\s@?#]+$/.test(url)) throw new Error('Not an address: write https:// and a host, without a key');
  return url;
}

function words_(fixture) {
  var text = String(fixture === undefined ? '' : fixture).trim();
  if (text === '') throw new Error('Name a fixture: an event id, or words such as "arsenal chelsea"');
  return text;
}

function table_(head, entries, rowOf) {
  return [head].concat(entries.map(rowOf));
}

/** A time of the API as a date with which Sheets can compute. */
function time_(instant) {
  return instant === null ? '' : new Date(instant);
}

/** Empty if the bookmaker has withdrawn the price, which is then 0, or if the market lacks the outcome. */
function shown_(price) {
  return price === undefined || price === 0 ? '' : price;
}

function blank_(value) {
  return value === null ? '' : value;
}
