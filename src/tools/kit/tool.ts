// What an agent tool is: one object that the REST routes, the manifest, both MCP servers, OpenAPI and llms.txt are
// made from. A tool file exports a function that takes its services and returns one of these.

import type { Static, TObject } from '@sinclair/typebox';
import type { Principal } from '../../domain/tiers.ts';

/** What a call knows besides its arguments. */
export interface ToolContext {
  readonly principal: Principal;
  readonly nowMs: number;
}

export interface ToolDefinition<Input extends TObject, Output extends TObject> {
  /** snake_case, also the last part of POST /v1/mcp/<name>. */
  readonly name: string;
  readonly title: string;
  /** Written for a model that must choose: what it answers, when another tool is better, what the arguments mean, one example. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Expected failures are thrown as ServiceError; a lookup that finds nothing is an answer, not a failure. */
  run(input: Static<Input>, context: ToolContext): Static<Output> | Promise<Static<Output>>;
}

/** A tool with its types forgotten, as registries hold it. `run` takes input that was validated against `input`. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  readonly output: TObject;
  run(input: unknown, context: ToolContext): unknown;
}

/** Checks a tool's types where it is defined and forgets them for the registry. */
export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  return {
    ...definition,
    run: (input, context) => definition.run(input as Static<Input>, context),
  };
}
