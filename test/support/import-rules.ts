// Which room may import which others, and which rooms may use certain calls: the rules as data, and the
// functions that check a source file against them. test/imports.test.ts runs them over src/;
// docs/internals/architecture.md#import-rules shows the table of rooms.

/** Files directly in src/ that any room except domain may import. They import only each other. */
export const SHARED_FILES = [
  'clock.ts',
  'errors.ts',
  'ip-address.ts',
  'limits.ts',
  'log.ts',
  'nearest-word.ts',
  'parse-json.ts',
  'pause.ts',
  'program-files.ts',
  'restarts.ts',
  'version.ts',
] as const;

/**
 * The mirror of the slate: how changes are applied, and how a stream is read, watched and reopened. These
 * files are in the client's folder, because the client's package is built from that folder alone. They import
 * nothing, and pages and commands use them too.
 */
const MIRROR_FILES: readonly string[] = ['events.ts', 'held-slate.ts', 'runtime.ts', 'watchdog.ts'].map(
  (name) => `clients/typescript/src/${name}`,
);

/** The rooms that each room may import. It may import only types from the rooms under `types`. */
export const ROOMS: Readonly<
  Record<string, { readonly rooms: readonly string[]; readonly types?: readonly string[] }>
> = {
  domain: { rooms: [] },
  memory: { rooms: [] },
  // Work-arounds for Bun and Linux. Each names the bug that it avoids and when it may be removed.
  platform: { rooms: [] },
  // The operator's settings: read from the environment once, and checked.
  settings: { rooms: [] },
  // Databases: SQLite and Postgres behind one small interface, their checks, copies and moves.
  storage: { rooms: [] },
  names: { rooms: ['domain'] },
  feed: { rooms: ['domain', 'settings'] },
  ingest: {
    rooms: [
      ...['feed', 'domain', 'memory', 'names', 'platform', 'settings'],
      ...['store', 'storage', 'archive', 'replication', 'telemetry'],
    ],
  },
  // The slate of several nodes: the leader writes it to Redis, the serving nodes follow it.
  replication: { rooms: ['store', 'storage', 'domain', 'telemetry'], types: ['settings'] },
  archive: { rooms: ['storage'], types: ['store'] },
  store: { rooms: ['domain', 'memory'] },
  scoring: { rooms: ['domain', 'memory', 'store'] },
  query: { rooms: ['domain', 'names', 'store', 'archive', 'scoring', 'memory'], types: ['contract'] },
  contract: { rooms: ['domain'] },
  stream: { rooms: ['access', 'contract', 'domain', 'memory', 'query', 'scoring'], types: ['store'] },
  accounts: { rooms: ['domain', 'storage'], types: ['contract'] },
  access: { rooms: ['domain', 'memory', 'accounts'], types: ['contract', 'storage'] },
  // The alert rules of accounts: what they watch, and which alerts are sent.
  alerts: { rooms: ['accounts', 'domain', 'query'], types: ['contract', 'storage', 'stream'] },
  tools: { rooms: ['contract', 'query', 'names', 'domain'] },
  mcp: { rooms: ['tools', 'domain'] },
  http: {
    rooms: [
      'contract',
      'query',
      'stream',
      'tools',
      'access',
      'accounts',
      'alerts',
      'domain',
      'memory',
      'platform',
      'telemetry',
      'web',
    ],
    types: ['mcp'],
  },
  telemetry: {
    rooms: ['domain', 'memory', 'platform', 'store'],
    types: ['contract', 'scoring', 'settings', 'storage'],
  },
  web: { rooms: [] },
  // Files outside of src/ that belong to the client. MIRROR_FILES lists them.
  'clients/typescript': { rooms: [] },
  // Code that runs in the browser and uses the public API. It shares the formulas of fair prices with the
  // service.
  'web/client': { rooms: ['clients/typescript', 'domain'], types: ['contract', 'web'] },
  // Commands that call a running server as any client does, so they need only types of the service.
  terminal: { rooms: ['clients/typescript', 'domain', 'settings', 'storage'], types: ['contract'] },
  // One file per command. Only the entry files directly in src/ import it.
  cli: {
    rooms: ['accounts', 'domain', 'mcp', 'record', 'settings', 'start', 'terminal', 'storage'],
    types: ['contract'],
  },
  // The tape: ticks, their files, and reading the past back from them.
  history: { rooms: ['domain', 'feed', 'memory', 'names', 'query', 'store'], types: ['contract'] },
  // The record of signals, either live or of a replayed past.
  record: {
    rooms: ['domain', 'feed', 'history', 'ingest', 'platform', 'query', 'scoring', 'store', 'stream'],
    types: ['archive', 'contract'],
  },
  // The code behind commands: threads, and how they are connected. Only cli/ and the entry files directly in
  // src/ import it.
  start: {
    rooms: [
      'access',
      'accounts',
      'alerts',
      'archive',
      'domain',
      'feed',
      'history',
      'http',
      'ingest',
      'mcp',
      'platform',
      'query',
      'record',
      'scoring',
      'settings',
      'storage',
      'store',
      'stream',
      'telemetry',
      'tools',
    ],
  },
};
/** The shared files that domain may import. */
export const DOMAIN_SHARED_FILES: readonly string[] = ['clock.ts', 'errors.ts'];

