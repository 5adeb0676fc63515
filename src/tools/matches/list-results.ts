// list_results: finished matches of the last 30 days.

import { ListResultsInput, ResultList } from '../../contract/results.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';

export function listResultsTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'list_results',
    title: 'List results',
    description:
      'Final scores of finished matches of the last 30 days, most recent first, with red cards and no odds. Filter by kickoff day or days (`date`, `date_to`, in `timezone`), part of a team name and part of a league name. Use match_info to ask who won one match, get_result when you have its event_id. Example: {"team": "arsenal", "date": "yesterday"}.',
    input: ListResultsInput,
    output: ResultList,
    run: (input, { nowMs }) => queries.results.list(input, nowMs),
  });
}
