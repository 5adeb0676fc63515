// Sessions of an account: its owner lists them and ends one or all others. Sessions that are not used end
// automatically.

import type { Static } from '@sinclair/typebox';
import { toIsoText } from '../../clock.ts';
import type { SessionsAnswer, SessionsEndedAnswer } from '../../contract/platform.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountParts } from '../account-parts.ts';
import { hashText } from '../credentials/secrets.ts';
import type { Session } from './session.ts';

const ID_CHARS = 24;

export class SessionService {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** The account's live sessions, most recently used first. */
  async list({ account, tokenHash }: Session): Promise<Static<typeof SessionsAnswer>> {
    const { uses, clock } = this.#parts.options;
    const sessions = await uses.list(account.id, clock.wallMs());
    return {
      sessions: sessions.map((one) => ({
        session_id: idOf(one.tokenHash),
        client: one.client,
        created_at: toIsoText(one.createdAtMs),
        last_used_at: toIsoText(one.usedAtMs),
        expires_at: toIsoText(one.expiresAtMs),
        current: one.tokenHash === tokenHash,
      })),
    };
  }

  /**
   * Ends one session of the account, possibly the current one, or all others.
   * @throws ServiceError unauthorized for a wrong password, not_found for a session the account does not
   * have, rate_limit_exceeded
   */
  async end(
    body: { readonly password: string; readonly session_id?: string },
    { account, tokenHash }: Session,
  ): Promise<Static<typeof SessionsEndedAnswer>> {
    const { accounts, uses, clock } = this.#parts.options;
    await this.#parts.requirePassword(account, body.password);
    if (body.session_id === undefined) {
      return { ended_sessions: await accounts.sessions.deleteOtherSessions(account.id, tokenHash) };
    }
    const sessions = await uses.list(account.id, clock.wallMs());
    const named = sessions.find((one) => idOf(one.tokenHash) === body.session_id);
    if (named === undefined) {
      throw new ServiceError('not_found', 'Cannot end session: the account has no such session', {
        fix: 'Use a session_id from GET /platform/sessions; the session may have ended since',
      });
    }
    await accounts.sessions.deleteSession(named.tokenHash);
    return { ended_sessions: 1 };
  }
}

/** The id of a session shown to its owner. Neither the token nor its stored hash can be recovered from it. */
function idOf(tokenHash: string): string {
  return `sid_${hashText(`session ${tokenHash}`).slice(0, ID_CHARS)}`;
}
