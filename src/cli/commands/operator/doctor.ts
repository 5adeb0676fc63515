// `overround doctor` checks what the server needs of this machine, before it starts or while it runs.
// `overround ready` checks whether it serves.

import { loadConfig } from '../../../settings/config.ts';
import { type Command, SETTING_FLAGS, settingsOf } from '../../command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks what the server needs and prints what to do; exit code 1 when it cannot serve',
  flags: { ...SETTING_FLAGS, json: { help: 'one line of JSON for each check' } },
  run: async (input) => {
    const { examine } = await import('../../../start/doctor/examine.ts');
    const findings = await examine(() => loadConfig(settingsOf(input)), input.clock);
    const width = Math.max(...findings.map(({ about }) => about.length));
    for (const finding of findings) {
      const { state, about, found, toDo } = finding;
      const advice = toDo === null ? '' : `\n      ${' '.repeat(width)}-> ${toDo}`;
      input.writeOutput(
        input.flags.json === undefined
          ? `${state.padEnd(4)}  ${about.padEnd(width)}  ${found}${advice}`
          : JSON.stringify(finding),
      );
    }
    return findings.some(({ state }) => state === 'bad') ? 1 : 0;
  },
};

export const readyCommand: Command = {
  name: 'ready',
  summary: 'Checks whether the server with these settings is ready; exit code 1 when it is not',
  flags: { port: SETTING_FLAGS.port, host: SETTING_FLAGS.host },
  run: async (input) => {
    const { askReady } = await import('../../../start/doctor/ready.ts');
    const { status, said } = await askReady(loadConfig(settingsOf(input)));
    if (status === 200) input.writeOutput(said);
    else input.writeError(said);
    return status === 200 ? 0 : 1;
  },
};
