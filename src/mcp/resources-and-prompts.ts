// What the MCP server offers besides tools. Resources: the slate in brief, the bookmakers, one fixture and
// one league, each made from a tool's answer, with completion of team and league names; and the pages of
// docs/ that explain the answers. Prompts: common questions.

import {
  type GetPromptResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isObject } from '../parse-json.ts';
import { programFile } from '../program-files.ts';
import type { ToolContext } from '../tools/kit/tool.ts';
import type { ServedTool, ToolOutcome } from './served-tool.ts';
import { envelopeInToolWords } from './tool-words.ts';

export const SCHEME = 'overround://';
/** Names in one completion; the protocol allows a hundred. */
const COMPLETIONS_MAX = 20;
const SLATE_ARGUMENTS = { verbosity: 'terse', limit: 200 } as const;

type Ask = (tool: string, input: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;

/**
 * Registers the resources and prompts whose tools the server has. @param contextOf the caller and the time of
 * the call
 */
export function registerResourcesAndPrompts(
  server: McpServer,
  tools: ReadonlyMap<string, ServedTool>,
  contextOf: () => ToolContext,
): void {
  const ask: Ask = (tool, input) => tools.get(tool)!.call(input, contextOf());
  if (!['list_today_matches', 'list_bookmakers', 'match_info'].every((name) => tools.has(name))) return;
  // The lists do not change while the process runs. A server that advertises list changes must also serve
  // subscriptions to them, so none are advertised.
  server.server.registerCapabilities({ resources: { listChanged: false }, prompts: { listChanged: false } });
  fixedResource(server, ask, {
    name: 'slate',
    description: "Today's fixtures and what is live, one short row each.",
    tool: 'list_today_matches',
    input: SLATE_ARGUMENTS,
  });
  fixedResource(server, ask, {
    name: 'bookmakers',
    description: 'The bookmakers and their keys.',
    tool: 'list_bookmakers',
    input: {},
  });
  const template = new ResourceTemplate(`${SCHEME}fixture/{query}`, {
    list: undefined,
    complete: { query: (typed) => teamsLike(ask, typed) },
  });
  const description = 'One fixture, by team names or event id: kickoff, score, favourite.';
  server.registerResource(
    'fixture',
    template,
    { description, mimeType: JSON_TYPE },
    async (uri, { query }) => {
      const asked = decoded(query);
      return { contents: [contentOf(uri.href, await ask('match_info', { query: asked }))] };
    },
  );
  for (const { name, description, text } of PAGES) {
    const uri = `${SCHEME}docs/${name}`;
    const contents = [{ uri, mimeType: PAGE_TYPE, text }];
    server.registerResource(`docs-${name}`, uri, { description, mimeType: PAGE_TYPE }, () => ({ contents }));
  }
  if (tools.has('list_leagues')) registerLeague(server, ask);
  if (tools.has('scan_slate') && tools.has('get_match_odds')) registerFollowed(server, ask);
  for (const prompt of PROMPTS) registerPrompt(server, prompt);
}

function registerLeague(server: McpServer, ask: Ask): void {
  const template = new ResourceTemplate(`${SCHEME}league/{league}`, {
    list: undefined,
    complete: { league: (typed) => leaguesLike(ask, typed) },
  });
  const description = "One league's fixtures of today and what is live, by its name or id.";
  server.registerResource(
    'league',
    template,
    { description, mimeType: JSON_TYPE },
    async (uri, { league }) => {
      const asked = { ...SLATE_ARGUMENTS, league: decoded(league) };
      return { contents: [contentOf(uri.href, await ask('list_today_matches', asked))] };
    },
  );
}

/**
 * Registers the resources whose content may change every second. Over stdio, clients may subscribe to them
 * (resource-updates.ts).
 */
function registerFollowed(server: McpServer, ask: Ask): void {
  fixedResource(server, ask, {
    name: 'signals',
    description: 'Value and arbitrage of the slate now, every hit.',
    tool: 'scan_slate',
    input: { only_signal: true, hits: 'all', limit: 100 },
  });
  const template = new ResourceTemplate(`${SCHEME}odds/{event_id}`, { list: undefined });
  const description = 'All quotes of one fixture, by its event id.';
  server.registerResource(
    'odds',
    template,
    { description, mimeType: JSON_TYPE },
    async (uri, { event_id }) => ({
      contents: [contentOf(uri.href, await ask('get_match_odds', { event_id: String(event_id) }))],
    }),
  );
}

/** A part of a resource's address, as text. @throws ProtocolError for a broken percent escape */
function decoded(part: unknown): string {
  try {
    return decodeURIComponent(String(part));
  } catch {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Cannot read resource: its address has a percent escape that is not UTF-8; encode names as encodeURIComponent does',
    );
  }
}

