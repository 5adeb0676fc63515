// Every agent tool, in the order documents list them. REST routes, manifest, both MCP servers, OpenAPI and
// llms.txt are made from this one list.

import type { Tool, ToolServices } from './kit/tool.ts';
import { findMatchTool } from './matches/find-match.ts';
import { getResultTool } from './matches/get-result.ts';
import { listBookmakersTool } from './matches/list-bookmakers.ts';
import { listEventsTool } from './matches/list-events.ts';
import { listLeaguesTool } from './matches/list-leagues.ts';
import { listResultsTool } from './matches/list-results.ts';
import { listTodayMatchesTool } from './matches/list-today-matches.ts';
import { matchInfoTool } from './matches/match-info.ts';
import { compareBooksTool } from './prices/compare-books.ts';
import { compareLinesTool } from './prices/compare-lines.ts';
import { compareProbTool } from './prices/compare-prob.ts';
import { explainHandicapTool } from './prices/explain-handicap.ts';
import { getClosingLineTool } from './prices/get-closing-line.ts';
import { getMatchOddsTool } from './prices/get-match-odds.ts';
import { getOpeningLineTool } from './prices/get-opening-line.ts';
import { getSharpLineTool } from './prices/get-sharp-line.ts';
import { lineHistoryTool } from './prices/line-history.ts';
import { listMoversTool } from './prices/list-movers.ts';
import { scoreProbTool } from './prices/score-prob.ts';
import { findArbitrageTool } from './signals/find-arbitrage.ts';
import { findMiddlesTool } from './signals/find-middles.ts';
import { findValueTool } from './signals/find-value.ts';
import { scanSlateTool } from './signals/scan-slate.ts';
import { signalRecordTool } from './signals/signal-record.ts';

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
    getClosingLineTool(services),
    lineHistoryTool(services),
    findValueTool(services),
    findArbitrageTool(services),
    findMiddlesTool(services),
    compareProbTool(services),
    scoreProbTool(services),
    scanSlateTool(services),
    signalRecordTool(services),
    listMoversTool(services),
    compareBooksTool(services),
    listLeaguesTool(services),
    listResultsTool(services),
    getResultTool(services),
  ];
}
