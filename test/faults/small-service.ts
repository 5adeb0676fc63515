// A running server with a small slate that trusts 127.0.0.1 as a proxy.

import { PROXY_SETTINGS } from '../support/callers.ts';
import { type RunningService, runService } from '../support/running-service.ts';

export function runSmallService(): Promise<RunningService> {
  return runService({
    ...PROXY_SETTINGS,
    SIMULATOR_FOOTBALL_FIXTURES: '10',
    SIMULATOR_BASKETBALL_FIXTURES: '2',
  });
}

/** The path of the odds of one fixture of the service. */
export async function someOddsPath(service: RunningService): Promise<string> {
  const { data } = await service.get<{ data: { id: string }[] }>('/v1/events?limit=1');
  return `/v1/events/${data[0]!.id}/odds`;
}
