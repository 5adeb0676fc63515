// All the doctor's checks, in order.

import type { Clock } from '../../clock.ts';
import type { Config } from '../../settings/config.ts';
import { examineEngines } from './engines.ts';
import { bad, type Finding, ok, whyOf } from './finding.ts';
import { examineMachine, runsOn } from './machine.ts';
import { examineSources } from './sources.ts';

/** @param readSettings throws if the settings are bad; then nothing else can be checked */
export async function examine(readSettings: () => Config, clock: Clock): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readSettings();
  } catch (error) {
    return [
      bad(
        'settings',
        whyOf(error),
        'Correct the setting as the message says; docs/reference/settings.md lists all settings',
      ),
    ];
  }
  return [
    ok('settings', `good, for ${config.production ? 'production' : 'development'}`),
    ...examineMachine(config, runsOn(config.dataDir), clock.wallMs()),
    ...(await examineSources(config, clock)),
    ...(await examineEngines(config, clock)),
  ];
}
