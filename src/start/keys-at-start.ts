// The start-up messages about keys: the first key, created in development; which keys exist; and a link that
// opens the board with the development key.

import { SharedTime } from '../access/heartbeat.ts';
import { LINK_TICKET_LIVES_MS } from '../access/limits.ts';
import { attachAccessMemory } from '../access/quotas/memory.ts';
import { Tickets } from '../access/tickets.ts';
import type { KeyRepository } from '../accounts/keys/key-repository.ts';
import { DEVELOPMENT_KEY_LABEL, ensureDevelopmentKey } from '../accounts/keys/key-service.ts';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { PROGRAM_COMMAND } from '../program-files.ts';
import type { ServiceDatabase } from './data/service-database.ts';
import { fillRandom } from './threads/random.ts';

/**
 * Creates the development key if it is wanted and no key is active. Otherwise logs which keys exist.
 * @returns the text of the new key, or null
 */
export async function keyAtStart(
  { keys, atStart }: Pick<ServiceDatabase, 'keys' | 'atStart'>,
  log: Log,
  isWanted: boolean,
): Promise<string | null> {
  const made = isWanted ? await atStart(() => developmentKeyOf(keys, log)) : null;
  if (made === null) await atStart(() => logKeys(keys, log));
  return made;
}

/**
 * On a first development start, creates one enterprise key, so that the API can be tried with the sharp book
 * visible.
 */
async function developmentKeyOf(keys: KeyRepository, log: Log): Promise<string | null> {
  const shown = await ensureDevelopmentKey({ keys, clock: systemClock, fillRandom });
  if (shown === null) return null;
  log.info('development_key', {
    key: shown.text,
    tier: shown.record.tier,
    another: `${PROGRAM_COMMAND} keys create --tier standard`,
  });
  return shown.text;
}

/**
 * Logs how many keys are active, the tier and last four characters of the newest, and how to create another.
 */
async function logKeys(keys: KeyRepository, log: Log): Promise<void> {
  const active = (await keys.listAllKeys()).filter((key) => key.status === 'active');
  const newest = active.at(-1);
  log.info('keys', {
    active: active.length,
    ...(newest === undefined ? {} : { newest: `isk_…${newest.lastFour}`, tier: newest.tier }),
    another: `${PROGRAM_COMMAND} keys create --tier standard`,
  });
}

export interface BoardLinkParts {
  readonly url: string;
  readonly keys: KeyRepository;
  readonly accessMemory: SharedArrayBuffer;
  readonly ticketMemory: SharedArrayBuffer;
  /** A number that no serving thread has. */
  readonly thread: number;
}

/**
 * A link to the board with a ticket of the development key, so that it opens with live prices; null if that
 * key no longer exists.
 */
export async function boardLink({
  url,
  keys,
  accessMemory,
  ticketMemory,
  thread,
}: BoardLinkParts): Promise<string | null> {
  const hash = await keys.findOperatorHash(DEVELOPMENT_KEY_LABEL);
  if (hash === null) return null;
  const time = new SharedTime(attachAccessMemory(accessMemory), systemClock);
  const tickets = new Tickets(ticketMemory, { thread, fillRandom });
  const key = { keyHash: hash, ownerId: hash, isFree: false };
  const ticket = tickets.issue(key, time.nowMs(), LINK_TICKET_LIVES_MS);
  return `${url}/?ticket=${ticket}`;
}
