// A lock-out that strangers cannot cause. Tries at an account are counted apart for each device and network that has
// logged in to it before, and together for everybody else: who guesses passwords locks out strangers, himself among
// them, and never the owner at home. After the "device cookies" of OWASP.

import type { AccountParts } from './account-parts.ts';
import { CLIENT_KNOWN_DAYS } from './limits.ts';
import { createDeviceToken } from './secrets.ts';

/** Where a log-in comes from. */
export interface LoginClient {
  readonly address: string;
  /** The token of its device cookie; null without one. */
  readonly device: string | null;
}

export class LoginGuard {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /**
   * Counts a try at the account of an address, whether there is one or not.
   * @throws ServiceError rate_limit_exceeded
   */
  async admit(email: string, client: LoginClient): Promise<void> {
    const parts = this.#parts;
    await parts.throttle('loginPerAddress', parts.from(client.address));
    const known = await this.#knownAs(parts.idOf(email), client);
    await parts.throttle('loginPerAccount', `${parts.for(email)} ${known ?? 'strangers'}`);
  }

  /** Notes that a client has proved to be the owner's. @returns the token for its device cookie */
  async welcome(accountId: string, client: LoginClient): Promise<string> {
    const { attempts, clock, fillRandom } = this.#parts.options;
    const device = client.device ?? createDeviceToken(fillRandom);
    const expiresAtMs = clock.wallMs() + CLIENT_KNOWN_DAYS * 86_400_000;
    for (const hash of this.#hashesOf(accountId, { ...client, device })) {
      await attempts.rememberClient(accountId, hash, expiresAtMs);
    }
    return device;
  }

  async #knownAs(accountId: string, client: LoginClient): Promise<string | null> {
    const { attempts, clock } = this.#parts.options;
    for (const hash of this.#hashesOf(accountId, client)) {
      if (await attempts.knowsClient(accountId, hash, clock.wallMs())) return hash;
    }
    return null;
  }

  /** Sealed, because there are few enough networks to try them all. */
  #hashesOf(accountId: string, { address, device }: LoginClient): string[] {
    const network = this.#parts.sealed(`${accountId} ${this.#parts.from(address)}`);
    return device === null ? [network] : [this.#parts.sealed(`${accountId} device ${device}`), network];
  }
}
