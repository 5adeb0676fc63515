// The table of docs/architecture.md: who may import whom and who alone may touch what, from the rules that a test
// holds src/ against.

import { BANS, ROOMS, SHARED_FILES } from '../test/support/import-rules.ts';

/** What lives in each room, for the page; who may import whom stands in the rules. */
const PURPOSES: Readonly<Record<string, string>> = {
  domain: 'facts and formulas: catalogue, ids, odds formats, handicaps, de-vig, scorelines',
  stream: 'changes that are pushed: readers, their backpressure, frames shared by all readers of a view',
  memory: 'what every shared buffer has: its header, columns, wide counters',
  names: 'the resolver: words in, calibrated candidates out; club and league tables as text files',
  feed: 'the protocol, and one folder per source',
  ingest: 'from messages to published pages: queue, sequence, what each message does',
  archive: 'what outlives the slate: first-seen openings, results',
  replication:
    'the slate of several nodes: who leads writes it to Redis, who serves follows it ([cluster](cluster.md))',
  store: 'the slate in one shared buffer: layout, writer, reader',
  scoring: 'value and arbitrage: the kernel over columns, its workers, their tasks',
  query: 'use cases: filter, page, sort, resolve, decide what is stale',
  contract: 'the schemas of answers and parameters, for REST and tools alike',
  accounts: 'people, sessions, keys, mail',
  access: 'what a request may do: keys, buckets, daily counts, usage',
  tools: 'the agent tools, one file each; `kit/` what a tool is, `words/` the sentences they share',
  mcp: 'the tools over MCP: streamable HTTP and stdio',
  http: '`edge/` before routing, `kit/` what a route is, `routes/` one file per resource, `docs/` OpenAPI and pages',
  telemetry: 'metrics, their memory and text, the access log',
  web: 'pages for people: their HTML, and the bundle of what they load ([pages](pages.md))',
  'web/client': 'what runs in the browser: components, the mirror of the slate, styles',
  terminal:
    'what commands ask a running server: requests, the stream, tables, the live screen, the file of a mirror',
  cli: 'the command line: one file per command, the arguments and the help',
  start: 'threads and their wiring; what is started, watched and stopped',
};

/** @throws when a room has no purpose above */
export function importTable(): string {
  const rooms = Object.entries(ROOMS).map(([room, { rooms: others, types = [] }]) => {
    const names = [...others.map((name) => `\`${name}\``), ...types.map((name) => `types of \`${name}\``)];
    const purpose = PURPOSES[room];
    if (purpose === undefined) throw new Error(`Cannot write the import table: PURPOSES lacks ${room}`);
    return `| \`${room}/\` | ${purpose} | ${names.join(', ') || 'none'} |`;
  });
  const bans = BANS.map(({ name, allowed, instead }) => {
    const places = allowed.map((place) => `\`${place.endsWith('.ts') ? place : `${place}/`}\``);
    return `| ${name} | ${places.join(', ') || 'nowhere'} | ${cell(instead)} |`;
  });
  return [
    `Any room but \`domain/\` may import these files of \`src/\` itself: ${SHARED_FILES.map((file) => `\`${file}\``).join(', ')}. \`domain/\` may import \`errors.ts\` alone. Nothing imports \`main.ts\`.`,
    '',
    '| room | what lives there | may import, of other rooms |',
    '|---|---|---|',
    ...rooms,
    '',
    '| what | allowed in | elsewhere |',
    '|---|---|---|',
    ...bans,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
