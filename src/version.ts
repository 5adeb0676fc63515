// The version of the package, also reported by MCP; and the supported versions of Bun.

import packageJson from '../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;
/** A range such as `>=1.4.5`. */
export const BUN_VERSIONS: string = packageJson.engines.bun;
