// Generates docs/reference/logs.md: every event that the code logs, found by reading the code, with its level
// and the folder that logs it. What each event means and what to do about it is defined only here.

const ROOT = new URL('../', import.meta.url).pathname;
/** A call of a log method with one event name, or with two of which one is chosen. */
const CALL = /\.(debug|info|warn|error)\(\s*(?:[\w.]+ \? )?'([a-z]+(?:_[a-z]+)*)'(?: : '([a-z_]+)')?/g;

/** By event: its meaning, and what to do; an empty text means that nothing needs to be done. */
const MEANINGS: Readonly<Record<string, readonly [meaning: string, toDo: string]>> = {
  accepting_failed: [
    'While no connections were accepted, another process took the port. The thread is restarted.',
    'Find the process that took the port.',
  ],
  accepting_paused: [
    'File descriptors are nearly used up: no new connection is accepted, open ones are still served.',
    'Raise LimitNOFILE, or find the clients that hold so many connections.',
  ],
  accepting_resumed: ['New connections are accepted again.', ''],
  access_keeper_failed: [
    'Daily counts or last uses could not be written. They stay in memory, and writing is retried.',
    'Check the disk: `overround doctor`.',
  ],
  accounts_not_opened: [
    'The accounts thread could not open its database and is restarted.',
    'Do what the error says.',
  ],
  accounts_wait_for_storage: [
    'The accounts thread could not open its database because of the disk or Postgres. It retries every second; until then calls get 503.',
    'Check it: `overround doctor`.',
  ],
  alert_endpoint_stopped: [
    'The endpoint of alert rules answered 410, or failed 50 times in a row: nothing more is sent to it. Owners of failing rules get a mail.',
    '',
  ],
  alert_not_stored: [
    'How the delivery of an alert ended could not be stored. It is sent again with the same id.',
    'Check the disk, or Postgres if DATABASE_URL is set: `overround doctor`.',
  ],
  alerts_dropped: [
    'An alert was dropped, because too many deliveries of its rule, or of all rules, wait for their endpoints.',
    '',
  ],
  alerts_wait_for_storage: [
    'The database fails, so alerts are neither found nor sent. It is tried again every second.',
    'Check the disk, or Postgres if DATABASE_URL is set: `overround doctor`.',
  ],
  archive_write_failed: [
    'Openings or results could not be written to the archive. Writing is retried.',
    'Check the disk, or Postgres if DATABASE_URL is set: `overround doctor`.',
  ],
  board: ['Development start: a link that opens the board once with the development key.', ''],
  buckets_not_kept: [
    'Spent rate-limit buckets could not be saved. After a crash, callers would start with full ones.',
    'Check the disk: `overround doctor`.',
  ],
  certificate_refused: [
    'The certificate files changed, but cannot be used. The previous certificate is still served.',
    'Put both files in place; `because` says what is wrong.',
  ],
  certificate_renewed: ['One thread now uses a new certificate for new connections.', ''],
  closing_prices_not_kept: [
    'Closing prices could not be written to the archive. Writing is retried.',
    'Check the disk, or Postgres if DATABASE_URL is set: `overround doctor`.',
  ],
  connection_watch_failed: [
    'Open connections could not be checked. The check is retried.',
    'If it keeps happening, report it.',
  ],
  connections_ended: [
    'Silent connections, or those of an address with too many, were closed.',
    'If the address is your proxy, set TRUSTED_PROXIES.',
  ],
  data_dir_open_to_others: ['Other users of the machine can read the data folder.', 'Do what `fix` says.'],
  database_check_failed: ['Rows could not be read for a check.', 'Check the disk: `overround doctor`.'],
  database_file_gone: [
    'The database file was moved, deleted or replaced while the server was running. The server writes to neither file.',
    'Do what `to_do` says.',
  ],
  database_index_damaged: ['An index of accounts or keys is damaged.', 'Restore a backup.'],
  database_pages_unchecked: [
    'Postgres keeps no page checksums, so damage on its disk would not be detected.',
    'Do what `fix` says.',
  ],
  database_prepared: ['Tables in Postgres were created, or migrated to this release.', ''],
  betfair_keep_alive_failed: [
    'Betfair refused to keep the session alive.',
    'When the source stops, log in again and put the new token into BETFAIR_SESSION_FILE.',
  ],
  betfair_session_renewed: ['The session file contains a new token. The source connects with it.', ''],
  clock_set_back: [
    "The machine's clock was set back. Timestamps follow it, and the sources are reopened.",
    'If it happens again, check the time synchronisation.',
  ],
  database_row_damaged: [
    'A key, account or session differs from what was written. Nobody can use it until it is repaired.',
    'Restore a backup, or create it again.',
  ],
  development_key: ['The first development start created a key. It is shown only this once.', ''],
  event_loop_held: [
    'A job blocked a thread for too long.',
    'If it keeps happening on an idle machine, report it.',
  ],
  feed_connected: ['A source is connected.', ''],
  feed_disconnected: [
    'The connection to a source was lost. It is reconnected after a pause.',
    'If it does not come back, check the source.',
  ],
  feed_gap: [
    'Messages of a source were lost. A new snapshot is requested.',
    'If it happens often, check the network.',
  ],
  feed_hello: ['A source identified itself.', ''],
  feed_message_rejected: [
    'A message was invalid and was rejected.',
    'Inform the operator of the feed; `reason` says why.',
  ],
  feed_refused: ['A source refuses this server permanently.', 'Check its key or session.'],
  feed_served: ['`feed serve` accepts followers.', ''],
  feed_snapshot_complete: ['A whole slate has arrived.', ''],
  feed_socket_unavailable: ['`overround record` cannot follow this server.', 'Check the data folder.'],
  feed_source_reopening: ['A source lost messages and cannot resynchronise, so it is reopened.', ''],
  feed_match_names_nothing: [
    'FEED_MATCH names fixtures that no source has: their keys are misspelt, or the matches are over.',
    'Use the keys that `overround feed match` prints.',
  ],
  feeds_joined: ['Several sources are joined into one slate.', ''],
  signal_record_failed: [
    'Signals could not be found, written or graded for the record. It is tried again; signals that open meanwhile wait.',
    'If it stays: the disk, or Postgres',
  ],
  signal_record_taken_over: [
    'Another node has begun to write the record of signals, so this one has stopped.',
    '',
  ],
  history_continues: ['The price history is written again.', ''],
  history_file_set_aside: [
    'A file of the price history could not be read. It was moved to `set-aside/` in the folder of the history; the rest is served.',
    'Check the disk; restore the file from a copy if there is one.',
  ],
  history_file_unreadable: [
    'A file of the price history cannot be read; answers about the past are made from the others.',
    'Restore it from a backup, or remove it.',
  ],
  history_not_opened: [
    'The folder of the price history could not be opened. It is tried again every second; prices are served.',
    'Do what the error says: HISTORY_DIR.',
  ],
  history_removed: ['The oldest files of the price history were removed (HISTORY_DAYS, HISTORY_MAX_GB).', ''],
  history_stopped: [
    'The price history could not be written. It is tried again every second, and the time that is lost becomes a gap.',
    'Free disk space, or do what the error says.',
  ],
  http_thread_listening: ['A thread listens.', ''],
  http_thread_stop_failed: ['A thread did not stop in an orderly way.', 'Report it.'],
  key_changes_unread: [
    'Reading changed keys from Postgres failed. It is retried.',
    'If it keeps happening, check Postgres.',
  ],
  keys: ['At the start: which keys exist, without the keys themselves.', ''],
  late_throw: [
    'An error came after its request had ended: a bug. The server continues.',
    'Report it with its stack.',
  ],
  leader_fixtures_unread: [
    'A node with several feeds became the leader, but could not read which fixtures the previous leader had. Some fixtures may have new ids.',
    'Check Redis, and run the same release on all nodes.',
  ],
  limits_are_divided: ['Redis is not reachable: each node applies its share of the limits.', 'Check Redis.'],
  limits_are_shared: ['Nodes share their limits through Redis again.', ''],
  listening: ['The server listens.', ''],
  log_entries_left_out: ['This many lines of the event `of` were left out in the previous window.', ''],
  login: [
    'Somebody tried to log in to an account, which may not exist. `outcome` is let_in (logged in), refused, held (after too many tries) or failed.',
    'If one account or one network has many, check the request of the same id.',
  ],
  mail_failed: ['The mail server did not accept a mail.', 'Check SMTP_URL and the mail server.'],
  mail_in_outbox: ['Development: a mail that production would send.', ''],
  mcp_failure: ['A request over MCP failed because of an error in this server.', 'Report it.'],
  mcp_stdio_failed: ['The stdio server could not start.', 'Do what the error says.'],
  mcp_stdio_ready: ['The stdio server is ready.', ''],
  node_stores_alone: [
    'A node of a cluster keeps accounts, keys, openings and results in its own folder.',
    'Set DATABASE_URL to the Postgres of all nodes.',
  ],
  prices_are_hidden: [
    'All bookmakers of the sources are sharp, so callers without a key see no prices.',
    'Set BOOKMAKERS to a roster with more of the bookmakers that the source has.',
  ],
  prices_are_simulated: [
    'FEED is the simulated market: its prices are not real.',
    'For real prices, set FEED.',
  ],
  recording_cut: [
    'A replay reached the end of a truncated file: everything after its last complete line is missing.',
    'Nothing; or replay the next file of that recording.',
  ],
  recording_ended: ['A replay has ended. From now on the slate becomes older.', ''],
  request: [
    'One answer: method, route, status, time, tier, key id, network of the client. In production at `info`.',
    '',
  ],
  request_failed: ['A request was answered with 500: a bug.', 'Report it with its stack.'],
  request_failed_outside_handler: ['A request failed before it reached its handler.', 'Report it.'],
  resource_watch_failed: [
    'The stdio server cannot report which resources changed.',
    'If it keeps happening, report it.',
  ],
  scoring_worker_lost: [
    'A scoring worker crashed or hung. Its task was given to another worker.',
    'If it happens often, report it.',
  ],
  server_out_of_reach: ['The stdio server cannot reach OVERROUND_URL.', 'Check the address and the key.'],
  sign_up_closed: [
    'Production without SMTP_URL: nobody can sign up.',
    'Set SMTP_URL, or create keys with the command line.',
  ],
  signal_tick_failed: [
    'The signals of a stream could not be computed in one tick.',
    'If it keeps happening, report it.',
  ],
  slate_astray: [
    "A follower's slate no longer matches its leader's. It loads a snapshot.",
    'If it happens often, report it.',
  ],
  slate_entries_missed: [
    'A follower missed entries. It loads a snapshot.',
    'If it happens often, give Redis more memory.',
  ],
  slate_fixtures_refused: ['A follower has no room for some fixtures.', 'Follow fewer fixtures.'],
  slate_foreign: [
    'The slate in Redis belongs to another roster or release.',
    'Give all nodes the same settings and release.',
  ],
  slate_is_past: ['A follower was offered a slate older than the one it serves, and ignored it.', ''],
  slate_leading: [
    'This node became the leader: its feed runs, and it sends the slate to the other nodes.',
    '',
  ],
  slate_leading_ended: ['This node is no longer the leader.', 'If `because` names Redis, check Redis.'],
  slate_not_kept: ['The slate could not be saved for a warm start.', 'Check the disk: `overround doctor`.'],
  slate_not_restored: ['The slate of the last run could not be read. The server starts without it.', ''],
  slate_replication: ['The role of a node with regard to the slate in Redis.', ''],
  slate_restored: [
    'The slate of the last run is served, marked as stale, until the feed sends a new one.',
    '',
  ],
  slate_set_aside: ['The slate of the last run was made with other settings, and was renamed.', ''],
  slate_taken: ['A follower has loaded a whole slate.', ''],
  socket_failed: ['A WebSocket failed because of an error in this server.', 'Report it.'],
  source_answered: ['A polled source answered: the cost of the request and the quota left.', ''],
  source_clock_off: [
    "The clock of a source differs from this machine's. The difference is subtracted from its timestamps. 0: the clocks agree again.",
    'Set the clock of the source, or of this machine.',
  ],
  source_new_epoch: ['A polled source counts as new: a whole snapshot of it is made.', ''],
  source_pace: ['How often a polled source is requested.', ''],
  source_changed: [
    'Answers of a source lack a field (`field`) that they always had. Its prices stay as they were until they are stale.',
    'Update the server. Report it if the newest version has it too.',
  ],
  source_socket_closed: ['A connection to a source ended; it is made again after `retry_ms`.', ''],
  source_socket_open: ['A connection to a source is open.', ''],
  source_request_failed: ['A request to a polled source failed.', 'If it keeps failing, check `reason`.'],
  source_state: [
    'The state of a polled source, and when it is tried next.',
    'For a refused key or a used-up quota, check its settings.',
  ],
  stop_failed: ['The server did not stop in an orderly way.', 'Report it.'],
  stopping: ['A signal was received: the server stops in an orderly way.', ''],
  unused_sessions_not_ended: [
    'Unused sessions could not be searched for, because of the disk or Postgres. /platform still refuses them.',
    'Check it: `overround doctor`.',
  ],
  storage_failed: ['A call got 503 because of the disk or Postgres.', 'Check it: `overround doctor`.'],
  stream_beat_failed: ['One tick of the streams failed.', 'If it keeps happening, report it.'],
  thread_scheduling_refused: [
    'The system does not allow thread priorities to be set: polls may have to wait for other threads.',
    'Nothing; only Linux supports it.',
  ],
  tool_failed: ['A tool failed because of an error in this server.', 'Report it.'],
  unhandled_rejection: [
    'A promise was rejected without a handler: a bug. The server continues.',
    'Report it with its stack.',
  ],
  unread_watch_failed: [
    'The search for clients that do not read their answers failed.',
    'If it keeps happening, report it.',
  ],
  waiting_for_database: [
    'Postgres does not answer. The start waits for it.',
    'Check Postgres and DATABASE_URL.',
  ],
  worker_crash_loop: [
    'A thread crashes at every start; `meanwhile` says what works without it.',
    'Check the lines before; [runbook](../guide/runbook.md#overroundcrashloop).',
  ],
  worker_failed: ['A thread had an uncaught error.', 'Report it.'],
  worker_hung: [
    'A thread did not respond and is replaced.',
    'Give the machine another processor, or report it.',
  ],
  worker_restarting: ['A lost thread is restarted after a pause.', ''],
};

/**
 * @returns the whole page @throws Error when an event has no meaning above, or a meaning belongs to no event
 */
export async function logsPage(): Promise<string> {
  const events = await loggedEvents();
  const missing = [...events.keys()].filter((event) => !(event in MEANINGS));
  if (missing.length > 0) {
    throw new Error(`Cannot write logs: MEANINGS of scripts/logs-page.ts lacks ${missing.join(', ')}`);
  }
  const gone = Object.keys(MEANINGS).filter((event) => !events.has(event));
  if (gone.length > 0) throw new Error(`Cannot write logs: nothing logs ${gone.join(', ')} any more`);
  // Other events report normal operation, and their fields say it.
  const rows = [...events]
    .filter(([event, levels]) => MEANINGS[event]![1] !== '' || levels.has('warn') || levels.has('error'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${[
    '# Logs',
    'The log is on standard error, one line per entry: JSON in production (`at`, `level`, `event` and the fields of the event), readable\ntext in development. No line contains a key, a token, a password or an e-mail address. Every entry about a request has its\n`request_id`, on every thread; the answer has the same id as `X-Request-Id`. If the caller sends an `X-Request-Id` of plain\ncharacters, it is used as the id. `LOG_LEVEL` is the lowest level that is written. Events of normal operation, at the\nlevels `info` and `debug`, are not in this table. This page is written by `bun run docs`.',
    [
      '| event | level | meaning | what to do |',
      '|---|---|---|---|',
      ...rows.map(([event, levels]) => {
        const [meaning, toDo] = MEANINGS[event]!;
        return `| \`${event}\` | ${[...levels].sort().join(', ')} | ${meaning} | ${toDo} |`;
      }),
    ].join('\n'),
  ].join('\n\n')}\n`;
}

/** Every event that the source logs, with its levels. */
async function loggedEvents(): Promise<Map<string, Set<string>>> {
  const events = new Map<string, Set<string>>();
  for (const file of new Bun.Glob('src/**/*.ts').scanSync(ROOT)) {
    if (file.startsWith('src/web/client/')) continue;
    for (const [, level, ...names] of (await Bun.file(ROOT + file).text()).matchAll(CALL)) {
      for (const name of names.filter((one) => one !== undefined)) {
        const levels = events.get(name) ?? new Set();
        events.set(name, levels.add(level!));
      }
    }
  }
  events.get('request')?.add('info'); // telemetry/access-log.ts writes its lines itself
  return events;
}
