// The README's shell blocks as they are printed, one command after the other in one shell that has nothing set, beside a
// server in a folder of its own.

import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dir, '../..');

test('the blocks with curl run as printed, with nothing unset, and end with a price', async () => {
  const text = await Bun.file(join(ROOT, 'README.md')).text();
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const printed = blocks.filter((block) => block.includes('curl'));
  expect(printed).toHaveLength(2);
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'data'));
  const server = new ServerProcess({ DATA_DIR: join(folder.path, 'data') });
  const url = await server.serving();
  for (const block of printed) {
    // What cannot be as printed in a test: the port, and the package runner, which would ask the network.
    const script = block
      .replaceAll('http://127.0.0.1:3000', url)
      .replaceAll('npx -y bun@1.4.5 run --silent overround', `${process.execPath} ${ROOT}/src/main.ts`);
    const shell = Bun.spawnSync(['sh', '-eu', '-c', script], {
      cwd: folder.path,
      env: { PATH: process.env.PATH ?? '' },
      timeout: 30_000,
    });
    const said = shell.stdout.toString();
    expect([shell.exitCode, shell.stderr.toString().replace(/^Created .*\n/, '')]).toEqual([0, '']);
    expect(said).not.toContain('"error":{');
    expect(said).toContain('"market_type":"1x2"');
  }
  expect(await server.end()).toBe(0);
}, 60_000);
