// Serves the tools to one client over standard input and output, in whichever protocol era it opens with. Nothing but
// protocol goes to standard output. Ends when standard input closes.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServerFactory, type ServerFactoryOptions } from './server-factory.ts';

/** Serves until standard input ends or the client is gone. Resolves then; the caller exits the process. */
export async function serveUntilInputEnds(options: ServerFactoryOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdout.once('error', () => resolve());
  });
  const handle = serveStdio(createServerFactory(options), {
    transport: new StdioServerTransport(),
    onerror: (failure) => options.report('stdio', failure),
  });
  await ended;
  await handle.close();
}
