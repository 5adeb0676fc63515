// No password in an address is ever shown, whichever setting contains it and however the address is mistyped.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { configCommand } from '../../src/cli/commands/operator/config.ts';
import { systemClock } from '../../src/clock.ts';
import { settingList } from '../../src/settings/config.ts';
import { readServerSettings } from '../../src/terminal/server-settings.ts';
import { runs } from '../support/runs.ts';

const SECRET = 'hunter2';
const NAMES = settingList({}).map(({ name }) => name);
const JUNK = fc.string({
  unit: fc.constantFrom(',', ' ', '/', '?', '#', '@', ':', 'x', '1', '%'),
  maxLength: 3,
});
const SCHEME = fc.constantFrom(
  'https',
  'htps',
  'wss',
  'ws',
  'redis',
  'postgres',
  'smtp',
  'tls',
  'replay',
  '',
);
const address = fc
  .record({
    before: fc.constantFrom('', 'simulator,', '10.0.0.1, '),
    scheme: SCHEME,
    separator: fc.constantFrom('://', ':/', '//', ':', ':///'),
    user: fc.constantFrom('me', '', 'me@example.com'),
    left: JUNK,
    right: JUNK,
    after: fc.constantFrom('', ':443', '/path', ':443/path?a=b', ',the-odds-api'),
  })
  .map(
    ({ before, scheme, separator, user, left, right, after }) =>
      `${before}${scheme}${separator}${user}:${left}${SECRET}${right}@odds.example.com${after}`,
  );
const withToken = fc
  .record({ scheme: SCHEME, key: fc.constantFrom('token', 'apiKey', ''), right: JUNK })
  .map(({ scheme, key, right }) => `${scheme || 'https'}://odds.example.com/path?${key}=${SECRET}${right}`);

/** The output of `overround config`, or the message of the error with which it ends. */
async function shownBy(environment: Readonly<Record<string, string>>): Promise<string> {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  try {
    await configCommand.run({
      ...{ environment, clock: systemClock, writeOutput: write, writeError: write },
      ...{ arguments: {}, flags: {} },
    });
  } catch (error) {
    lines.push(String(error));
  }
  return lines.join('\n');
}

test('whatever setting contains a password in an address, neither its refusal nor the output of config shows it', async () => {
  expect(NAMES.length).toBeGreaterThan(50);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), fc.oneof(address, withToken), async (name, value) => {
      const shown = await shownBy({ [name]: value });
      expect(shown).not.toBe('');
      expect(shown).not.toContain(SECRET);
    }),
    { numRuns: runs(2_000), examples: NAMES.map((name) => [name, `https://me:${SECRET}@odds.example.com`]) },
  );
}, 120_000);

test('every setting whose name ends in _URL refuses an https address with a user or a password', async () => {
  for (const name of NAMES.filter((one) => one.endsWith('_URL')))
    for (const user of [`me:${SECRET}`, SECRET, `:${SECRET}`]) {
      const shown = await shownBy({ [name]: `https://${user}@odds.example.com` });
      expect([name, shown]).toEqual([name, expect.stringContaining(`Cannot start: ${name} is `)]);
    }
});

test('OVERROUND_URL with a password is refused, and the refusal does not show the password', () => {
  fc.assert(
    fc.property(fc.oneof(address, withToken), (value) => {
      try {
        readServerSettings({ OVERROUND_URL: value });
      } catch (error) {
        expect(String(error)).not.toContain(SECRET);
        return;
      }
      throw new Error(`${value} was accepted`);
    }),
    { numRuns: 1_000 },
  );
});

test('an OVERROUND_ variable that is not a setting is refused by name, such as OVERROUND_KEY', () => {
  for (const name of ['OVERROUND_KEY', 'OVERROUND_TOKEN', 'OVERROUND_APIKEY', 'OVERROUND_HOST'])
    expect(() => readServerSettings({ [name]: SECRET })).toThrow(`there is no setting ${name}`);
});
