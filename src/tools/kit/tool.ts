// What an agent tool is: one object that the REST routes, the manifest, both MCP servers, OpenAPI and
// llms.txt are made from. Each tool has a file that exports a function: it takes the services that the tool
// needs and returns the object.

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { acceptingNull, isOptionalField } from '../../contract/schema.ts';
import type { Principal } from '../../domain/tiers.ts';
import { isObject } from '../../parse-json.ts';
import type { Queries } from '../../query/queries.ts';
import type { PlausibleLimits } from '../../query/signals/signals.ts';

/** What a call has besides its arguments. */
export interface ToolContext {
  readonly principal: Principal;
  readonly nowMs: number;
  /**
   * Runs a call when it is the caller's turn; callers with the same question share an answer. Absent where
   * calls are answered as they arrive.
   * @param question everything that the answer depends on besides the slate, the time and the caller's tier;
   * null for an answer to this caller alone
   */
  readonly inTurn?: <Answer>(
    question: string | null,
    work: (nowMs: number) => Answer | Promise<Answer>,
  ) => Answer | Promise<Answer>;
  /**
   * Long work calls it between two steps: it returns null, or a promise to await so that others have their
   * turn.
   */
  readonly pause?: () => Promise<void> | null;
  /**
   * Charges the caller further units. Absent where calls cost nothing. @throws ServiceError 429 when the
   * caller has too few left
   */
  readonly charge?: (units: number) => Promise<void>;
}

/**
 * A tool about the caller's account: only callers with a key of an account have it, and its answers are for
 * that caller alone.
 */
export interface AccountTool {
  /**
   * Whether the tool changes something. Repeating a call with the same arguments must then change nothing
   * more.
   */
  readonly changes: boolean;
}

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  /** The tool's name in snake_case. It is also the last part of POST /v1/mcp/<name>. */
  readonly name: string;
  readonly title: string;
  /**
   * Written for a model that must choose: what it answers, when another tool is better, what the arguments
   * mean, one example.
   */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly account?: AccountTool;
  /**
   * How many units the answer costs; one if absent. This is called for each caller, even when callers share
   * an answer. A refused call costs only one unit, so this throws what `run` would throw.
   */
  units?(input: Static<Input>, context: ToolContext): Promise<number>;
  /**
   * Expected failures are thrown as ServiceError; a lookup that finds nothing is an answer, not a failure.
   */
  run(input: Static<Input>, context: ToolContext): Static<Output> | Promise<Static<Output>>;
}

/**
 * A tool without its static types, as registries hold it. `run` takes input that was validated against
 * `input`.
 */
export interface Tool extends Omit<ToolDefinition<TObject, TObject>, 'run' | 'units'> {
  units?(input: unknown, context: ToolContext): Promise<number>;
  run(input: unknown, context: ToolContext): unknown;
}

/**
 * Checks a tool's types where it is defined and drops them for the registry. Arguments that it does not name
 * are refused.
 */
export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { units } = definition;
  return {
    ...definition,
    input: { ...definition.input, additionalProperties: false },
    ...(units === undefined ? {} : { units: (input, context) => units(input as Static<Input>, context) }),
    run: (input, context) => definition.run(input as Static<Input>, context),
  };
}

/** What tools receive: the use cases of this thread and the settings that bound what they report. */
export interface ToolServices extends PlausibleLimits {
  readonly queries: Queries;
  /** Why callers without a key see no price at all; null or absent when they see some. */
  readonly hiddenPrices?: string | null;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A tool's schema as the plain JSON Schema that callers and models read: without TypeBox's symbols, and with
 * null where a field may be left out.
 */
export function toJsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(withNulls(schema))) as JsonSchema;
}

function withNulls(schema: TSchema): Record<string, unknown> {
  if (!isObject(schema.properties)) return schema;
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => [
    name,
    isOptionalField(field) ? acceptingNull(withNulls(field)) : withNulls(field),
  ]);
  return { ...schema, properties: Object.fromEntries(fields) };
}
