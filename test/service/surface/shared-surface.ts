// One running service for all files that test/service/walk.test.ts runs. Starting it and compiling the
// schemas of its answers take longer than most of the files.

import { afterAll, beforeAll } from 'bun:test';
import { Surface } from '../../support/surface.ts';

export let surface: Surface;

beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 200 });
});
afterAll(() => surface[Symbol.asyncDispose]());
