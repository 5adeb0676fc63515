// Attacks with questions that are all different: filters, names, pages of lists, instants and documents. Each
// client writes, waits, and connects again until the end. `bun test/faults/run-attacks.ts <name>` runs them
// in full.

import { BOOKMAKER_KEYS, MARKET_TYPES } from '../../src/domain/catalogue.ts';
import { VIEWER_PATH } from '../../src/http/docs/viewer-files.ts';
import { someBookmakers } from './strangers.ts';
import { pastInstant } from './wire-attacks.ts';
import { get, head, post, type WireAttack } from './wire-text.ts';

const HOLDS_MS = 20_000;
const MCP = ['Accept: application/json, text/event-stream'];
const DOCUMENTS = [
  '/openapi.json',
  '/llms-full.txt',
  '/asyncapi.json',
  `${VIEWER_PATH}/swagger-ui-bundle.js`,
  `${VIEWER_PATH}/swagger-ui.css`,
];
const PAGES = [
  '/',
  '/docs',
  '/record',
  '/console',
  '/docs/errors',
  '/docs/agents',
  '/events/evt_x',
  '/assets/no.js',
];
const NAME_PATHS = [
  ...['event', 'team', 'league'].map((kind) => `/v1/resolve/${kind}`),
  ...['find_match', 'compare_lines', 'line_history', 'match_info'].map((tool) => `/v1/mcp/${tool}`),
];
const FORMATS = ['decimal', 'hk', 'malay', 'american', 'indonesian', 'probability'];
const PROBES = ['/ready', '/health', '/metrics'];
const GROUPS = ['bookmaker', 'league', 'edge', 'day'];

export const QUESTION_ATTACKS = {
  /** Odds of fixtures, each time with another filter. */
  differentOdds: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, oddsPaths }) => [
      get(
        `${oddsPaths[index % oddsPaths.length]!}?bookmakers=${someBookmakers(index)}&markets=${MARKET_TYPES[index % MARKET_TYPES.length]!}&format=${FORMATS[index % 6]!}`,
        address,
      ),
    ],
  },
  /**
   * Long names that are all different, in scripts that must be rewritten before names are searched. They are
   * sent to routes that resolve names and to agent tools.
   */
  longWords: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      post(NAME_PATHS[index % NAME_PATHS.length]!, address, JSON.stringify({ query: longName(index) })),
    ],
  },
  /** Pages of lists by cursors and filters that are all different. */
  differentLists: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [get(listPath(index), address)],
  },
  /** Bodies full of invalid ids. */
  invalidBodies: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      post(
        index % 2 === 0 ? '/v1/openings/batch' : '/v1/resolve/event',
        address,
        JSON.stringify({ event_ids: Array.from({ length: 6_000 }, (_, at) => `${index}-${at}`) }),
      ),
    ],
  },
  /** Bodies of many small objects, whose fields all have different names. */
  manyFields: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => {
      const fields = Array.from({ length: 3_500 }, (_, at) => ({ [`a${index}_${at}`]: 1 }));
      return [post('/v1/resolve/event', address, JSON.stringify({ fields }))];
    },
  },
  /** Large MCP messages, with arguments that no tool has. */
  largeMessages: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => {
      const args = Object.fromEntries(Array.from({ length: 3_500 }, (_, at) => [`a${index}_${at}`, at]));
      const call = { name: 'find_value', arguments: args };
      return [
        post(
          '/mcp',
          address,
          JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
          MCP,
        ),
      ];
    },
  },
  /** Lists of tools, guides and prompts over MCP, which are large. */
  mcpLists: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => {
      const method = ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list'][index % 4]!;
      return [post('/mcp', address, JSON.stringify({ jsonrpc: '2.0', id: index, method, params: {} }), MCP)];
    },
  },
  /** Large documents, unread. */
  unreadDocuments: {
    reads: false,
    movesOn: true,
    holdMs: HOLDS_MS,
    writes: ({ address, index }) => [
      get(DOCUMENTS[index % DOCUMENTS.length]!, address, [
        `Accept-Encoding: ${['identity', 'gzip', 'zstd', 'br'][index % 4]}`,
      ]),
    ],
  },
  /** Pages, as HTML and in parts. */
  pages: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(PAGES[index % PAGES.length]!, address, ['Accept: text/html', 'Accept-Encoding: gzip']),
    ],
  },
  /** Probes, which wait for no pace. */
  probes: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [get(PROBES[index % PROBES.length]!, address)],
  },
  /** Compressed slates, each with another filter; the clients read the answers. */
  compressedSlates: {
    reads: true,
    movesOn: true,
    holdMs: 2_000,
    writes: ({ address, index }) => [
      get(`/v1/odds?bookmakers=${someBookmakers(index)}`, address, [
        `Accept-Encoding: ${['gzip', 'zstd'][index % 2]}`,
      ]),
    ],
  },
  /** All paths by HEAD and OPTIONS, whose answers have no body. */
  bodilessAnswers: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, oddsPaths }) => {
      const paths = ['/v1/odds', '/docs', oddsPaths[index % oddsPaths.length]!, '/v1/signals/record', '/mcp'];
      const path = paths[index % paths.length]!;
      return [
        index % 2 === 0
          ? head('HEAD', path, address, [])
          : head('OPTIONS', path, address, [
              `Origin: https://${index}.example.com`,
              'Access-Control-Request-Method: GET',
              `Access-Control-Request-Headers: ${manyFields(index)}`,
            ]),
      ];
    },
  },
  /** The past of fixtures under filters that are all different; the clients read the answers. */
  differentPasts: {
    reads: true,
    movesOn: true,
    writes: ({ address, index, oddsPaths }) => [
      get(pastPath(oddsPaths[index % oddsPaths.length]!, index), address),
    ],
  },
  /** The record of signals under filters that are all different; the clients read the answers. */
  differentRecords: {
    reads: true,
    movesOn: true,
    writes: ({ address, index }) => [
      get(
        `/v1/signals/record?series=true&group_by=${GROUPS[index % 4]!}&from=${pastInstant(index)}`,
        address,
      ),
    ],
  },
} as const satisfies Record<string, WireAttack>;
export type QuestionAttackName = keyof typeof QUESTION_ATTACKS;

