// Every route of the query thread, in the order of the API document.

import type { Gate } from '../../access/gate.ts';
import type { Platform } from '../../accounts/platform.ts';
import type { AlertCalls } from '../../alerts/alert-calls.ts';
import type { Route } from '../../http/kit/route.ts';
import type { OddsAnswers } from '../../http/odds-answers.ts';
import { alertRoutes } from '../../http/routes/alerts.ts';
import { catalogueRoutes } from '../../http/routes/catalogue.ts';
import { convertRoutes } from '../../http/routes/convert.ts';
import { credentialRoutes } from '../../http/routes/credentials.ts';
import { docsRoutes } from '../../http/routes/docs.ts';
import { eventRoutes } from '../../http/routes/events.ts';
import { historyRoutes } from '../../http/routes/history.ts';
import { oddsRoutes } from '../../http/routes/odds.ts';
import { metricsRoutes, usageRoutes } from '../../http/routes/operations.ts';
import { operatorRoutes } from '../../http/routes/operator.ts';
import { pageRoutes } from '../../http/routes/pages.ts';
import { platformRoutes } from '../../http/routes/platform.ts';
import { resolveRoutes } from '../../http/routes/resolve.ts';
import { resultRoutes } from '../../http/routes/results.ts';
import { savedViewRoutes } from '../../http/routes/saved-views.ts';
import { signalRecordRoutes } from '../../http/routes/signal-record.ts';
import { streamRoutes } from '../../http/routes/streams.ts';
import { ticketRoutes } from '../../http/routes/tickets.ts';
import { mcpRoutes, toolRoutes } from '../../http/routes/tools.ts';
import type { McpEndpoint } from '../../mcp/handler.ts';
import { leaguesHere } from '../../query/lookup/name-calls.ts';
import type { ServiceMetrics } from '../../telemetry/service-metrics.ts';
import { healthOf, type ServingOptions } from './serving-thread.ts';
import type { Tooling } from './tooling.ts';

export interface QueryRoutesParts {
  readonly options: ServingOptions;
  readonly gate: Gate;
  readonly platform: Platform;
  readonly alerts: AlertCalls;
  readonly tooling: Pick<Tooling, 'queries' | 'tools'>;
  readonly mcp: Pick<McpEndpoint, 'fetch'>;
  readonly answers: OddsAnswers;
  readonly metrics: Pick<ServiceMetrics, 'page' | 'state'>;
}

/** The routes of the API, then those of its documents and of the HTML pages. */
export function queryRoutes(parts: QueryRoutesParts): Route[] {
  const { config } = parts.options;
  const { queries, tools } = parts.tooling;
  const described = [...slateRoutes(parts), ...callerRoutes(parts), ...agentRoutes(parts)];
  const { slate } = queries;
  return [
    ...described,
    ...operatorRoutes({ platform: parts.platform, slate, stateAt: parts.metrics.state }),
    ...docsRoutes({
      routes: described,
      tools: tools.map(({ tool }) => tool),
      publicUrl: config.publicUrl,
    }),
    ...pageRoutes({
      publicUrl: config.publicUrl,
      hasMetrics: config.metricsListener === null,
      // A serving node has no feed of its own. Whether its leader's feed is the simulator is known from the
      // replicated slate.
      isSimulated: () => config.feeds.some(({ kind }) => kind === 'simulator') || slate.isOf('simulator'),
      isDevelopment: !config.production,
      prematchWindowMs: config.prematchFreshnessMs,
      hasHistory: config.historyDays > 0 && config.feedNowMs === null,
      liveWindowMs: config.liveFreshnessMs,
      tools: tools.map(({ tool }) => tool),
    }),
  ];
}

/** Routes for the health of the service and for the slate. */
function slateRoutes({ options, tooling, answers, metrics }: QueryRoutesParts): Route[] {
  const { config } = options;
  const { queries } = tooling;
  const { names, slate } = queries;
  return [
    ...healthOf(options, { slate, whenQueried: (nowMs) => names.whenIndexed(nowMs) }),
    ...(config.metricsListener === null
      ? metricsRoutes({ page: metrics.page, token: config.metricsToken })
      : []),
    ...catalogueRoutes(queries),
    ...eventRoutes(queries),
    ...oddsRoutes({
      ...queries,
      leagues: leaguesHere(queries),
      answers,
      slateAnswers: null,
    }),
    ...historyRoutes(queries.history),
    ...signalRecordRoutes(queries.history),
    ...streamRoutes(null),
    ...resolveRoutes(queries),
    ...convertRoutes(),
    ...resultRoutes(queries),
  ];
}

/** Routes about the caller: usage, tickets, accounts and their keys. */
function callerRoutes({ options, gate, platform, alerts, tooling }: QueryRoutesParts): Route[] {
  const isSecure = options.config.publicUrl.startsWith('https:');
  return [
    ...usageRoutes(gate),
    ...ticketRoutes(gate),
    ...platformRoutes(platform, isSecure),
    ...credentialRoutes(platform, isSecure),
    ...savedViewRoutes(platform),
    ...alertRoutes(alerts, tooling.queries),
  ];
}

function agentRoutes({ tooling: { tools }, mcp }: QueryRoutesParts): Route[] {
  return [...toolRoutes(tools), ...mcpRoutes(mcp)];
}
