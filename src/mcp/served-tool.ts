// A tool as the MCP server uses it: plain JSON Schemas, and a call that returns expected failures instead of
// throwing them. The answer comes from this process or, over REST, from a running server; the MCP server
// handles both alike.

import {
  type ErrorBody,
  envelopeOf,
  ServiceError,
  type ValidationDetail,
  ValidationError,
} from '../errors.ts';
import { type CompiledTool, callTool } from '../tools/kit/call-tool.ts';
import { type AccountTool, type JsonSchema, type ToolContext, toJsonSchema } from '../tools/kit/tool.ts';

export type ToolOutcome =
  | { readonly kind: 'result'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly envelope: ErrorBody };

export interface ServedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly account?: AccountTool;
  call(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

export interface LocalToolOptions {
  /** Base of `documentation_url`, without a trailing slash. */
  readonly publicUrl: string;
  /** Called with failures that are our own bugs; the caller of the tool only learns that there was one. */
  report(toolName: string, failure: unknown): void;
}

/** Tools that this process answers. */
export function serveLocalTools(
  tools: readonly CompiledTool[],
  { publicUrl, report }: LocalToolOptions,
): readonly ServedTool[] {
  return tools.map((compiled) => ({
    name: compiled.tool.name,
    title: compiled.tool.title,
    description: compiled.tool.description,
    inputSchema: toJsonSchema(compiled.tool.input),
    outputSchema: toJsonSchema(compiled.tool.output),
    ...(compiled.tool.account === undefined ? {} : { account: compiled.tool.account }),
    call: async (input, context) => {
      try {
        return { kind: 'result', value: await callTool(compiled, input, context) };
      } catch (failure) {
        if (!(failure instanceof ServiceError || failure instanceof ValidationError)) {
          report(compiled.tool.name, failure);
        }
        return { kind: 'error', envelope: toEnvelope(failure, publicUrl) };
      }
    },
  }));
}

/**
 * Converts any failure to an envelope. Only messages written for callers are passed on; anything else is
 * `internal`.
 */
export function toEnvelope(failure: unknown, publicUrl: string): ErrorBody {
  if (failure instanceof ServiceError) return envelopeOf(failure.code, publicUrl, failure);
  if (failure instanceof ValidationError) return validationEnvelope(failure.detail, publicUrl);
  return envelopeOf('internal', publicUrl, {
    message: 'Cannot answer: an unexpected error on the server',
    fix: null,
    retryAfterSeconds: null,
  });
}

/** Converts the problems of a 422, which REST sends as a list, to the envelope that tool errors use. */
export function validationEnvelope(
  detail: readonly Pick<ValidationDetail, 'loc' | 'msg'>[],
  publicUrl: string,
): ErrorBody {
  const problems = detail.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'arguments'}: ${msg}`);
  return envelopeOf('validation_error', publicUrl, {
    message: 'Cannot validate arguments',
    fix: problems.join('; '),
    retryAfterSeconds: null,
  });
}
