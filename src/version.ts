// The version of the package, also reported by MCP; and the supported versions of Bun.

import { engines, version } from '../package.json';

export const VERSION: string = version;
/** A range such as `>=1.4.5`. */
export const BUN_VERSIONS: string = engines.bun;
