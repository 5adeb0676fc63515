// A login lock-out that strangers cannot trigger for the owner. Attempts on an account are counted separately
// for each device and network that has logged in to it before, and jointly for all other clients. A client
// that guesses passwords locks out strangers, including itself, but never the owner's known devices. Based on
// OWASP's "device cookies".

import { DAY_MS } from '../../clock.ts';
import type { AccountParts } from '../account-parts.ts';
import { CLIENT_KNOWN_DAYS } from '../limits.ts';
import { createDeviceToken } from './secrets.ts';

/** Where a login comes from. */
export interface LoginClient {
  readonly address: string;
  /** The token of the client's device cookie, or null. */
  readonly device: string | null;
}

export class LoginGuard {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /**
   * Counts a login attempt for the account of an e-mail address, whether or not the account exists.
   * @returns whether the client's device or network has logged in to that account before
   * @throws ServiceError rate_limit_exceeded; upstream_unavailable, and nothing is counted, when too many
   * passwords of strangers wait. This check writes nothing, so owners do not wait behind a flood.
   */
  async admit(email: string, client: LoginClient): Promise<boolean> {
    const parts = this.#parts;
    const known = await this.#knownAs(parts.idOf(email), client);
    if (known === null) parts.options.hasher.requireRoom(parts.stranger(client.address));
    await parts.throttle('loginPerAddress', parts.from(client.address));
    await parts.throttle('loginPerAccount', `${parts.for(email)} ${known ?? 'strangers'}`);
    return known !== null;
  }

  /** Remembers a client that has logged in as the owner. @returns the token for its device cookie */
  async welcome(accountId: string, client: LoginClient): Promise<string> {
    const { attempts, clock, fillRandom } = this.#parts.options;
    const device = client.device ?? createDeviceToken(fillRandom);
    const expiresAtMs = clock.wallMs() + CLIENT_KNOWN_DAYS * DAY_MS;
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

  /**
   * Keyed hashes of the client's device, if it has a token, and of its network. A plain hash of a network
   * could be reversed by trying all networks, which are few.
   */
  #hashesOf(accountId: string, { address, device }: LoginClient): string[] {
    const network = this.#parts.sealed(`${accountId} ${this.#parts.from(address)}`);
    return device === null ? [network] : [this.#parts.sealed(`${accountId} device ${device}`), network];
  }
}
