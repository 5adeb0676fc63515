// `overround start`: runs the server until it is interrupted.

import { loadConfig } from '../../../settings/config.ts';
import { type Command, SETTING_FLAGS, settingsOf } from '../../command.ts';

export const startCommand: Command = {
  name: 'start',
  summary: 'Starts the server; settings come from the environment (docs/reference/settings.md)',
  flags: SETTING_FLAGS,
  run: async (input) => {
    const config = loadConfig(settingsOf(input));
    const { runServer } = await import('../../../start/run-server.ts');
    return await runServer(config);
  },
};