const JSON_TYPE = 'application/json';
const PAGE_TYPE = 'text/markdown';

/** Pages of docs/ about the answers. They are part of the program and read once. */
const PAGES = [
  { name: 'agents', folder: 'guide' as const, description: 'What an agent can rely on, and what it costs.' },
  {
    name: 'decisions',
    folder: 'reference' as const,
    description: 'How open questions of the contract were decided.',
  },
  { name: 'limits', folder: 'reference' as const, description: 'Every limit, and what happens beyond it.' },
  {
    name: 'names',
    folder: 'reference' as const,
    description: 'How names and dates in words are understood.',
  },
  {
    name: 'signals',
    folder: 'reference' as const,
    description: 'What value and arbitrage mean, and what they leave out.',
  },
].map((page) => ({
  ...page,
  text: programFile(page.folder, `${page.name}.md`),
}));

interface FixedResource {
  readonly name: string;
  readonly description: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

function fixedResource(server: McpServer, ask: Ask, { name, description, tool, input }: FixedResource): void {
  server.registerResource(name, SCHEME + name, { description, mimeType: JSON_TYPE }, async (uri) => ({
    contents: [contentOf(uri.href, await ask(tool, input))],
  }));
}

function contentOf(uri: string, outcome: ToolOutcome) {
  const value = outcome.kind === 'result' ? outcome.value : envelopeInToolWords(outcome.envelope);
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(value) };
}

/** Names of today's teams that contain the typed text. */
async function teamsLike(ask: Ask, typed: string): Promise<string[]> {
  const outcome = await ask('list_today_matches', { limit: SLATE_ARGUMENTS.limit });
  if (outcome.kind === 'error' || !Array.isArray(outcome.value.matches)) return [];
  const names = outcome.value.matches.flatMap((match: unknown) =>
    isObject(match) ? [String(match.home_team), String(match.away_team)] : [],
  );
  return namesLike(names, typed);
}

/** Names of the slate's leagues that contain the typed text. */
async function leaguesLike(ask: Ask, typed: string): Promise<string[]> {
  const outcome = await ask('list_leagues', { limit: SLATE_ARGUMENTS.limit });
  if (outcome.kind === 'error' || !Array.isArray(outcome.value.leagues)) return [];
  const names = outcome.value.leagues.flatMap((league: unknown) =>
    isObject(league) ? [String(league.name)] : [],
  );
  return namesLike(names, typed);
}

function namesLike(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  return [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted)).slice(0, COMPLETIONS_MAX);
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'days_brief',
    title: "The day's brief",
    description: 'What is on today, what has moved, and where there is value.',
    text: 'Give me a brief of today: call list_leagues with date "today", list_movers with limit 5, and scan_slate with only_signal true and date "today". Say what is on, the largest moves, and each signal with its bookmaker, price, edge and age. Say when prices are stale or lagging, and never advise a stake.',
  },
  {
    name: 'check_my_price',
    title: 'Check my price',
    description: 'Whether a price you have been offered is a good one.',
    text: 'I want to check a price. Ask me for the match, the bet (market, outcome, line) and the price with its format where I have not said them, then call compare_prob once with query, market_type, outcome, line, price and format. Tell me the verdict, the fair price and every caveat.',
  },
  {
    name: 'watch_match',
    title: 'Watch this match',
    description: 'The state of a match and how its market moves.',
    text: 'I want to follow one match. Ask me which where I have not said it, then call match_info and get_sharp_line with verbosity "terse". Tell me the score, the favourite and the line, and what changed since the last time when I ask again.',
  },
];

function registerPrompt(server: McpServer, { name, title, description, text }: Prompt): void {
  const answer: GetPromptResult = {
    description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
  server.registerPrompt(name, { title, description }, () => answer);
}
