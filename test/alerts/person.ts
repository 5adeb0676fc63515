import { AccountClient } from '../support/account-client.ts';

/** A logged-in person with this plan. The service must trust 127.0.0.1 as a proxy. */
export async function personOf(
  service: { readonly url: string; readonly dataDir: string },
  email: string,
  plan: string,
): Promise<AccountClient> {
  const client = new AccountClient(service, { email, address: '203.0.113.7' });
  await client.enter();
  await client.send('POST', '/platform/account/plan', { plan });
  return client;
}
