// Generates the table in docs/internals/architecture.md: which folder may import from which. A test
// applies the same rules to src/.

import { DOMAIN_SHARED_FILES, ROOMS, SHARED_FILES } from '../test/support/import-rules.ts';

/** What each folder of src/ contains, for the page. */
const PURPOSES: Readonly<Record<string, string>> = {
  domain: 'facts and formulas: catalogue, ids, odds formats, handicaps, de-vig, scorelines',
  stream: 'streams of changes and signals: their frames, readers and connections',
  memory: 'parts of every shared buffer: header, columns, wide counters',
  platform: 'work-arounds for Bun and Linux',
  settings: 'what the operator sets in the environment',
  storage: 'databases: the SQL interface, checksums, backups, moves, file locks',
  names: 'the resolver, with tables of clubs and leagues',
  feed: 'the protocol, and one folder per source',
  ingest: 'from messages to published pages',
  archive: 'data that outlives the slate',
  replication: 'the slate of several nodes, over Redis ([cluster](../guide/cluster.md))',
  history: 'the tape: ticks, their files, and the past read back from them',
  record: 'the record of signals, live or of a past that is played again',
  store: 'the slate in one shared buffer: layout, writer, reader',
  scoring: 'signals: the kernels, their workers and tasks',
  query: 'queries: filter, page, sort, resolve, decide what is stale',
  contract: 'the schemas of answers and parameters, for both REST and tools',
  accounts: 'people, sessions, keys, saved views, mail',
  access: 'access control: keys, rate-limit buckets, daily counts, usage',
  alerts: 'rules of accounts and the outbox ([alerts](../guide/alerts.md))',
  tools: 'the agent tools, one file each; `kit/` defines a tool, `words/` has the shared sentences',
  mcp: 'the tools over MCP: streamable HTTP and stdio',
  http: '`edge/` runs before routing, `kit/` defines a route, `routes/` has one file per resource, `docs/` OpenAPI and pages',
  telemetry: 'metrics, their memory and text, the access log',
  web: '[pages](#pages) for people: their HTML and bundle',
  'clients/typescript': "(outside `src/`) the client's mirror of the slate, which pages and commands share",
  'web/client': 'code for the browser: components, the mirror of the slate, styles',
  terminal: 'commands that are clients of a running server',
  cli: 'the command line: one file per command',
  start: 'threads and their wiring: starting, watching and stopping them',
};

/** @throws Error when a folder has no purpose above */
export function importTable(): string {
  const rooms = Object.entries(ROOMS).map(([room, { rooms: others, types = [] }]) => {
    const parts = [
      ...(others.length > 0 ? [listed(others)] : []),
      ...(types.length > 0 ? [`types: ${listed(types)}`] : []),
    ];
    const purpose = PURPOSES[room];
    if (purpose === undefined) throw new Error(`Cannot write the import table: PURPOSES lacks ${room}`);
    return `| \`${room}/\` | ${purpose} | ${parts.join('; ') || 'none'} |`;
  });
  return [
    `Any room but \`domain/\` may import these files of \`src/\` itself: ${SHARED_FILES.map((file) => `\`${file}\``).join(', ')}. \`domain/\` may import only ${DOMAIN_SHARED_FILES.map((file) => `\`${file}\``).join(' and ')}. Nothing imports \`main.ts\`.`,
    '',
    '| room | contents | may import from these rooms |',
    '|---|---|---|',
    ...rooms,
    '',
    'The same test forbids some calls and packages outside of the rooms that need them.',
    '',
  ].join('\n');
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
