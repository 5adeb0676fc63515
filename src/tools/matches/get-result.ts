// get_result: the final score of one match by its id.

import { Type } from '@sinclair/typebox';
import { EventIdParameter } from '../../contract/parameters.ts';
import { Result } from '../../contract/results.ts';
import { exact, nullable, oneOf } from '../../contract/schema.ts';
import { EVENT_ID_EXAMPLE } from '../../contract/values.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';

const Output = exact(
  {
    status: oneOf(['found', 'not_found'], { description: '`not_found`: not in the 30-day cache.' }),
    event_id: Type.String({ description: 'The id that you sent.' }),
    result: nullable(Result),
  },
  { title: 'GetResultResult' },
);

export function getResultTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'get_result',
    title: 'Get a result',
    description: `The final score and red cards of one finished match by event_id, from the 30-day cache. Use match_info when you have team names, list_results to browse. Example: {"event_id": "${EVENT_ID_EXAMPLE}"}.`,
    input: Type.Object({ event_id: EventIdParameter }),
    output: Output,
    run: async ({ event_id }, { nowMs }) => {
      const result = await queries.results.find(event_id, nowMs);
      return { status: result === null ? ('not_found' as const) : ('found' as const), event_id, result };
    },
  });
}
