// Converts a tool's outcome to an MCP result. An answer becomes structured content plus a text: one readable
// sentence and the same answer as compact JSON. An error becomes a tool error whose text is the service's
// error envelope. Tools with a summary provide the sentence; for others it is made from the fields of the
// answer, so that tools of a running server, known here only by their manifest, read the same as local ones.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ErrorBody, ServiceError } from '../errors.ts';
import { RESULT_CHARS_MAX } from '../limits.ts';
import { isObject } from '../parse-json.ts';
import { type ServedTool, type ToolOutcome, toEnvelope } from './served-tool.ts';
import { envelopeInToolWords } from './tool-words.ts';
import { NOTE_CHARS_MAX, trimToFit } from './trim.ts';

/**
 * The MCP result of a call: a text and, unless the call failed, structured content. The text also contains
 * the data, because clients of the 2024-11-05 and 2025-03-26 protocols, and some later ones, read only text.
 * RESULT_CHARS_MAX applies to the text and to the structured content separately. The JSON is the last line of
 * the text: compact JSON contains no line breaks.
 *
 * An error's envelope is sent as text only: 1.x clients check `structuredContent` against the output schema
 * even when `isError` is set, and would turn a helpful fix into a protocol error.
 * @throws TypeError when the answer is not JSON, which is a bug of the tool
 */
export function toCallToolResult(tool: ServedTool, outcome: ToolOutcome, publicUrl: string): CallToolResult {
  if (outcome.kind === 'error') return errorResult(outcome.envelope);
  const properties = tool.inputSchema.properties;
  const sentenceChars = answerSentence(tool.title, outcome.value).length;
  const { value, note, fits } = trimToFit(outcome.value, {
    schema: tool.outputSchema,
    argumentNames: isObject(properties) ? Object.keys(properties) : [],
    // Keep room for two notes: the note about the cut is added after the sentence and may also be a field of
    // the answer.
    charsMax: RESULT_CHARS_MAX - sentenceChars - 2 * NOTE_CHARS_MAX,
  });
  const sentence = answerSentence(tool.title, value);
  const text = `${note === null ? sentence : `${sentence} ${note}`}\n${JSON.stringify(value)}`;
  if (!fits || text.length > RESULT_CHARS_MAX) return errorResult(toEnvelope(tooLong(note), publicUrl));
  return { content: [{ type: 'text', text }], structuredContent: value };
}

function tooLong(note: string | null): ServiceError {
  return new ServiceError(
    'invalid_request',
    `Cannot answer in at most ${RESULT_CHARS_MAX} characters: the answer is longer`,
    {
      fix: note ?? 'Ask for less at a time',
    },
  );
}

function errorResult(envelope: ErrorBody): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(envelopeInToolWords(envelope)) }], isError: true };
}

type Answer = Readonly<Record<string, unknown>>;

/** Fields that hold a sentence for reading out, best first. */
const SENTENCE_FIELDS = ['summary', 'explanation'] as const;
/** List elements that are put into words. */
const SPOKEN_MAX = 3;

/** @param title of the tool, for answers that no better sentence fits */
function answerSentence(title: string, answer: Answer): string {
  for (const field of SENTENCE_FIELDS) {
    const sentence = textOf(answer[field]);
    if (sentence !== null) return sentence;
  }
  return lookupSentence(answer) ?? resultSentence(answer) ?? listSentence(title, answer);
}

/** Sentence of find_match: the match, or the question to ask. */
function lookupSentence({ match, decision, query }: Answer): string | null {
  if (!isObject(decision)) return null;
  const question = textOf(decision.ask_user);
  if (question !== null)
    return isObject(match) ? question : `Nothing on the slate fits "${query}". ${question}`;
  if (isObject(match)) return textOf(match.summary);
  const next = decision.next_action;
  if (!isObject(next)) return null;
  return `"${query}" names no team. ${next.reason} Call ${next.tool} with ${JSON.stringify(next.args)}.`;
}

/** Sentence of get_result. */
function resultSentence({ status, event_id, result }: Answer): string | null {
  if (isObject(result)) return `${resultText(result)}.`;
  return status === 'not_found' && typeof event_id === 'string' ? `No result is kept for ${event_id}.` : null;
}

/**
 * Makes the sentence for all other answers, which are lists: the number of elements and the first few in
 * words. Prefers the answer's `count`, because a terse list has its elements in `by_league`, and a list that
 * was cut to fit has fewer elements than were found.
 */
function listSentence(title: string, answer: Answer): string {
  const list = Object.entries(answer).find(([, field]) => Array.isArray(field));
  if (list === undefined) return `${title}: see the structured content.`;
  const elements = list[1] as readonly unknown[];
  const name = list[0] === 'odds' ? 'quotes' : list[0];
  const total = typeof answer.count === 'number' ? answer.count : elements.length;
  const count = `${total} ${total === 1 ? singular(name) : name}`;
  const spoken = elements.slice(0, SPOKEN_MAX).flatMap((element) => elementTexts(element));
  const parts = [`${title}: ${headOf(answer)}${count}.`, ...spoken];
  if (answer.truncated === true) parts.push('There are more than this answer holds.');
  if (answer.stale === true) parts.push('The prices are stale.');
  const note = textOf(answer.note);
  return (note === null ? parts : [...parts, note]).join(' ');
}

/** What the list belongs to: the fixture or the day. */
function headOf({ home_team, away_team, date, date_to }: Answer): string {
  if (typeof home_team === 'string' && typeof away_team === 'string') return `${home_team} vs ${away_team}, `;
  if (typeof date !== 'string') return '';
  return typeof date_to === 'string' ? `${date} to ${date_to}, ` : `${date}, `;
}

function elementTexts(element: unknown): string[] {
  if (!isObject(element)) return [];
  const summary = textOf(element.summary);
  if (summary !== null) return [summary];
  return 'finished_at' in element ? [`${resultText(element)}.`] : [];
}

/** For example "Arsenal 2-1 Chelsea, England Premier League". */
function resultText({ home_team, away_team, league, score }: Answer): string {
  const counts = isObject(score) ? `${score.home}-${score.away}` : 'vs';
  const where = typeof league === 'string' ? `, ${league}` : '';
  return `${home_team ?? 'Unknown'} ${counts} ${away_team ?? 'unknown'}${where}`;
}

/** "matches" becomes "match", "bookmakers" becomes "bookmaker". */
function singular(name: string): string {
  return name.endsWith('ches') ? name.slice(0, -2) : name.replace(/s$/, '');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
