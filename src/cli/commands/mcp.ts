// `overround mcp`: serves the tools as an MCP server over standard input and output.

import { findLocalServer } from '../../terminal/server.ts';
import { readServerSettings } from '../../terminal/server-settings.ts';
import type { Command } from '../command.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary:
    'Serves the tools over stdio, from the server at OVERROUND_URL, a local server, or one that it starts',
  run: async ({ environment }) => {
    const { runStdioServer, createEmbeddedTools } = await import('../mcp-stdio.ts');
    const settings = readServerSettings(environment);
    const url = settings.url ?? (await findLocalServer(environment));
    return await runStdioServer({ ...settings, url }, createEmbeddedTools);
  },
};
