// The package's version, once: what MCP says of itself.

import packageJson from '../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;