/** A text of 200 characters, different for each index. */
function longName(index: number): string {
  const words = ['Ювентус', 'مانشستر', 'FC Sankt', '曼城', 'Åtvidaberg', 'Wolverhamton', 'v', '2026-12-01'];
  let text = `${index} `;
  for (let at = 0; text.length < 200; at++)
    text += `${words[(index + at * 7) % words.length]!}${(index * at) % 97} `;
  return text.slice(0, 200);
}

function listPath(index: number): string {
  const limit = 1 + (index % 200);
  const kickoff = Buffer.from(JSON.stringify([index, `evt_${index}`])).toString('base64url');
  return [
    `/v1/events?limit=${limit}&league=${encodeURIComponent(longName(index).slice(0, 60))}`,
    `/v1/events?limit=${limit}&date=2026-12-${10 + (index % 20)}&timezone=Asia/Tokyo`,
    `/v1/events?limit=${limit}&cursor=${kickoff}`,
    `/v1/teams?limit=${limit}&q=${encodeURIComponent(longName(index).slice(0, 60))}`,
    `/v1/leagues?q=${encodeURIComponent(longName(index).slice(0, 60))}`,
    `/v1/results?limit=${limit}&date=2026-11-${10 + (index % 20)}`,
  ][index % 6]!;
}

function pastPath(oddsPath: string, index: number): string {
  const bookmakers = `bookmakers=${someBookmakers(index)}`;
  const fixture = oddsPath.replace(/\/odds$/, '');
  return [
    `${fixture}/history?limit=${1 + (index % 5_000)}&${bookmakers}`,
    `${fixture}/history?line=${((index % 40) - 20) / 4}&resolution=1m`,
    `${fixture}/closing?${bookmakers}`,
    `${fixture}/settlement`,
    `${fixture}/odds?at=${pastInstant(index)}&${bookmakers}`,
    `${fixture}/odds/1x2?at=${pastInstant(index)}&bookmakers=${BOOKMAKER_KEYS[index % 3]!}`,
  ][index % 6]!;
}

function manyFields(index: number): string {
  return Array.from({ length: 300 }, (_, at) => `x-${index}-${at}`).join(',');
}
