// A tool as the MCP server sees it: plain JSON Schemas and a call that returns expected failures instead of throwing
// them. The answer comes from this process or, over REST, from a running server; the MCP server cannot tell which.

import {
  type ErrorEnvelope,
  envelopeOf,
  ServiceError,
  type ValidationDetail,
  ValidationError,
} from '../errors.ts';
import { type CompiledTool, callTool } from '../tools/kit/call-tool.ts';
import { type JsonSchema, type ToolContext, toJsonSchema } from '../tools/kit/tool.ts';

export type ToolOutcome =
  | { readonly kind: 'result'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly envelope: ErrorEnvelope };

export interface ServedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  call(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

export interface LocalToolOptions {
  /** Base of `documentation_url`, no trailing slash. */
  readonly publicUrl: string;
  /** Hears of failures that are our own bugs; the caller of the tool learns only that there was one. */
  report(toolName: string, failure: unknown): void;
}

/** Tools answered by this process. */
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

/** The envelope of any failure. Only messages written for callers pass; anything else is `internal`. */
export function toEnvelope(failure: unknown, publicUrl: string): ErrorEnvelope {
  if (failure instanceof ServiceError) return envelopeOf(failure.code, publicUrl, failure);
  if (failure instanceof ValidationError) return validationEnvelope(failure.detail, publicUrl);
  return envelopeOf('internal', publicUrl, {
    message: 'Cannot answer: an unexpected error on the server',
    fix: null,
    retryAfterSeconds: null,
  });
}

/** A 422, whose REST body is a list of problems, as the envelope that tool errors are. */
export function validationEnvelope(
  detail: readonly Pick<ValidationDetail, 'loc' | 'msg'>[],
  publicUrl: string,
): ErrorEnvelope {
  const problems = detail.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'arguments'}: ${msg}`);
  return envelopeOf('validation_error', publicUrl, {
    message: 'Cannot validate arguments',
    fix: problems.join('; '),
    retryAfterSeconds: null,
  });
}
