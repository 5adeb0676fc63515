// The key that the first start creates.

import { describe, expect, test } from 'bun:test';
import { isWellFormedKey } from '../../src/accounts/credentials/secrets.ts';
import { ensureDevelopmentKey } from '../../src/accounts/keys/key-service.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { AccountsBench } from '../accounts/support.ts';

describe('ensureDevelopmentKey', () => {
  test('ensureDevelopmentKey creates one enterprise key, or no key if one is active', async () => {
    using bench = new AccountsBench();
    const options = { keys: bench.keys, clock: bench.clock, fillRandom };
    const made = await ensureDevelopmentKey(options);
    expect(made?.record).toMatchObject({ tier: 'enterprise', accountId: null, status: 'active' });
    expect(isWellFormedKey(made?.text ?? '')).toBe(true);
    expect(await ensureDevelopmentKey(options)).toBeNull();
    expect(await bench.keys.listAllKeys()).toHaveLength(1);
  });
});
