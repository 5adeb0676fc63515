// Generates docs/reference/logs.md: every event that the code logs, found by searching the code, grouped by
// level. What each event means and what to do about it is written only here.

const ROOT = new URL('../', import.meta.url).pathname;
/** A call of a log method with one event name, or with a choice between two. */
const CALL = /\.(debug|info|warn|error)\(\s*(?:[\w.]+ \? )?'([a-z]+(?:_[a-z]+)*)'(?: : '([a-z_]+)')?/g;

const DOCTOR = '`overround doctor`';
const REPORT = 'Report it.';
const BUG = 'A request or a thread met an error of the program; the server continues.';

/**
 * Meaning and what to do, by event. An empty text means that nothing needs to be done. An event below `warn`
 * is listed only if an operator should act; the fields of the others explain them.
 */
const MEANINGS: Readonly<Record<string, readonly [meaning: string, toDo: string]>> = {
  accepting_failed: ['Another process took the port. The thread is restarted.', 'Find that process.'],
  accepting_paused: [
    'File descriptors are nearly used up: no new connection is accepted.',
    'Raise LimitNOFILE, or find the clients that hold them.',
  ],
  accepting_resumed: ['New connections are accepted again.', ''],
  access_keeper_failed: ['Daily counts or last uses could not be written. They stay in memory.', DOCTOR],
  accounts_not_opened: [
    'The accounts thread could not open its database and is restarted.',
    'See the error.',
  ],
  accounts_wait_for_storage: [
    'The accounts thread cannot open its database. Until it can, calls get 503.',
    DOCTOR,
  ],
  alert_endpoint_stopped: ['An endpoint answered 410, or failed too often: it gets no more alerts.', ''],
  alert_not_stored: [
    'The outcome of a delivery could not be stored. The alert is sent again with the same id.',
    DOCTOR,
  ],
  alerts_begin_again: ['Because of a bug, rules are read again, and new alerts may be lost.', 'Report it.'],
  alerts_dropped: ['An alert was dropped, because too many wait for their endpoints.', ''],
  alerts_not_compared: ['Prices could not be compared for some rules.', ''],
  alerts_wait_for_storage: ['The database fails, so alerts are neither found nor sent.', DOCTOR],
  archive_write_failed: ['Openings or results could not be written to the archive.', DOCTOR],
  buckets_not_kept: ['Spent rate-limit buckets could not be saved for the next start.', DOCTOR],
  certificate_refused: [
    'The new certificate cannot be used. The previous one is served.',
    'Put both files in place; see `because`.',
  ],
  closing_prices_not_kept: [
    'Closing prices could not be written to the archive, or old ones could not be deleted.',
    DOCTOR,
  ],
  connection_watch_failed: ['Open connections could not be checked.', REPORT],
  connections_ended: [
    'Connections were closed: silent ones, those of an address with too many, or those with too many unfinished headers.',
    'If the address is your proxy, set TRUSTED_PROXIES.',
  ],
  data_dir_open_to_others: ['Other users of the machine can read the data folder.', 'Do what `fix` says.'],
  database_check_failed: ['Rows could not be read for a check.', DOCTOR],
  database_file_gone: [
    'The database file was moved, deleted or replaced. Nothing is written.',
    'Do what `to_do` says.',
  ],
  database_index_damaged: ['An index of accounts or keys is damaged.', 'Restore a backup.'],
  database_pages_unchecked: [
    'Postgres keeps no page checksums, so damage would not be detected.',
    'Do what `fix` says.',
  ],
  betfair_keep_alive_failed: [
    'Betfair refused to keep the session alive.',
    'Put a new token into BETFAIR_SESSION_FILE.',
  ],
  clock_set_back: [
    "The machine's clock was set back. The sources are reopened.",
    'Check the time synchronisation.',
  ],
  database_row_damaged: [
    'A key, account or session differs from what was written, and cannot be used.',
    'Restore a backup, or create it again.',
  ],
  event_loop_held: [
    'A job blocked a thread for too long.',
    'If it keeps happening on an idle machine, report it.',
  ],
  feed_disconnected: [
    'The connection to a source was lost. It is opened again after a pause.',
    'Check the source.',
  ],
  feed_gap: ['Messages of a source were lost. A new snapshot is requested.', 'Check the network.'],
  feed_message_rejected: [
    'A message was invalid and was rejected.',
    'Inform the operator of the feed; see `reason`.',
  ],
  feed_refused: [
    'A source refuses the key or session. It is tried again after `retry_ms`.',
    'Check its key or session.',
  ],
  feed_socket_unavailable: ['`overround record` cannot follow this server.', 'Check the data folder.'],
  feed_source_reopening: ['A source lost messages and cannot resynchronise, so it is reopened.', ''],
  feed_match_names_nothing: [
    'FEED_MATCH names fixtures that no source has.',
    'Use the keys that `overround feed match` prints.',
  ],
  signal_record_failed: [
    'The record of signals could not be written or graded. If the database failed, signals are written later.',
    DOCTOR,
  ],
  signal_record_taken_over: ['Another node writes the record of signals now.', ''],
  history_draft_not_removed: [
    'A draft of a file of the price history, which a kill left, could not be removed. The next start tries again.',
    'See the error.',
  ],
  history_file_not_removed: [
    'Old files of the price history could not be removed. The server retries every minute.',
    'See the error.',
  ],
  history_file_set_aside: [
    'A file of the price history could not be read, and was moved to `set-aside/`.',
    'Restore it from a copy.',
  ],
  history_file_unreadable: [
    'A file of the price history cannot be read.',
    'Restore it from a copy, or remove it.',
  ],
  history_log_not_removed: [
    'A log of the price history that is no longer needed could not be removed.',
    'See the error.',
  ],
  history_not_opened: [
    'The folder of the price history could not be opened. Prices are served.',
    'See the error.',
  ],
  history_stopped: ['The price history could not be written, and will have a gap.', 'See the error.'],
  http_thread_stop_failed: ['The server or a thread did not stop in an orderly way.', REPORT],
  key_changes_unread: ['Changed keys could not be read from Postgres.', DOCTOR],
  late_throw: [BUG, REPORT],
  leader_fixtures_unread: [
    'A new leader could not read the fixtures of the previous one. Some may have new ids.',
    'Check Redis, and run the same release on all nodes.',
  ],
  limits_are_divided: ['Redis is not reachable: each node applies its share of the limits.', DOCTOR],
  limits_are_shared: ['Nodes share their limits through Redis again.', ''],
  log_entries_left_out: [
    '`count` lines of the event `of` were left out, because there were too many at once.',
    '',
  ],
  login: [
    'A log-in attempt; `outcome` is let_in (logged in), refused, held (too many tries) or failed.',
    'If many are refused, find their network in the line `request` with the same `request_id`.',
  ],
  mail_failed: ['The mail server did not accept a mail.', 'Check SMTP_URL and the mail server.'],
  mcp_failure: [BUG, REPORT],
  mcp_stdio_failed: ['The stdio server could not start.', 'See the error.'],
  node_stores_alone: [
    'A node of a cluster keeps accounts, keys, openings and results in its own folder.',
    'Set DATABASE_URL to the Postgres of all nodes.',
  ],
  prices_are_hidden: [
    'All bookmakers of the sources are sharp, so callers without a key see no prices.',
    'Set BOOKMAKERS to a roster with more bookmakers.',
  ],
  prices_are_simulated: [
    'FEED is the simulated market: its prices are not real.',
    'For real prices, set FEED.',
  ],
  recording_cut: ['A replay reached the end of a truncated file.', 'Replay the next file of that recording.'],
  request_failed: [BUG, REPORT],
  request_failed_outside_handler: [BUG, REPORT],
  reset_failed: [
    'A request for a new password was answered, but failed later, or was dropped because too many came at once.',
    DOCTOR,
  ],
  resource_watch_failed: ['The stdio server cannot report which resources changed.', REPORT],
  scoring_worker_lost: ['A scoring worker crashed or hung. Its task was given to another worker.', REPORT],
  server_out_of_reach: ['The stdio server cannot reach OVERROUND_URL.', 'Check the address and the key.'],
  sign_up_closed: [
    'Nobody can sign up, because SMTP_URL is not set in production.',
    'Set SMTP_URL, or create keys with the command line.',
  ],
  signal_tick_failed: ['One tick of the streams failed.', REPORT],
  slate_astray: ["A follower's slate no longer matches its leader's. It loads a snapshot.", REPORT],
  slate_entries_missed: [
    'A follower missed entries, or a new epoch began. It loads a snapshot.',
    'If it happens often, give Redis more memory.',
  ],
  slate_fixtures_refused: ['A follower has no room for some fixtures.', 'Follow fewer fixtures.'],
  slate_foreign: [
    'The slate in Redis belongs to another roster or release.',
    'Give all nodes the same settings and release.',
  ],
  slate_is_past: ['A follower was offered a slate older than the one it serves, and ignored it.', ''],
  slate_leading_ended: ['This node is no longer the leader.', 'See `because`.'],
  slate_not_kept: ['The slate could not be saved for a warm start.', DOCTOR],
  slate_not_restored: ['The file with the slate of the last run could not be read or renamed.', ''],
  slate_set_aside: ['The slate of the last run cannot be used; see `because`. Its file was renamed.', ''],
  socket_failed: [BUG, REPORT],
  source_clock_off: [
    "The clock of a source differs from this machine's by this time, which is corrected; 0 if they agree again.",
    'Set the clock that is wrong.',
  ],
  source_changed: [
    'Answers of a source lack a `field` that they always had. Its prices become stale.',
    'Update the server, or report it.',
  ],
  source_socket_closed: ['A connection to a source ended; it is made again after `retry_ms`.', ''],
  source_request_failed: ['A request to a polled source failed.', 'See `reason`.'],
  source_state: [
    'The state of a polled source, and when it is tried next.',
    'For a refused key or a used-up quota, check the settings.',
  ],
  stop_failed: ['The server or a thread did not stop in an orderly way.', REPORT],
  unused_sessions_not_ended: ['Unused sessions could not be ended. /platform still refuses them.', DOCTOR],
  storage_failed: ['A call got 503 because the disk or Postgres failed.', DOCTOR],
  stream_beat_failed: ['One tick of the streams failed.', REPORT],
  thread_scheduling_refused: [
    'The system allows no thread priorities, so polls may wait for other threads.',
    'Nothing: only Linux supports them.',
  ],
  tool_failed: [BUG, REPORT],
  unhandled_rejection: [BUG, REPORT],
  unread_watch_failed: ['Open connections could not be checked.', REPORT],
  waiting_for_database: ['The start waits for Postgres.', DOCTOR],
  worker_crash_loop: [
    'A thread crashes at every start; `meanwhile` says what works without it.',
    '[Runbook](../guide/runbook.md#overroundcrashloop).',
  ],
  worker_failed: [BUG, REPORT],
  worker_hung: [
    'A thread did not respond, and is replaced.',
    'Give the machine another processor, or report it.',
  ],
  worker_restarting: ['A lost thread is restarted after a pause.', ''],
};

/** @throws Error when a warning or error has no meaning above, or a meaning has no event */
export async function logsPage(): Promise<string> {
  const events = await loggedEvents();
  const missing = [...events]
    .filter(([event, levels]) => !(event in MEANINGS) && (levels.has('error') || levels.has('warn')))
    .map(([event]) => event);
  if (missing.length > 0) {
    throw new Error(`Cannot write logs: MEANINGS of scripts/logs-page.ts lacks ${missing.join(', ')}`);
  }
  const gone = Object.keys(MEANINGS).filter((event) => !events.has(event));
  if (gone.length > 0) throw new Error(`Cannot write logs: nothing logs ${gone.join(', ')} any more`);
  const known = [...events].filter(([event]) => event in MEANINGS).sort(([a], [b]) => (a < b ? -1 : 1));
  const section = (title: string, isIn: (levels: ReadonlySet<string>) => boolean): string => {
    const rows = known.filter(([, levels]) => isIn(levels));
    return [
      `## ${title}`,
      '',
      '| event | meaning | what to do |',
      '|---|---|---|',
      ...[...Map.groupBy(rows, ([event]) => MEANINGS[event]!.join(' | '))].map(
        ([text, alike]) => `| ${alike.map(([event]) => `\`${event}\``).join(', ')} | ${text} |`,
      ),
    ].join('\n');
  };
  return `${[
    '# Logs',
    'The log is on standard error, one line per entry: JSON in production (`at`, `level`, `event` and the fields of the event), readable\ntext in development. No line contains a key, a token, a password or an e-mail address. Every entry about a request has the `request_id` that\nthe caller sent or got as `X-Request-Id`. `LOG_LEVEL` is the lowest level that is written.',
    'Failed writes, checks and connections are retried. Report an entry that recurs on an idle machine, with its stack.',
    section('Errors', (levels) => levels.has('error')),
    section('Warnings', (levels) => levels.has('warn') && !levels.has('error')),
    section('Others', (levels) => !levels.has('warn') && !levels.has('error')),
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
  return events;
}
