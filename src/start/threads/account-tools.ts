// The tools about the caller's account.

import type { AlertCalls } from '../../alerts/alert-calls.ts';
import { namedWhere, type WhereQueries } from '../../alerts/rules/named-where.ts';
import { assert } from '../../errors.ts';
import { alertTools } from '../../tools/alerts/alert-tools.ts';
import { type CompiledTool, compileTool } from '../../tools/kit/call-tool.ts';
import type { ToolContext } from '../../tools/kit/tool.ts';

/** Only MCP has them: over REST there are the routes of alerts. */
export function accountTools(alerts: AlertCalls, queries: WhereQueries): CompiledTool[] {
  const tools = alertTools({
    ensure: async (body, context) => {
      const { where, names } = await namedWhere(queries, body.where ?? {}, context.nowMs);
      return alerts.ensureAlert({ keyId: keyIdOf(context), body: { ...body, where, names } });
    },
    list: (context) => alerts.listAlerts({ keyId: keyIdOf(context) }),
  });
  return tools.map((tool) => compileTool(tool, { checkOutput: true }));
}

function keyIdOf({ principal: { keyId } }: ToolContext): string {
  assert(keyId !== null, 'callers of these tools have a key of an account');
  return keyId;
}
