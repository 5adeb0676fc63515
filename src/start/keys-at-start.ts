// What whoever starts a server is told of keys: the first one, made for them in development, which there are, and a link that
// opens the board with one.

import { SharedTime } from '../access/beat.ts';
import { attachAccessMemory } from '../access/memory.ts';
import { Tickets } from '../access/tickets.ts';
import { DEVELOPMENT_KEY_LABEL, ensureDevelopmentKey } from '../accounts/key-service.ts';
import type { KeyRepository } from '../accounts/repository.ts';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { PROGRAM_COMMAND } from '../program-files.ts';
import { fillRandom } from './random.ts';
import type { ServiceDatabase } from './service-database.ts';

/**
 * Makes the development key where it is wanted and there is none yet, and says which keys there are otherwise.
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

/** On a first development start: makes one enterprise key, so that whoever tries the API sees the sharp book too. */
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

/** Which key there is, without its text, and how to make another. */
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

/** The board with a ticket of the development key, so that the first look is a live one; null when that key is gone. */
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
  const ticket = new Tickets(ticketMemory, { thread, fillRandom }).issue(hash, time.nowMs());
  return `${url}/?ticket=${ticket}`;
}