interface Ban {
  readonly name: string;
  /** A pattern that no file may contain. */
  readonly pattern?: RegExp;
  /**
   * Where the pattern is searched: only in code (the default), in code and strings, or in code, strings and
   * comments.
   */
  readonly within?: 'code' | 'strings' | 'comments';
  /** Packages and built-in modules that may not be imported. */
  readonly modules?: RegExp;
  /** The rooms, or single files below src/, to which the ban does not apply. */
  readonly allowed: readonly string[];
  readonly instead: string;
}

export const BANS: readonly Ban[] = [
  {
    name: 'reading time',
    pattern: /\b(?:Date\.now|performance\.now|Bun\.nanoseconds|new Date\(\))/,
    allowed: ['clock.ts', 'storage'], // storage: for a name of a draft that no other process uses
    instead: 'take a Clock, or a nowMs, as an argument',
  },
  {
    name: 'the machine’s clock',
    pattern: /\b(?:systemClock|clockOf)\b/,
    allowed: ['clock.ts', 'log.ts', 'main.ts', 'cli', 'feed', 'ingest', 'replication', 'start', 'web/client'],
    instead: 'take a Clock, or a nowMs, as an argument',
  },
  {
    name: 'Math.random',
    pattern: /\bMath\.random\b/,
    allowed: [],
    instead: 'take a seeded Random (domain/random.ts), or crypto for secrets',
  },
  {
    name: 'the type any',
    pattern: /(?:[:<,|&(=]\s*|\bas\s+|\bextends\s+|=>\s*)any\b(?!\s*[:(=.])/,
    allowed: [],
    instead: 'unknown, and a check',
  },
  {
    name: '@ts-ignore',
    pattern: /@ts-(?:ignore|nocheck)/,
    within: 'comments',
    allowed: [],
    instead: 'a type that fits',
  },
  {
    name: 'the environment',
    pattern: /\b(?:Bun|process|import\.meta)\.env\b/,
    allowed: ['settings/config.ts'],
    instead: 'a field of Config (settings/config.ts)',
  },
  {
    name: 'code out of text',
    pattern: /(?<![.#\w])eval\s*\(|\bnew Function\b/,
    allowed: [],
    instead: 'a function',
  },
  {
    name: 'HTML out of text',
    pattern: /\b(?:(?:dangerouslySet)?(?:inner|outer)HTML|insertAdjacentHTML|document\.write)\b/i,
    allowed: [],
    instead: 'a component, or the text of a node',
  },
  {
    name: 'another program',
    pattern: /\bBun\.(?:spawn|spawnSync|\$)/,
    modules: /^(?:node:)?child_process$/,
    allowed: ['cli'], // `overround bench` runs the benches
    instead: 'nothing: the server starts threads (start/supervisor.ts) and no programs',
  },
  {
    name: 'new Worker',
    pattern: /\bnew Worker\b/,
    allowed: ['scoring', 'start'],
    instead: 'Supervisor (start/supervisor.ts) or the scoring pool',
  },
  {
    name: 'SQL',
    pattern:
      /\b(?:SELECT\s[^;]*\sFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE (?:TABLE|INDEX)|PRAGMA)\s/,
    within: 'strings',
    modules: /^bun:(?:sqlite|sql)$/,
    allowed: ['archive', 'accounts', 'access', 'alerts', 'storage'],
    instead: 'ArchiveReader, ArchiveWriter or a repository of accounts',
  },
  {
    name: 'Atomics',
    pattern: /\bAtomics\b/,
    allowed: ['memory', 'store', 'access', 'telemetry', 'scoring'],
    instead: 'a method of the room that owns the memory (SlateReader, SlateWriter, Gate, RequestMetrics)',
  },
  {
    name: 'a socket',
    pattern:
      /\bBun\.(?:serve|connect|listen|udpSocket|redis|sql)\b|\bnew (?:WebSocket|RedisClient)\b|(?<![.\w])fetch\(/,
    modules: /^node:(?:net|tls|https?|http2|dgram|dns)(?:\/|$)/,
    allowed: [
      'feed',
      'http',
      'mcp',
      'accounts',
      'alerts',
      'start',
      'terminal',
      'web/client',
      'storage/redis.ts',
    ],
    instead: 'a feed source, a route, or what start/ hands in',
  },
  {
    name: 'a file',
    pattern: /\bBun\.(?:file|write)\b/,
    modules: /^node:fs(?:\/|$)/,
    allowed: [
      'feed',
      'http',
      'accounts',
      'telemetry',
      'start',
      'terminal',
      'cli',
      'storage',
      'history',
      'platform',
      'program-files.ts',
      'settings/setting-reader.ts',
    ],
    instead: 'what start/ has read and hands in',
  },
  {
    name: 'Elysia',
    modules: /^(?:elysia|@elysiajs\/[a-z-]+)(?:\/|$)/,
    allowed: ['http'],
    instead: 'a Route (http/kit/route.ts), which app.ts alone puts on Elysia',
  },
  {
    name: 'the MCP SDK',
    modules: /^@modelcontextprotocol\//,
    allowed: ['mcp', 'cli'],
    instead: 'a Tool (tools/kit/tool.ts), or McpEndpoint (mcp/handler.ts)',
  },
];

/** @param path the path of the file below src/ @returns one sentence per violation */
export function violationsOf(path: string, text: string): string[] {
  return [...importViolations(path, text), ...banViolations(path, text)];
}

function importViolations(path: string, text: string): string[] {
  const room = roomOf(path);
  const found: string[] = [];
  for (const { target, typesOnly } of importsOf(text)) {
    if (!target.startsWith('.')) continue;
    const resolved = resolve(path, target);
    const targetRoom = roomOf(resolved);
    if (resolved === 'main.ts') found.push(`src/${path} imports main.ts, which nothing may`);
    else if (!mayImport({ path, room, resolved, targetRoom, typesOnly })) {
      found.push(`src/${path} imports src/${resolved}: ${describe(room, targetRoom)}`);
    }
  }
  return found;
}

interface Import {
  readonly path: string;
  readonly room: string | null;
  readonly resolved: string;
  readonly targetRoom: string | null;
  readonly typesOnly: boolean;
}

function mayImport({ path, room, resolved, targetRoom, typesOnly }: Import): boolean {
  const isShared = SHARED_FILES.some((file) => file === resolved);
  if (path === 'version.ts' && resolved === 'package.json') return true; // the file that defines the version
  if (room === null) return SHARED_FILES.some((file) => file === path) ? isShared : true;
  if (targetRoom === room) return true;
  if (targetRoom === null) return room === 'domain' ? DOMAIN_SHARED_FILES.includes(resolved) : isShared;
  const rule = ROOMS[room];
  if (rule === undefined) return false;
  if (targetRoom === 'clients/typescript' && !MIRROR_FILES.includes(resolved)) return false;
  return rule.rooms.includes(targetRoom) || (typesOnly && (rule.types?.includes(targetRoom) ?? false));
}

function describe(room: string | null, targetRoom: string | null): string {
  if (room === null) return 'shared files import only each other';
  const rule = ROOMS[room];
  if (rule === undefined) return `the table has no room ${room}`;
  if (targetRoom === null) return `${room} may import only shared files of src/ itself`;
  const types = (rule.types ?? []).map((name) => `types of ${name}`);
  return `${room} may import ${[...rule.rooms, ...types].join(', ') || 'no room'}`;
}

function banViolations(path: string, text: string): string[] {
  const withStrings = withoutComments(text);
  const places = { code: withoutStrings(withStrings), strings: withStrings, comments: text };
  const targets = importsOf(text).map(({ target }) => target);
  return BANS.filter(({ allowed }) => !allowed.includes(roomOf(path) ?? path) && !allowed.includes(path))
    .filter(
      ({ pattern, within = 'code', modules }) =>
        pattern?.test(places[within]) ||
        (modules !== undefined && targets.some((target) => modules.test(target))),
    )
    .map(({ name, instead }) => `src/${path} uses ${name}; instead: ${instead}`);
}

/** Every static and dynamic import and re-export of a file. */
export function importsOf(text: string): { target: string; typesOnly: boolean }[] {
  const bare = withoutComments(text);
  const found: { target: string; typesOnly: boolean }[] = [];
  for (const match of bare.matchAll(/\b(?:import|export)\s+(type\s)?[^'";()]*?\bfrom\s*['"]([^'"]+)['"]/g)) {
    found.push({ target: match[2]!, typesOnly: match[1] !== undefined || onlyInlineTypes(match[0]) });
  }
  for (const match of bare.matchAll(/\bimport\s*\(?\s*['"]([^'"]+)['"]/g))
    found.push({ target: match[1]!, typesOnly: false });
  return found;
}

/** Names of the types, interfaces, classes and enums that a file itself declares and exports. */
export function exportedTypesOf(text: string): string[] {
  const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
  return Array.from(withoutComments(text).matchAll(declaration), (match) => match[1]!);
}

/**
 * Circles in a graph of imports, each as a list of its files in order. If the graph has circles, at least one
 * is returned.
 */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) found.push([...way.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) walk(target, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) walk(path, []);
  return found;
}

/** Whether every name that a statement imports is marked as a type, as in `import { type A, type B }`. */
function onlyInlineTypes(statement: string): boolean {
  const names = statement.match(/\{([^}]*)\}/)?.[1];
  if (names === undefined) return false;
  const list = names.split(',').filter((name) => name.trim() !== '');
  return list.length > 0 && list.every((name) => name.trim().startsWith('type '));
}

/** Matches a string, a template, a regular expression after a token that can precede one, or a comment. */
const TOKENS =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*|\breturn\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('//') || token.startsWith('/*') ? ' ' : token));
}

/** The comments of a source file, one per line. */
export function commentsOf(text: string): string {
  const comments = (text.match(TOKENS) ?? []).filter((token) => /^\/[/*]/.test(token));
  return comments.join('\n');
}

/**
 * The texts of errors in a source file, one per line: literals that begin with "Cannot", and the next literal
 * after each, which is the advice. Expressions in templates are left out.
 */
export function errorTextsOf(text: string): string {
  const literals = (text.match(TOKENS) ?? []).filter((token) => /^['"`]/.test(token));
  const isMessage = (token: string | undefined): boolean => token?.startsWith('Cannot ', 1) === true;
  return literals
    .filter((token, index) => isMessage(token) || isMessage(literals[index - 1]))
    .map((token) => token.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '?'))
    .join('\n');
}

/**
 * Removes the content of strings, templates and regular expressions, but keeps the code in `${}` of
 * templates.
 */
function withoutStrings(bare: string): string {
  return bare.replace(TOKENS, (token) => {
    if (!token.startsWith('`')) return "''";
    return Array.from(token.matchAll(/\$\{([^}]*)\}/g), (match) => `(${match[1]})`).join('') || "''";
  });
}

/**
 * The room of a path below src/; null for a file directly in src/. A room inside a room counts as a separate
 * room.
 */
export function roomOf(path: string): string | null {
  const parts = path.split('/');
  const [first, second] = parts;
  if (first === undefined || parts.length === 1) return null;
  const inner = `${first}/${second}`;
  return inner in ROOMS ? inner : first;
}

function resolve(path: string, target: string): string {
  return new URL(target, `file:///${path}`).pathname.slice(1);
}
