// Every tool, called as every tier, on seeded slates of both sports, with cases that real prices seldom have.

import { describe } from 'bun:test';
import { runs } from '../support/runs.ts';
import { holdAgainstOracle } from './against-oracle.ts';
import { randomSlate } from './random-slate.ts';
import { ToolService } from './tool-service.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const FIXTURES = 55;
const FACTS = [
  ...['live', 'scheduled', 'finished', 'value', 'implausible value', 'arbitrage', 'moved lines'],
  ...['open quotes', 'suspended quotes', 'result found', 'result not_found'],
];

for (const seed of [1, 20_260_301].slice(0, runs(1))) {
  describe(`every tool on a made-up slate of seed ${seed}`, () => {
    holdAgainstOracle(async () => {
      const service = await ToolService.play(randomSlate(seed, Date.parse(NOW), FIXTURES), NOW);
      return { service, path: service.recordingPath!, now: NOW };
    }, FACTS);
  });
}
