// The running service of all files that test/service/walk.test.ts runs. Starting it and compiling the schemas
// of its answers takes longer than most of these files.

import { afterAll, beforeAll } from 'bun:test';
import { Surface } from '../../support/surface.ts';

export let surface: Surface;

beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 300 });
});
afterAll(() => surface[Symbol.asyncDispose]());
