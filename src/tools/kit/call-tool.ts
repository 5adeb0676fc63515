// One call of one tool, the same for REST, MCP over HTTP and MCP over stdio: defaults and validation by the
// tool's own schema, a deadline, and a check of the answer. The schemas of a tool are compiled once.

import type { TObject } from '@sinclair/typebox';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import { compiledAtFirst, compileInput, type InputParser, misfitOf } from '../../contract/input.ts';
import { isOptionalField } from '../../contract/schema.ts';
import { assert, ServiceError } from '../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { isObject } from '../../parse-json.ts';
import { withinDeadline } from '../../pause.ts';
import type { Tool, ToolContext } from './tool.ts';

/** Slightly under the request's own deadline, so that the client gets the tool's error, which says more. */
const TOOL_DEADLINE_MS = REQUEST_DEADLINE_MS - 1_000;

/** A tool that is ready to be called. */
export interface CompiledTool {
  readonly tool: Tool;
  readonly input: InputParser<TObject>;
  /** Null when answers are not checked. */
  readonly outputCheck: (() => TypeCheck<TObject>) | null;
  readonly deadlineMs: number;
}

interface CompileToolOptions {
  /** Longest a call may take, default one second under REQUEST_DEADLINE_MS. */
  readonly deadlineMs?: number;
  /** Whether an answer outside the output schema is raised as a bug; off only in benchmarks. */
  readonly checkOutput: boolean;
}

/** Prepares a tool, once, at start. */
export function compileTool(tool: Tool, options: CompileToolOptions): CompiledTool {
  for (const [name, field] of Object.entries(tool.input.properties)) {
    const isHonest = field.default === undefined || isOptionalField(field);
    assert(isHonest, `${tool.name}.${name} has a default, so its schema says that it may be left out`);
  }
  return {
    tool,
    input: compileInput(tool.input, 'body'),
    outputCheck: options.checkOutput ? compiledAtFirst(tool.output) : null,
    deadlineMs: options.deadlineMs ?? TOOL_DEADLINE_MS,
  };
}

/**
 * Calls a tool with input from outside. Defaults are applied.
 * @throws ValidationError (422) for wrong types, missing fields and ranges
 * @throws ServiceError `invalid_request` (400) for a word outside a closed list, with the list in its fix,
 * and for an argument that the tool does not have, with the nearest argument in its fix
 * @throws ServiceError `upstream_unavailable` (503) past the deadline, and whatever ServiceError the tool
 * throws
 */
export async function callTool(
  compiled: CompiledTool,
  input: unknown,
  context: ToolContext,
): Promise<Record<string, unknown>> {
  return runTool(compiled, compiled.input.parse(input), context);
}

/** `callTool` with input that was parsed by the tool's schema already. */
export async function runTool(
  compiled: CompiledTool,
  known: unknown,
  context: ToolContext,
): Promise<Record<string, unknown>> {
  const { principal, inTurn, pause = () => null } = context;
  await chargeFor(compiled.tool, known, context);
  const run = (nowMs: number): Answer | Promise<Answer> => {
    const output = compiled.tool.run(known, { principal, nowMs, pause });
    return output instanceof Promise
      ? output.then((answer) => checked(compiled, answer))
      : checked(compiled, output);
  };
  // An answer about an account is never shared with another caller.
  const isShared = compiled.tool.account === undefined;
  const question = isShared ? `${compiled.tool.name} ${JSON.stringify(known)}` : null;
  const work = inTurn === undefined ? run(context.nowMs) : inTurn(question, run);
  if (!(work instanceof Promise)) return work;
  const { tool, deadlineMs } = compiled;
  return withinDeadline(work, deadlineMs, () => deadlineError(tool.name, deadlineMs));
}

type Answer = Record<string, unknown>;

/** Charges what the answer costs beyond one unit, before the answer is shared with other callers. */
async function chargeFor(tool: Tool, known: unknown, context: ToolContext): Promise<void> {
  const { charge } = context;
  if (charge === undefined || tool.units === undefined) return;
  await charge((await tool.units(known, context)) - 1);
}

function checked({ tool, outputCheck }: CompiledTool, output: unknown): Answer {
  const check = outputCheck?.();
  if (check !== undefined && !check.Check(output)) throw misfitOf(tool.name, check.Errors(output));
  assert(isObject(output), `${tool.name} answers with an object`);
  return output;
}

function deadlineError(name: string, deadlineMs: number): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    `Cannot answer ${name}: it took longer than ${deadlineMs} ms`,
    {
      fix: 'Ask for less (fewer markets, a smaller limit), or retry after retry_after_seconds',
      retryAfterSeconds: 1,
    },
  );
}
