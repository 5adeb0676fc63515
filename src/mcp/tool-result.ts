// What a tool's outcome looks like on the MCP wire: the answer as structured content beside one readable sentence, or
// a tool error whose text is the service's error envelope.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ErrorEnvelope, ServiceError } from '../errors.ts';
import { isObject } from '../tools/kit/json-schema.ts';
import { answerSentence } from './answer-sentence.ts';
import { type ServedTool, type ToolOutcome, toEnvelope } from './served-tool.ts';
import { RESULT_CHARS_MAX, trimToFit } from './trim.ts';

/**
 * An error's envelope travels as text only: 1.x clients check `structuredContent` against the output schema even when
 * `isError` is set, and would turn a helpful fix into a protocol error.
 * @throws TypeError when the answer is not JSON, which is a bug of the tool
 */
export function toCallToolResult(tool: ServedTool, outcome: ToolOutcome, publicUrl: string): CallToolResult {
  if (outcome.kind === 'error') return errorResult(outcome.envelope);
  const properties = tool.inputSchema.properties;
  const { value, note, fits } = trimToFit(outcome.value, {
    schema: tool.outputSchema,
    argumentNames: isObject(properties) ? Object.keys(properties) : [],
  });
  if (!fits) return errorResult(toEnvelope(tooLong(note), publicUrl));
  const sentence = answerSentence(tool.title, value);
  const text = note === null ? sentence : `${sentence} ${note}`;
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

function errorResult(envelope: ErrorEnvelope): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(envelope) }], isError: true };
}
