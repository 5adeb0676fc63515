// A person who rotates a key through nginx again and again, and remembers what was acknowledged: that key works on every
// node, and the one before it on none.

import type { Cluster } from '../../scripts/cluster/cluster.ts';
import { AccountClient } from '../support/account-client.ts';

const ROTATION_PAUSE_MS = 300;
const ANSWER_MS = 10_000;
/** By then a revoked key is dead on all nodes. */
const REVOKED_WITHIN_MS = 1_000;

export class KeyHolder {
  acknowledged = 0;
  refused = 0;
  readonly #cluster: Cluster;
  readonly #token: string;
  #keyId = '';
  #key = '';
  /** The key before, and when its end was acknowledged. */
  #former: { readonly key: string; readonly atMs: number } | null = null;
  /** A rotation was sent, and nobody knows what became of it. */
  #isUnsure = true;
  #isEnded = false;

  private constructor(cluster: Cluster, token: string) {
    this.#cluster = cluster;
    this.#token = token;
  }

  /** Signs up at the first serving node, whose outbox has the code, and logs in. */
  static async enter(cluster: Cluster): Promise<KeyHolder> {
    const client = new AccountClient(cluster.serving[0]!, {
      email: 'holder@example.com',
      address: '10.9.0.1',
    });
    await client.enter();
    return new KeyHolder(cluster, client.token);
  }

  async run(): Promise<void> {
    while (!this.#isEnded) {
      if (this.#isUnsure) await this.#newKey();
      else await this.#rotate();
      await Bun.sleep(ROTATION_PAUSE_MS);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  /** What was acknowledged is so on every node. @throws Error when it is not */
  async check(): Promise<void> {
    const [key, former] = [this.#key, this.#former];
    if (this.#isUnsure) return;
    const statuses = await Promise.all(this.#cluster.serving.map(({ url }) => statusOf(url, key)));
    const isOld = former !== null && performance.now() - former.atMs > REVOKED_WITHIN_MS;
    const dead = isOld
      ? await Promise.all(this.#cluster.serving.map(({ url }) => statusOf(url, former.key)))
      : [];
    if (key !== this.#key || this.#isUnsure) return; // it was rotated meanwhile
    if (statuses.some((status) => status === 401))
      throw new Error(`An acknowledged key is answered ${statuses}`);
    if (dead.some((status) => status === 200)) throw new Error(`A key that was replaced is answered ${dead}`);
  }

  async #newKey(): Promise<void> {
    const answer = await this.#send('/platform/keys', { label: 'holder' });
    if (answer === null) return;
    this.#keyId = answer.key_id;
    this.#key = answer.key;
    this.#former = null;
    this.#isUnsure = false;
  }

  async #rotate(): Promise<void> {
    const former = this.#key;
    this.#isUnsure = true;
    const answer = await this.#send(`/platform/keys/${this.#keyId}/rotate`);
    if (answer === null) return;
    this.#former = { key: former, atMs: performance.now() };
    this.#key = answer.key;
    this.#isUnsure = false;
  }

  /** @returns null when it was not acknowledged */
  async #send(
    path: string,
    body?: object,
  ): Promise<{ readonly key: string; readonly key_id: string } | null> {
    let status = 0;
    try {
      const response = await fetch(this.#cluster.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      status = response.status;
      const answer = (await response.json()) as { key: string; key_id: string };
      if (status === 200) {
        this.acknowledged++;
        return answer;
      }
    } catch {
      // Its node has gone, or nginx answered in its place: nobody knows what became of it.
    }
    if (status === 401) throw new Error('A session that lasts is answered 401');
    this.refused++;
    return null;
  }
}

async function statusOf(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/v1/sports`, { headers, keepalive: false });
  await response.arrayBuffer();
  return response.status;
}
