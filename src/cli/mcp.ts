// `overround mcp`: the tools as an MCP server over standard input and output.

import { readServerSettings } from '../terminal/server-settings.ts';
import type { Command } from './command.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serves the tools over stdio, of the server at OVERROUND_URL or of one of its own',
  run: async ({ environment }) => {
    const { runStdioServer, createEmbeddedTools } = await import('./mcp-stdio.ts');
    return await runStdioServer(readServerSettings(environment), createEmbeddedTools);
  },
};
