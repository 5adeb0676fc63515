// Serves stub tools over HTTP as src/http does, and connects the SDK's own client with either protocol
// version.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { KEYLESS, type Principal } from '../../src/domain/tiers.ts';
import { McpEndpoint, type McpEndpointOptions } from '../../src/mcp/handler.ts';
import { PUBLIC_URL, type Reported, serveStubs } from './stub-tools.ts';

export const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key-1' };

/** Both protocol versions, pinned, and a client that finds the newer one by probing. */
export const ERAS = [
  { era: '2025', mode: 'legacy', protocol: '2025-11-25' },
  { era: '2026', mode: { pin: '2026-07-28' }, protocol: '2026-07-28' },
  { era: 'probed', mode: 'auto', protocol: '2026-07-28' },
] as const;

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly reported: readonly Reported[];
}

export function makeEndpoint(reported: Reported[], options: Partial<McpEndpointOptions> = {}): McpEndpoint {
  return new McpEndpoint({
    tools: serveStubs(reported),
    version: '1.2.3',
    publicUrl: PUBLIC_URL,
    allowedHostnames: ['127.0.0.1'],
    allowedOriginHostnames: ['app.test'],
    report: (where, failure) => reported.push({ where, failure }),
    ...options,
  });
}

/** A caller with any key is `standard`, without the gate that would check the key. */
export function serveEndpoint(options: Parameters<typeof makeEndpoint>[1] = {}): Served {
  const reported: Reported[] = [];
  const endpoint = makeEndpoint(reported, options);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const principal = request.headers.has('authorization') ? STANDARD : KEYLESS;
      return endpoint.fetch(request, { principal, nowMs: 0 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    reported,
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      await server.stop(true);
    },
  };
}

export type Mode = (typeof ERAS)[number]['mode'];

export function makeClient(mode: Mode): Client {
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
}

export async function connect(url: string, mode: Mode, key?: string): Promise<Client & AsyncDisposable> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const client = makeClient(mode);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** The text of a tool's answer: its sentence, and the data on its last line. */
export function textParts(text: string): { readonly sentence: string; readonly data: unknown } {
  const end = text.lastIndexOf('\n');
  return { sentence: text.slice(0, end), data: JSON.parse(text.slice(end + 1)) };
}
