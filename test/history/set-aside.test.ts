// A file of the history that cannot be read is moved away and named; gaps are kept beside the files.

import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { KEYS, TapeWorld } from './tape-world.ts';

test('a torn file is moved to set-aside and named in the standing, and a failing disk moves nothing', async () => {
  using folder = temporaryFolder();
  await using world = new TapeWorld({ path: folder.path, liveTicksMax: 1 });
  await world.start();
  world.putFixture(1);
  world.feedIsBack();
  world.putQuote(1, KEYS[0]!, 10_100);
  world.publish();
  const { files } = await world.taped();
  const [path] = files;
  writeFileSync(join(folder.path, path!), 'torn');
  await world.tape.setAside(path!, Object.assign(new Error('no more descriptors'), { code: 'EMFILE' }));
  expect(existsSync(join(folder.path, path!))).toBe(true);
  await world.tape.setAside(path!, new Error('not a Parquet file'));
  expect(world.tape.standing().setAside).toEqual([path]);
  expect(existsSync(join(folder.path, path!))).toBe(false);
  expect(existsSync(join(folder.path, 'set-aside', path!))).toBe(true);
});

test('gaps.parquet that cannot be read is set aside, and the tape goes on', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'gaps.parquet'), 'torn');
  await using world = new TapeWorld({ path: folder.path });
  await world.start();
  world.feedIsBack();
  expect(world.tape.standing().setAside).toEqual(['gaps.parquet']);
  expect(world.tape.gaps()).toEqual([]);
});
