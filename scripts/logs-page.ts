// docs/logs.md: every event that the code logs, found by reading the code, with its level and the room that logs it. What
// each means, and what to do about it, is said here, once.

const ROOT = new URL('../', import.meta.url).pathname;
/** A call of a log's method with the name of its event, or with one of two. */
const CALL = /\.(debug|info|warn|error)\(\s*(?:[\w.]+ \? )?'([a-z]+(?:_[a-z]+)*)'(?: : '([a-z_]+)')?/g;

/** By event: what it says, and what to do; an empty text is nothing to do. */
const MEANINGS: Readonly<Record<string, readonly [meaning: string, toDo: string]>> = {
  accepting_failed: [
    'The port was taken while no connections were accepted; the thread is started anew.',
    'Find who took the port.',
  ],
  accepting_paused: [
    'Descriptors are nearly out: no new connection is accepted, those that stand are served.',
    'Raise LimitNOFILE, or find who holds so many.',
  ],
  accepting_resumed: ['Connections are accepted again.', ''],
  access_keeper_failed: [
    'Daily counts or last uses were not written; they are kept in memory and tried again.',
    'Look at the disk: `overround doctor`.',
  ],
  accounts_not_opened: [
    'The thread of accounts could not open its database; it is started anew.',
    'Do what the error says.',
  ],
  accounts_wait_for_storage: [
    'The thread of accounts could not open them because of the disk or Postgres; it tries again every second, and calls are 503.',
    'Look at it: `overround doctor`.',
  ],
  archive_write_failed: [
    'Openings or results were not written to the archive; they are tried again.',
    'Look at the disk, or at Postgres where DATABASE_URL is set: `overround doctor`.',
  ],
  board: ['A development start: a link that opens the board with the development key, once.', ''],
  buckets_not_kept: [
    'Spent buckets were not written: after a crash callers would have theirs full.',
    'Look at the disk: `overround doctor`.',
  ],
  certificate_refused: [
    'The files of the certificate changed and cannot be served; the former is served on.',
    'Put both files in place; `because` says what is wrong.',
  ],
  certificate_renewed: ['A new certificate is shown to new connections, by one thread.', ''],
  connection_watch_failed: [
    'Connections could not be looked at; it is tried again.',
    'Report it when it stays.',
  ],
  connections_ended: [
    'Silent connections, or those of an address with too many, were ended.',
    'Set TRUSTED_PROXIES when it was your proxy.',
  ],
  data_dir_open_to_others: [
    'Other users of the machine can see into the data folder.',
    'Do what `fix` says.',
  ],
  database_check_failed: ['Rows could not be read to be checked.', 'Look at the disk: `overround doctor`.'],
  database_file_gone: [
    'The file of the database was moved, deleted or replaced under the server, which writes to neither.',
    'Do what `to_do` says.',
  ],
  database_index_damaged: ['An index of accounts or keys is damaged.', 'Restore a backup.'],
  database_pages_unchecked: [
    'Postgres keeps no checksums of its pages, so damage on its disk would not be found.',
    'Do what `fix` says.',
  ],
  database_prepared: ['Tables in Postgres were made, or brought up to this release.', ''],
  clock_set_back: [
    'The clock of the machine was set back; stamps are set back with it and the sources are opened anew.',
    'Look at its time synchronisation when it happens again.',
  ],
  database_row_damaged: [
    'A key, account or session is not as it was written; it works for nobody meanwhile.',
    'Restore a backup, or make it anew.',
  ],
  development_key: ['A first development start made a key, shown this once.', ''],
  event_loop_held: [
    'A job held a thread for longer than others should wait.',
    'On a quiet machine, again and again: report it.',
  ],
  feed_connected: ['The connection of a source stands.', ''],
  feed_disconnected: [
    'The connection of a source is gone; it is made anew after a pause.',
    'Look at the source when it stays away.',
  ],
  feed_gap: [
    'Messages of a source were lost; a snapshot is asked for.',
    'Look at the network when it happens often.',
  ],
  feed_hello: ['A source said who it is.', ''],
  feed_message_rejected: [
    'A message was not valid and was refused.',
    'Tell whoever sends the feed; `reason` says why.',
  ],
  feed_refused: ['A source refuses us for good.', 'Check its key or session.'],
  feed_served: ['`feed serve` takes followers.', ''],
  feed_snapshot_complete: ['A whole slate is there.', ''],
  feed_socket_unavailable: ['`overround record` cannot follow this server.', 'Look at the data folder.'],
  feed_source_reopening: ['A source lost too much and is opened anew.', ''],
  feeds_joined: ['Several sources make one slate.', ''],
  http_thread_listening: ['A thread listens.', ''],
  http_thread_stop_failed: ['A thread did not stop in order.', 'Report it.'],
  key_changes_unread: [
    'Postgres did not say which keys changed; it is asked again.',
    'Look at Postgres when it stays.',
  ],
  keys: ['Which keys there are, without their texts, at a start.', ''],
  late_throw: ['A bug that was survived.', 'Report it with its stack.'],
  leader_fixtures_unread: [
    'A node with several feeds leads and could not read which fixtures the leader before it had: some may have another id now.',
    'Look at Redis, and run one release on all nodes.',
  ],
  limits_are_divided: ['Redis is away: each node gives its share of the limits.', 'Look at Redis.'],
  limits_are_shared: ['Nodes share their limits over Redis again.', ''],
  listening: ['The server listens.', ''],
  log_entries_left_out: ['So many lines of the event `of` were left out in the window before.', ''],
  login: [
    'Somebody tried to log in to an account, which may not exist: `outcome` is let_in, refused, held (after too many tries) or failed.',
    'Look at the request of the same id when one account or one network has many.',
  ],
  mail_failed: ['A mail was not taken by the mail server.', 'Check SMTP_URL and the server.'],
  mail_in_outbox: ['Development: the mail that would have been sent.', ''],
  mcp_failure: ['A request over MCP failed for a reason of our own.', 'Report it.'],
  mcp_stdio_failed: ['The stdio server could not start.', 'Do what the error says.'],
  mcp_stdio_ready: ['The stdio server serves.', ''],
  node_stores_alone: [
    'A node of a cluster keeps accounts, keys, openings and results in its own folder.',
    'Set DATABASE_URL to the Postgres of all nodes.',
  ],
  prices_are_simulated: ['FEED is the simulated market: its prices are made up.', 'Set FEED for real ones.'],
  recording_ended: ['A replay is at its end; the slate ages from now on.', ''],
  request: [
    'One answer: method, route, status, time, tier, key id, network of the client. In production at `info`.',
    '',
  ],
  request_failed: ['A request was answered 500: a bug.', 'Report it with its stack.'],
  request_failed_outside_handler: ['A request failed before it was one.', 'Report it.'],
  resource_watch_failed: ['The stdio server cannot say which resources changed.', 'Report it when it stays.'],
  scoring_worker_lost: [
    'A scoring worker died or hung; its task was given to another.',
    'Report it when it happens often.',
  ],
  server_out_of_reach: ['The stdio server cannot reach OVERROUND_URL.', 'Check the address and the key.'],
  sign_up_closed: ['Production without SMTP_URL: nobody can sign up.', 'Set SMTP_URL, or make keys by hand.'],
  signal_tick_failed: ['Signals of a stream were not looked for once.', 'Report it when it stays.'],
  slate_astray: [
    'A follower cannot go on with what its leader sent; it takes a snapshot.',
    'Report it when it happens often.',
  ],
  slate_entries_missed: [
    'A follower missed entries; it takes a snapshot.',
    'Raise the memory of Redis when it happens often.',
  ],
  slate_fixtures_refused: ['A follower has no room for some fixtures.', 'Follow fewer fixtures.'],
  slate_foreign: [
    'The slate in Redis is of another roster or release.',
    'Give all nodes the same settings and release.',
  ],
  slate_is_past: ['A follower was offered an older slate than it serves, and left it.', ''],
  slate_leading: ['This node leads: it has the feed and sends the slate to the others.', ''],
  slate_leading_ended: ['This node leads no longer.', 'Look at Redis when `because` names it.'],
  slate_not_kept: ['The slate was not written for a warm start.', 'Look at the disk: `overround doctor`.'],
  slate_not_restored: ['The slate of the last run could not be read; the start is a cold one.', ''],
  slate_replication: ['How a node stands with the slate in Redis.', ''],
  slate_restored: ['The slate of the last run is served, as stale, until the feed brings its own.', ''],
  slate_set_aside: ['The slate of the last run is of other settings and was renamed.', ''],
  slate_taken: ['A follower has taken a whole slate.', ''],
  socket_failed: ['A WebSocket failed for a reason of our own.', 'Report it.'],
  source_answered: ['A polled source answered: what that cost and what is left.', ''],
  source_new_epoch: ['A polled source is taken as new: a whole snapshot of it is made.', ''],
  source_pace: ['How often a polled source is asked.', ''],
  source_request_failed: ['A request to a polled source failed.', 'Look at `reason` when it stays.'],
  source_state: [
    'How a polled source stands, and when it is tried next.',
    'A refused key or a spent quota is for its settings.',
  ],
  stop_failed: ['The server did not stop in order.', 'Report it.'],
  stopping: ['A signal came: the server stops in order.', ''],
  unused_sessions_not_ended: [
    'Sessions that nobody uses could not be looked for, because of the disk or Postgres; /platform refuses them all the same.',
    'Look at it: `overround doctor`.',
  ],
  storage_failed: [
    'A call was answered 503 because of the disk or Postgres.',
    'Look at it: `overround doctor`.',
  ],
  stream_beat_failed: ['A stream missed a beat.', 'Report it when it stays.'],
  thread_scheduling_refused: [
    'The system does not say which thread goes first: polls may wait for others.',
    'Nothing; Linux alone knows it.',
  ],
  tool_failed: ['A tool failed for a reason of our own.', 'Report it.'],
  unhandled_rejection: ['A bug that was survived.', 'Report it with its stack.'],
  unread_watch_failed: ['Clients that read nothing could not be looked for.', 'Report it when it stays.'],
  waiting_for_database: [
    'Postgres does not answer; the start waits for it.',
    'Look at Postgres and DATABASE_URL.',
  ],
  worker_crash_loop: [
    'A thread dies at every start; `meanwhile` says what goes on without it.',
    'Look at the lines before; [runbook](runbook.md#overroundcrashloop).',
  ],
  worker_failed: ['A thread threw where nobody caught it.', 'Report it.'],
  worker_hung: [
    'A thread gave no sign of life and is replaced.',
    'Give the machine a processor, or report it.',
  ],
  worker_restarting: ['A lost thread is started again after a pause.', ''],
};

/** @returns the whole page @throws Error when an event has no meaning above, or a meaning no event */
export async function logsPage(): Promise<string> {
  const events = await loggedEvents();
  const missing = [...events.keys()].filter((event) => !(event in MEANINGS));
  if (missing.length > 0) {
    throw new Error(`Cannot write logs: MEANINGS of scripts/logs-page.ts lacks ${missing.join(', ')}`);
  }
  const gone = Object.keys(MEANINGS).filter((event) => !events.has(event));
  if (gone.length > 0) throw new Error(`Cannot write logs: nothing logs ${gone.join(', ')} any more`);
  const rows = [...events].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${[
    '# Logs',
    'One line an entry on standard error: JSON in production (`at`, `level`, `event` and the fields of the event), readable in development.\nNo line holds a key, a token, a password or an address of a person. What is logged for a request has its `request_id`, which the answer\nhas as `X-Request-Id`, on whatever thread; a plain `X-Request-Id` of the caller is taken over. `LOG_LEVEL` is the least\nimportant level that is written. This page is written by `bun run docs`.',
    [
      '| event | level | from | meaning | what to do |',
      '|---|---|---|---|---|',
      ...rows.map(([event, { levels, rooms }]) => {
        const [meaning, toDo] = MEANINGS[event]!;
        return `| \`${event}\` | ${[...levels].sort().join(', ')} | ${[...rooms].sort().join(', ')} | ${meaning} | ${toDo} |`;
      }),
    ].join('\n'),
  ].join('\n\n')}\n`;
}

interface LoggedEvent {
  readonly levels: Set<string>;
  /** Folders of src/. */
  readonly rooms: Set<string>;
}

async function loggedEvents(): Promise<Map<string, LoggedEvent>> {
  const events = new Map<string, LoggedEvent>();
  for (const file of new Bun.Glob('src/**/*.ts').scanSync(ROOT)) {
    if (file.startsWith('src/web/client/')) continue;
    const room = file.split('/')[1]!.replace(/\.ts$/, '');
    for (const [, level, ...names] of (await Bun.file(ROOT + file).text()).matchAll(CALL)) {
      for (const name of names.filter((one) => one !== undefined)) {
        const event = events.get(name) ?? { levels: new Set(), rooms: new Set() };
        events.set(name, event);
        event.levels.add(level!);
        event.rooms.add(room);
      }
    }
  }
  events.get('request')?.levels.add('info'); // telemetry/access-log.ts writes its lines itself
  return events;
}
