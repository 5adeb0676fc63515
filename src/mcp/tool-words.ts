// Rewrites advice for REST callers for a model that only has tools: paths become tool names. Every path that
// a fix may mention has its tool here; test/mcp/tool-words.test.ts finds paths without one.

import type { ErrorBody } from '../errors.ts';

/** Longest first, so that a path does not match the start of a longer one. */
const TOOL_BY_PATH: readonly (readonly [path: string, tool: string])[] = [
  ['GET /v1/events/{event_id}/state', 'match_info'],
  ['GET /v1/events/{event_id}/history', 'line_history'],
  ['GET /v1/events/{event_id}/odds', 'get_match_odds'],
  ['GET /v1/bookmakers', 'list_bookmakers'],
  ['GET /v1/leagues', 'list_leagues'],
  ['GET /v1/results', 'list_results'],
  ['GET /v1/events', 'list_events'],
];
const TOOL_CALL = /POST \/v1\/mcp\/([a-z_]+)/g;

/** The advice with tool names in place of paths. */
export function inToolWords(text: string): string {
  const named = text.replace(TOOL_CALL, '$1');
  return TOOL_BY_PATH.reduce((words, [path, tool]) => words.replaceAll(path, tool), named);
}

/** The error with tool names in place of paths. */
export function envelopeInToolWords({ error }: ErrorBody): ErrorBody {
  const fix = error.fix === null ? null : inToolWords(error.fix);
  return { error: { ...error, message: inToolWords(error.message), fix } };
}
