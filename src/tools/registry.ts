// Every agent tool, in the order documents list them. REST routes, manifest, both MCP servers, OpenAPI and
// llms.txt are made from this one list.

import { compareBooksTool } from './compare-books.ts';
import { compareLinesTool } from './compare-lines.ts';
import { compareProbTool } from './compare-prob.ts';
import { explainHandicapTool } from './explain-handicap.ts';
import { findArbitrageTool } from './find-arbitrage.ts';
import { findMatchTool } from './find-match.ts';
import { findValueTool } from './find-value.ts';
import { getMatchOddsTool } from './get-match-odds.ts';
import { getOpeningLineTool } from './get-opening-line.ts';
import { getResultTool } from './get-result.ts';
import { getSharpLineTool } from './get-sharp-line.ts';
import type { Tool, ToolServices } from './kit/tool.ts';
import { listBookmakersTool } from './list-bookmakers.ts';
import { listEventsTool } from './list-events.ts';
import { listLeaguesTool } from './list-leagues.ts';
import { listMoversTool } from './list-movers.ts';
import { listResultsTool } from './list-results.ts';
import { listTodayMatchesTool } from './list-today-matches.ts';
import { matchInfoTool } from './match-info.ts';
import { scanSlateTool } from './scan-slate.ts';
import { scoreProbTool } from './score-prob.ts';

/** Makes every tool of this thread. */
export function createTools(services: ToolServices): readonly Tool[] {
  return [
    getSharpLineTool(services),
    findMatchTool(services),
    matchInfoTool(services),
    getMatchOddsTool(services),
    compareLinesTool(services),
    explainHandicapTool(),
    listTodayMatchesTool(services),
    listEventsTool(services),
    listBookmakersTool(services),
    getOpeningLineTool(services),
    findValueTool(services),
    findArbitrageTool(services),
    compareProbTool(services),
    scoreProbTool(services),
    scanSlateTool(services),
    listMoversTool(services),
    compareBooksTool(services),
    listLeaguesTool(services),
    listResultsTool(services),
    getResultTool(services),
  ];
}
