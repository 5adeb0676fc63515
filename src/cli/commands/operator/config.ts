// `overround config`: prints the value of every setting, where it comes from, and its default. Secrets are
// masked.

import { settingList } from '../../../settings/config.ts';
import { shownValue } from '../../../settings/setting-reader.ts';
import { type Command, type CommandInput, SETTING_FLAGS, settingsOf } from '../../command.ts';

interface ShownSetting {
  readonly name: string;
  /** The value in effect; null when nothing is set and there is no default. */
  readonly value: string | null;
  readonly source: 'default' | 'environment' | 'file' | 'flag';
  readonly default: string | null;
}

export const configCommand: Command = {
  name: 'config',
  summary: 'Prints every setting with its value, its source and its default; secrets are masked',
  flags: { ...SETTING_FLAGS, json: { help: 'one line of JSON for each setting' } },
  run: async (input) => {
    const settings = shownSettings(input);
    for (const line of input.flags.json === undefined ? table(settings) : settings.map(jsonOf)) {
      input.writeOutput(line);
    }
    return 0;
  },
};

function shownSettings(input: CommandInput): ShownSetting[] {
  const environment = settingsOf(input);
  const isSet = (name: string) => (environment[name] ?? '').trim() !== '';
  return settingList(environment).map(({ name, fallback, isSecret }): ShownSetting => {
    const standard = fallback === '' ? null : fallback;
    if (isSecret && isSet(`${name}_FILE`)) {
      return { name, value: MASK, source: 'file', default: standard };
    }
    if (!isSet(name)) return { name, value: standard, source: 'default', default: standard };
    const value = isSecret ? MASK : shownValue(environment[name]!.trim());
    const source = environment[name] === input.environment[name] ? 'environment' : 'flag';
    return { name, value, source, default: standard };
  });
}

const MASK = '***';

function jsonOf(setting: ShownSetting): string {
  return JSON.stringify(setting);
}

/** The settings in columns: name, value, source and, unless it applies, the default. */
function table(settings: readonly ShownSetting[]): string[] {
  const rows = settings.map(({ name, value, source, default: standard }) => [
    name,
    value ?? '-',
    source,
    source === 'default' ? '' : `default ${standard ?? '-'}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
