// Every tool, called as every tier, on two recordings of real prices. A whole service serves one of them; a
// ToolDesk serves the other.

import { describe } from 'bun:test';
import { recordingPath } from '../support/recordings.ts';
import { holdAgainstOracle } from './against-oracle.ts';
import { ToolService } from './tool-service.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const ALWAYS = ['live', 'scheduled', 'finished', 'value', 'moved lines', 'open quotes', 'result found'];
/**
 * The Brazilian recording has two Asian bookmakers, the English one six. The English prices are closing
 * prices and never suspended, and its 380 matches have the same bookmakers, so every fifth is enough.
 */
const RECORDINGS = [
  { name: 'brazil-2022.ndjson', facts: [...ALWAYS, 'suspended quotes'], isServed: true, every: 1 },
  { name: 'premier-league-2024-25.ndjson', facts: [...ALWAYS, 'arbitrage'], isServed: false, every: 5 },
];

for (const { name, facts, isServed, every } of RECORDINGS) {
  const path = recordingPath(name);
  const note = path === null ? ' (skipped: the recordings are not beside the checkout)' : '';
  describe.skipIf(path === null)(`every tool on ${name}${note}`, () => {
    holdAgainstOracle(
      async () => {
        const service = isServed
          ? await ToolService.start({ FEED: `replay:${path}`, FEED_NOW: NOW })
          : await ToolService.playFile(path!, NOW);
        return { service, path: path!, now: NOW };
      },
      facts,
      every,
    );
  });
}
