// Entry for the conformance suites and the Inspector: the production MCP endpoint with stub tools and the
// suites' fixtures. Prints its address on one line of standard output and ends when its standard input ends.

import { KEYLESS } from '../../src/domain/tiers.ts';
import { McpEndpoint } from '../../src/mcp/handler.ts';
import { registerContent } from './conformance-content.ts';
import { createStateCodec, registerQuestions } from './conformance-questions.ts';
import { PUBLIC_URL, serveStubs } from './stub-tools.ts';

const codec = createStateCodec();
const endpoint = new McpEndpoint({
  tools: serveStubs(),
  version: '0.0.0',
  publicUrl: PUBLIC_URL,
  allowedHostnames: ['localhost', '127.0.0.1', '[::1]'],
  allowedOriginHostnames: ['localhost', '127.0.0.1', '[::1]'],
  report: (where, failure) => console.error(where, failure),
  extension: {
    options: { requestState: { verify: codec.verify } },
    register(server, context) {
      registerContent(server, context);
      registerQuestions(server, codec);
    },
  },
});

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => endpoint.fetch(request, { principal: KEYLESS, nowMs: 0 }),
});
console.log(`http://127.0.0.1:${server.port}/mcp`);
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
