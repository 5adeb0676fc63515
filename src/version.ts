// The package's version, once: what MCP says of itself; and which versions of Bun it runs on.

import packageJson from '../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;
/** As in `>=1.4.5`. */
export const BUN_VERSIONS: string = packageJson.engines.bun;
