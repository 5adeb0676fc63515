// Attacks a server in one way or in several at once, while customers are served and others log in.

import { type AttackSite, after, type Served } from './attack-site.ts';
import { ATTACKS, type AttackName, type AttackSize, openAll } from './attacks.ts';
import type { CrowdAttackName, CrowdReport } from './body-attacks.ts';
import { LATE_SECONDS_MAX } from './wire-text.ts';

export type AnyAttackName = AttackName | CrowdAttackName;

interface OrderedAttack {
  readonly name: AnyAttackName;
  readonly size: AttackSize;
  /**
   * After its set time, the attack continues until each of these statuses was the answer to some of its
   * requests, for at most LATE_SECONDS_MAX longer.
   */
  readonly awaited: readonly string[];
}

export interface AttackedTogether {
  readonly customers: Served;
  /** How often log-ins from addresses that attack nothing got each status. */
  readonly logins: Readonly<Record<string, number>>;
  /** The answers that the attackers saw, in the order of the attacks. */
  readonly reports: readonly AttackReport[];
}

/** How many requests of an attack got each status; `open` and `none` count those without an answer. */
type AttackReport = Pick<CrowdReport, 'strangers'> & Partial<CrowdReport>;

const NO_ACCOUNT = { session: '', alertId: '', endpoint: '', keyId: '' };
/** The attacks of somebody who has an account. */
const OF_ACCOUNTS: ReadonlySet<AnyAttackName> = new Set(['alertRules', 'keyChurn']);
const CHECK_PAUSE_MS = 50;

/** Attacks a server in each of these ways at the same time, each from its own addresses. */
export async function attackTogether(
  site: AttackSite,
  attacks: readonly OrderedAttack[],
): Promise<AttackedTogether> {
  const oddsPaths = await site.oddsPaths();
  const cursor = await site.cursorWithoutKey();
  const starts = await Promise.all(
    attacks.map(async (attack) => {
      const { name } = attack;
      if (isAttackName(name)) return () => holdOpen(site, { ...attack, name });
      const account = OF_ACCOUNTS.has(name) ? await site.accountFacts() : NO_ACCOUNT;
      const facts = { key: site.attackerKey, freeKeys: site.freeKeys, cursor, oddsPaths, ...account };
      const { port, trustsHeaders } = site;
      return () => site.crowd({ ...attack, name, ...facts, port, trustsHeaders, block: site.nextBlock() });
    }),
  );
  let isOver = false;
  let logins: Readonly<Record<string, number>> = {};
  let reports: readonly AttackReport[] = [];
  const attack = async (): Promise<void> => {
    reports = await Promise.all(starts.map((start) => start()));
    isOver = true;
  };
  const customers = await site.serveCustomers(oddsPaths, async () => {
    [logins] = await Promise.all([site.logIn(() => isOver), attack()]);
  });
  return { customers, logins, reports };
}

/** Sends the requests of an attack once. Answers that were not read are read when its time is over. */
async function holdOpen(
  site: AttackSite,
  { name, size, awaited }: OrderedAttack & { readonly name: AttackName },
): Promise<AttackReport> {
  const [isLate, isTooLate] = [after(size.seconds), after(size.seconds + LATE_SECONDS_MAX)];
  const clients = await openAll(site, ATTACKS[name], size);
  const counted = (): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { statuses } of clients) {
      for (const status of statuses.length === 0 ? ['open'] : statuses)
        counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  };
  while (!isLate()) await Bun.sleep(CHECK_PAUSE_MS);
  for (const client of clients) client.startReading();
  while (!isTooLate() && awaited.some((status) => counted()[status] === undefined)) {
    await Bun.sleep(CHECK_PAUSE_MS);
  }
  const strangers = counted();
  for (const client of clients) client.end();
  return { strangers };
}

function isAttackName(name: AnyAttackName): name is AttackName {
  return name in ATTACKS;
}
