// A Python that can run the Python client: 3.10 or later, with httpx. It is searched for once.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = new URL('../../clients/python/', import.meta.url).pathname;
/**
 * The places to search. A virtual environment in the folder of the client comes first. The python3 of PATH
 * may be a script of a version manager, which is slow to start.
 */
const CANDIDATES = [join(CLIENT, '.venv/bin/python'), '/usr/bin/python3', Bun.which('python3')];

const PROBE = `
import importlib.util, sys
if sys.version_info < (3, 10): sys.exit(1)
print(" ".join(name for name in ("httpx", "websockets.sync", "pandas", "msgpack") if importlib.util.find_spec(name.split(".")[0]) and importlib.util.find_spec(name)))
`;

interface Python {
  readonly path: string;
  readonly hasWebSockets: boolean;
  readonly hasPandas: boolean;
  readonly hasMessagePack: boolean;
  /** The environment variables with which Python finds the client. */
  readonly env: Readonly<Record<'PYTHONPATH' | 'PYTHONDONTWRITEBYTECODE' | 'LD_PRELOAD', string>>;
}

function found(): Python | null {
  for (const path of CANDIDATES) {
    if (path === null || !existsSync(path)) continue;
    const probe = Bun.spawnSync([path, '-c', PROBE]);
    const modules = probe.stdout.toString().trim().split(' ');
    if (probe.exitCode !== 0 || !modules.includes('httpx')) continue;
    return {
      path,
      hasWebSockets: modules.includes('websockets.sync'),
      hasPandas: modules.includes('pandas'),
      hasMessagePack: modules.includes('msgpack'),
      // Without libfaketime, under which Python cannot sleep. The clients do not compare their clock with the
      // server's.
      env: { PYTHONPATH: join(CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1', LD_PRELOAD: '' },
    };
  }
  return null;
}

export const PYTHON = found();

/** Appended to the names of skipped tests. */
export const PYTHON_NOTE = PYTHON === null ? ' (skipped: no Python 3.10 or later with httpx)' : '';
