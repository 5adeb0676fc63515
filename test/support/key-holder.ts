// A user who rotates a key again and again while faults happen to a server or a cluster. The user remembers
// what was acknowledged: the new key works, and the previous one does not.

const ANSWER_MS_MAX = 60_000;

interface KeyHolderOptions {
  /** The label of the keys. */
  readonly label: string;
  /** The pause between two rotations. */
  readonly pauseMs: number;
  /**
   * Sends a POST to a path of `/platform` as this user.
   * @throws when there is no answer
   */
  readonly send: (path: string, body: object) => Promise<{ readonly status: number; readonly body: unknown }>;
  /**
   * Calls with both keys.
   * @returns a description of what is wrong with the answers, null when they are correct
   */
  readonly judge: (key: string, former: string | null) => Promise<string | null>;
}

interface NewKey {
  readonly key: string;
  readonly key_id: string;
}

export class KeyHolder {
  acknowledged = 0;
  refused = 0;
  readonly #options: KeyHolderOptions;
  #keyId = '';
  #key = '';
  #former: string | null = null;
  /** Whether there is no key yet, or a rotation was sent and its result is unknown. */
  #isUnsure = true;
  #isEnded = false;

  constructor(options: KeyHolderOptions) {
    this.#options = options;
  }

  /** Rotates the key until `end` is called. */
  async run(): Promise<void> {
    while (!this.#isEnded) {
      if (this.#isUnsure) await this.#newKey();
      else await this.#rotate();
      await Bun.sleep(this.#options.pauseMs);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  /**
   * Checks that what was acknowledged still holds.
   * @throws Error when it does not
   */
  async check(): Promise<void> {
    if (this.#isUnsure) return;
    const key = this.#key;
    const wrong = await this.#options.judge(key, this.#former);
    if (key !== this.#key || this.#isUnsure) return; // the key was rotated meanwhile
    if (wrong !== null) throw new Error(wrong);
  }

  async #newKey(): Promise<void> {
    const answer = await this.#send('/platform/keys', { label: this.#options.label });
    if (answer !== null) this.#take(answer);
  }

  async #rotate(): Promise<void> {
    const former = this.#key;
    this.#isUnsure = true;
    const answer = await this.#send(`/platform/keys/${this.#keyId}/rotate`, {});
    if (answer === null) return;
    this.#former = former;
    this.#take(answer);
  }

  #take({ key, key_id }: NewKey): void {
    this.#keyId = key_id;
    this.#key = key;
    this.#isUnsure = false;
  }

  /** @returns the key, or null when the request was not acknowledged */
  async #send(path: string, body: object): Promise<NewKey | null> {
    let status = 0;
    try {
      const answer = await this.#options.send(path, body);
      status = answer.status;
      if (status === 200) {
        this.acknowledged++;
        return answer.body as NewKey;
      }
    } catch {
      // The server is gone, or a proxy answered in place of it, so the result is unknown.
    }
    if (status === 401) throw new Error('A session that lasts is answered 401');
    this.refused++;
    return null;
  }
}

/** The answer to a request with this key, sent over a connection of its own. */
export async function statusWithKey(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/sports`, {
    headers: { authorization: `Bearer ${key}` },
    keepalive: false,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  await response.arrayBuffer();
  return response.status;
}
