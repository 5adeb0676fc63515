// A stdio server with stub tools instead of an embedded service. It prints text in the ways in which a
// library might.

import { runStdioServer } from '../../src/cli/mcp-stdio.ts';
import { systemClock } from '../../src/clock.ts';
import { STANDARD } from './serve.ts';
import { PUBLIC_URL, serveStubs } from './stub-tools.ts';

const exitCode = await runStdioServer({ url: null, apiKey: null }, async () => {
  console.log('a library says hello');
  return {
    tools: serveStubs(),
    publicUrl: PUBLIC_URL,
    principal: STANDARD,
    clock: systemClock,
    close: async () => {
      console.info('a library says goodbye');
    },
  };
});
process.exit(exitCode);
