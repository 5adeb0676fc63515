// A slate of wire messages whose tools can all be called in this thread: scans run here instead of in the
// pool.

import type { Random } from '../../src/domain/random.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { callTool, compileTool } from '../../src/tools/kit/call-tool.ts';
import { createTools } from '../../src/tools/registry.ts';
import { T0 } from './made-up-slate.ts';
import { type Answer, PAID, type WireSlate } from './wire-slate.ts';

/** Calls a tool at an instant; the default is the instant of the made-up messages. */
export type AskTool = (
  tool: string,
  input: unknown,
  nowMs?: number,
  principal?: Principal,
) => Promise<Answer>;

/** Calls every tool over a slate. By default, answers must fit the output schemas. */
export function toolsOver(slate: Pick<WireSlate, 'queries'>, options = { checkOutput: true }): AskTool {
  const tools = createTools({ queries: slate.queries, maxEdge: 0.1, maxMargin: 0.1 });
  const compiled = new Map(tools.map((tool) => [tool.name, compileTool(tool, options)]));
  return (name, input, nowMs = T0, principal = PAID) => {
    const tool = compiled.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return callTool(tool, input, { principal, nowMs });
  };
}

/** Random prices near even, rounded to cents. */
export function randomPrices(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => Math.round((count + random.between(-0.4, 0.4)) * 100) / 100);
}
