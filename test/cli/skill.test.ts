// The skill for agents names only existing commands and flags, and has the header that skill loaders require.

import { expect, test } from 'bun:test';
import { EXIT_STATUSES } from '../../src/terminal/failure.ts';
import { runCommand } from '../support/command-line.ts';

const SKILL = new URL('../../skills/overround/SKILL.md', import.meta.url).pathname;
const COMMAND = /`overround ([a-z]+)((?:[^`])*)`/g;

async function helpOf(command: string): Promise<string> {
  const { code, lines } = await runCommand([command, '--help']);
  expect([command, code]).toEqual([command, 0]);
  return lines.join('\n');
}

test('the skill has a name and a description within the limits of the format', async () => {
  const [, head = ''] = (await Bun.file(SKILL).text()).split('---\n');
  const fields = Object.fromEntries(
    head
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  );
  expect(fields.name).toBe('overround');
  expect(fields.description.length).toBeGreaterThan(50);
  expect(fields.description.length).toBeLessThanOrEqual(1024);
});

test('every command, flag and exit status that the skill names exists', async () => {
  const text = await Bun.file(SKILL).text();
  const uses = [...text.matchAll(COMMAND)];
  expect(uses.length).toBeGreaterThan(8);
  for (const [, command, rest] of uses) {
    const help = await helpOf(command!);
    expect(help).toContain(`Usage: overround ${command} `);
    for (const flag of rest!.match(/--[a-z-]+/g) ?? []) expect(help).toContain(`${flag} `.trimEnd());
  }
  const statuses = [...text.matchAll(/[Ee]xit status (\d)|(?<=\. )(\d) is/g)].map((found) =>
    Number(found[1] ?? found[2]),
  );
  expect(statuses.length).toBeGreaterThan(2);
  const known: readonly number[] = Object.values(EXIT_STATUSES);
  for (const status of statuses) expect(known).toContain(status);
});
