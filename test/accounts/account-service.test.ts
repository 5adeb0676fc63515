import { describe, expect, spyOn, test } from 'bun:test';
import { networkTextOf } from '../../src/access/client-address.ts';
import { ATTEMPT_LIMITS } from '../../src/accounts/credentials/attempts.ts';
import { hashText, isWellFormedKey } from '../../src/accounts/credentials/secrets.ts';
import {
  ACTIVE_KEYS_PER_ACCOUNT_MAX,
  CODE_LASTS_MS,
  HASHES_AT_ONCE_MAX,
  HASHES_WAITING_MAX,
  UNVERIFIED_ACCOUNTS_MAX,
  UNVERIFIED_PER_SIGNUP_MAX,
} from '../../src/accounts/limits.ts';
import { AccountsBench, failureOf, PASSWORD, START_MS } from './support.ts';

const EMAIL = 'ana@example.com';
const HOME = '192.0.2.1';

// test/service/sign-up.test.ts tests the whole path over HTTP, from sign-up to a revoked key.
test('the database holds no password, key or token, only hashes of them', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  await service.signup({ email: ' Ana@Example.com ', password: PASSWORD }, HOME);
  expect(bench.mails.map(({ to }) => to)).toEqual([EMAIL]);
  const early = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  expect(await failureOf(bench.keyService.create({}, await bench.bearer(early.session_token)))).toBe(
    'forbidden',
  );
  await service.verify({ email: EMAIL, code: bench.code() }, HOME);
  const login = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  expect(login.expires_at).toBe('2026-04-03T10:00:00.000Z');
  const session = await bench.bearer(login.session_token);
  const created = await bench.keyService.create({ label: 'first' }, session);
  expect(isWellFormedKey(created.key)).toBe(true);
  const rotated = await bench.keyService.rotate(created.key_id, session);
  const { key: _secret, ...view } = created;
  expect(rotated).toEqual({ ...view, last4: rotated.key.slice(-4), key: rotated.key });
  await bench.keyService.revoke(created.key_id, session);
  // The three changes are the verification (from then on, sessions count as keys), the rotation and the
  // revocation.
  expect(bench.keysChanged).toBe(3);
  const stored = JSON.stringify(
    ['accounts', 'sessions', 'api_keys', 'verification_codes', 'attempts'].map((table) =>
      bench.database.query(`SELECT * FROM ${table}`).all(),
    ),
  );
  for (const secret of [PASSWORD, created.key, rotated.key, login.session_token]) {
    expect(stored).not.toContain(secret);
  }
  expect(stored).toContain('$argon2id$');
});

test('a log-in replaces a hash of another cost, and a wrong password does not', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
  await service.verify({ email: EMAIL, code: bench.code() }, HOME);
  const stored = async () => (await bench.accounts.findAccountByEmail(EMAIL))!;
  const { id, passwordHash: now } = await stored();
  const former = await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 16, timeCost: 1 });
  await bench.accounts.replaceHash(id, { before: now, after: former });
  expect(await failureOf(service.login({ email: EMAIL, password: 'a wrong password' }, HOME))).toBe(
    'unauthorized',
  );
  expect((await stored()).passwordHash).toBe(former);
  await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  const { passwordHash } = await stored();
  expect(passwordHash.split('$')[3]).toBe(now.split('$')[3]);
  await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  expect((await stored()).passwordHash).toBe(passwordHash);
});

describe('a flood of sign-ups', () => {
  test('a network may sign up 60 times an hour, and all networks 1,000 times; only sign-ups that send a mail count', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const signUp = (address: string) =>
      failureOf(service.signup({ email: `${bench.mails.length}@example.com`, password: PASSWORD }, address));
    const outcomesOf = async (count: number, addressOf: (index: number) => string): Promise<string[]> => {
      const outcomes: string[] = [];
      for (let index = 0; index < count; index++) outcomes.push(await signUp(addressOf(index)));
      return outcomes;
    };
    const of48 = await outcomesOf(61, (index) => `2001:db8:1:${index.toString(16)}::1`);
    expect(of48).toEqual([...new Array(60).fill('none'), 'rate_limit_exceeded']);
    const of24 = await outcomesOf(61, (index) => `192.0.2.${index}`);
    expect(of24).toEqual([...new Array(60).fill('none'), 'rate_limit_exceeded']);
    // Strangers sign up one address from many networks; after 20 mails none is sent for it any more.
    for (let index = 0; index < 40; index++)
      await service.signup({ email: EMAIL, password: PASSWORD }, `2001:db8:f${index.toString(16)}::1`);
    expect(bench.mails).toHaveLength(140);
    await bench.countAttempts('signupInAll', 'all', ATTEMPT_LIMITS.signupInAll.max - 140 - 20);
    const others = await outcomesOf(21, (index) => `198.51.100.${index}`);
    expect(others).toEqual([...new Array(20).fill('none'), 'upstream_unavailable']);
    bench.nowMs += 3_600_000;
    expect(await signUp('198.51.100.1')).toBe('none');
  }, 60_000);

  test('when the shared limit is used up, networks with few sign-ups may continue until a quarter more is used', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await bench.signIn(service, EMAIL);
    bench.nowMs += 3_600_000;
    bench.mails.length = 0;
    const signUp = (address: string, email = `${bench.mails.length}@example.com`) =>
      failureOf(service.signup({ email, password: PASSWORD }, address));
    const { max } = ATTEMPT_LIMITS.signupInAll;
    // 20 networks use up the limit. The last sign-up of each is a real one.
    const networks = 20;
    await bench.countAttempts('signupInAll', 'all', max - networks);
    for (let index = 0; index < networks; index++) {
      const network = `network ${networkTextOf(`198.51.${index}.0`)}`;
      await bench.countAttempts('signupPerNetwork', network, max / networks - 1);
    }
    for (let index = 0; index < networks; index++) {
      expect(await signUp(`198.51.${index}.0`)).toBe('none');
      bench.nowMs += 1_000;
    }
    // Refused sign-ups use up no mail of the address, and get the same answer with and without an account.
    for (const email of [EMAIL, 'new@example.com'])
      for (let index = 0; index < 40; index++)
        expect(await signUp(`198.51.${index % 20}.${100 + index}`, email)).toBe('upstream_unavailable');
    for (const email of [EMAIL, 'new@example.com']) {
      expect(await signUp('203.0.113.7', email)).toBe('none');
      expect(bench.mails.at(-1)!.to).toBe(email);
    }
    expect(await signUp('203.0.113.7')).toBe('none');
    expect(await signUp('203.0.113.7')).toBe('upstream_unavailable');
    const further = 20;
    await bench.countAttempts('signupOfFewInAll', 'all', ATTEMPT_LIMITS.signupOfFewInAll.max - 3 - further);
    for (let index = 0; index < further; index++)
      expect(await signUp(`2001:db8:${index.toString(16)}::1`)).toBe('none');
    expect(bench.mails).toHaveLength(networks + 3 + further);
    expect(await signUp('203.0.114.7')).toBe('upstream_unavailable');
    expect(await signUp('203.0.114.7', EMAIL)).toBe('upstream_unavailable');
  }, 60_000);

  test('addresses that differ only in their tag share one limit of mails; the address without a tag does not count towards it', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const signUp = (email: string, index: number) =>
      service.signup({ email, password: PASSWORD }, `198.51.${index}.1`);
    for (let index = 0; index < 30; index++) await signUp(`ana+${index}@example.com`, index);
    expect(bench.mails).toHaveLength(20);
    await signUp(EMAIL, 40);
    expect(bench.mails.at(-1)!.to).toBe(EMAIL);
  });

  test('while the queue of passwords is full, a sign-up is refused before it reads or writes a table', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const gate = Promise.withResolvers<string>();
    const hash = spyOn(Bun.password, 'hash').mockImplementation(() => gate.promise);
    try {
      const stranger = { name: networkTextOf(HOME), isOwner: false };
      const waiting = Array.from({ length: HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX }, () =>
        bench.hasher.hash(PASSWORD, stranger),
      );
      const deletes = spyOn(bench.accounts, 'deleteExpired');
      const refused = await failureOf(service.signup({ email: EMAIL, password: PASSWORD }, HOME));
      expect(refused).toBe('upstream_unavailable');
      expect(deletes).not.toHaveBeenCalled();
      expect(bench.database.query('SELECT count(*) AS rows FROM attempts').get()).toEqual({ rows: 0 });
      gate.resolve('a hash');
      await Promise.all(waiting);
    } finally {
      hash.mockRestore();
    }
  });

  test('unverified accounts are bounded; when they are full, the oldest without a valid code make room', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const count = async () => (await bench.accounts.countAccounts()).signUps;
    const signUp = (name: string) =>
      failureOf(service.signup({ email: `${name}@example.com`, password: PASSWORD }, HOME));
    expect(await signUp('first')).toBe('none');
    expect(await signUp('owner')).toBe('none');
    await service.verify({ email: 'owner@example.com', code: bench.code() }, HOME);
    bench.database.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
       INSERT INTO accounts (id, email, password_hash, plan, created_at_ms)
       SELECT 'acc_' || n, n || '@example.com', 'hash', 'free', ?2 + n FROM numbers`,
      [UNVERIFIED_ACCOUNTS_MAX - 1, START_MS],
    );
    const full = UNVERIFIED_ACCOUNTS_MAX + 1;
    // An address with an account gets the same answer as one without.
    for (const name of ['new', 'first', 'owner'])
      expect([name, await signUp(name)]).toEqual([name, 'upstream_unavailable']);
    expect(await count()).toBe(full);
    bench.nowMs += CODE_LASTS_MS + UNVERIFIED_ACCOUNTS_MAX;
    bench.database.run(
      `INSERT INTO verification_codes (account_id, code_hash, password_hash, expires_at_ms)
       VALUES ('acc_1', 'code', 'hash', ?)`,
      [bench.nowMs + 1],
    );
    expect(await signUp('new')).toBe('none');
    expect(await count()).toBe(full - UNVERIFIED_PER_SIGNUP_MAX + 1);
    for (const [name, isKept] of [
      ['first', false],
      ['1', true],
      ['2', false],
      ['owner', true],
    ] as const) {
      const found = bench.database.query('SELECT 1 FROM accounts WHERE email = ?').get(`${name}@example.com`);
      expect([name, found !== null]).toEqual([name, isKept]);
    }
  }, 30_000);
});

describe('signup and verify', () => {
  test('the answer does not reveal whether the address has an account, verified or not', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const answers = [];
    const first = await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
    answers.push(await service.signup({ email: EMAIL, password: 'another password' }, HOME));
    await service.verify({ email: EMAIL, code: bench.code() }, HOME);
    await bench.accounts.setPlan(first.account.id, 'realtime');
    answers.push(await service.signup({ email: EMAIL, password: PASSWORD }, HOME));
    for (const answer of answers) expect(answer).toEqual(first);
    expect(bench.mails.map((mail) => mail.code !== null)).toEqual([true, true, false]);
    expect((await service.login({ email: EMAIL, password: 'another password' }, HOME)).account.plan).toBe(
      'realtime',
    );
    const login = await service.login({ email: EMAIL, password: 'another password' }, HOME);
    expect(login.account.verified).toBe(true);
  });

  test('a stranger who signed up with somebody’s address has no access after its owner verified it', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await service.signup({ email: EMAIL, password: 'of the thief 1' }, '203.0.113.66');
    const stolen = await service.login({ email: EMAIL, password: 'of the thief 1' }, '203.0.113.66');
    await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
    const ownCode = bench.code();
    await service.signup({ email: EMAIL, password: 'of the thief 2' }, '203.0.113.66');
    await service.verify({ email: EMAIL, code: ownCode }, HOME);
    expect(await failureOf(bench.bearer(stolen.session_token))).toBe('unauthorized');
    for (const password of ['of the thief 1', 'of the thief 2']) {
      expect(await failureOf(service.login({ email: EMAIL, password }, '203.0.113.66'))).toBe('unauthorized');
    }
    expect((await service.login({ email: EMAIL, password: PASSWORD }, HOME)).account.verified).toBe(true);
  });

  test('a code is void after 30 minutes and after five wrong tries, and works once', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
    bench.nowMs += CODE_LASTS_MS;
    expect(await failureOf(service.verify({ email: EMAIL, code: bench.code() }, HOME))).toBe(
      'invalid_request',
    );
    await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
    const code = bench.code();
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++) {
      expect(await failureOf(service.verify({ email: EMAIL, code: wrong }, HOME))).toBe('invalid_request');
    }
    expect(await failureOf(service.verify({ email: EMAIL, code }, HOME))).toBe('invalid_request');
    await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
    bench.nowMs += CODE_LASTS_MS - 1;
    const last = bench.code();
    expect(await failureOf(service.verify({ email: EMAIL, code: last }, HOME))).toBe('none');
    expect(await failureOf(service.verify({ email: EMAIL, code: last }, HOME))).toBe('invalid_request');
    expect(await failureOf(service.verify({ email: 'nobody@example.com', code: last }, HOME))).toBe(
      'invalid_request',
    );
  });

  test('of parallel tries to enter a code, those beyond five are refused, even with the right code', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
    const code = bench.code();
    const wrong = code === '000000' ? '000001' : '000000';
    const tries = [wrong, wrong, wrong, wrong, wrong, code];
    const outcomes = await Promise.all(
      tries.map((one) => failureOf(service.verify({ email: EMAIL, code: one }, HOME))),
    );
    expect(outcomes).toEqual(new Array(6).fill('invalid_request'));
  });

  test('bad input is refused, and a password is never sent back', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const emails = [
      '',
      'a',
      '@',
      'a@b',
      'a b@c.de',
      'a@b.c\r\nBcc: x@y.z',
      'a@b.cc,d@e.ff',
      '<a@b.cc>',
      `${'x'.repeat(250)}@b.cc`,
    ];
    for (const email of emails) {
      expect(await failureOf(service.signup({ email, password: PASSWORD }, HOME))).toBe('validation_error');
    }
    for (const password of ['short 123', 'x'.repeat(129)]) {
      const refused: unknown = await service.signup({ email: EMAIL, password }, HOME).catch((error) => error);
      expect(refused).toMatchObject({ detail: [{ loc: ['body', 'password'], input: null }] });
      expect(JSON.stringify(refused)).not.toContain(password);
    }
    expect(bench.mails).toEqual([]);
  });
});

describe('login and sessions', () => {
  test('an unknown address and a wrong password get the same answer', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await bench.signIn(service, EMAIL);
    const messages = [];
    for (const email of [EMAIL, 'nobody@example.com']) {
      const error: unknown = await service
        .login({ email, password: 'not the password' }, HOME)
        .catch((e) => e);
      messages.push(JSON.stringify(error), String(error));
    }
    expect(messages.slice(0, 2)).toEqual(messages.slice(2));
  });

  test('a login for an unknown address verifies the hash of some account, also one of an older cost, and gets no session', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const { account } = await bench.signIn(service, EMAIL);
    const { passwordHash } = (await bench.accounts.findAccount(account.id))!;
    const after = await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 64, timeCost: 3 });
    await bench.accounts.replaceHash(account.id, { before: passwordHash, after });
    const verify = spyOn(Bun.password, 'verify');
    try {
      for (const email of [EMAIL, 'nobody@example.com', 'none@example.com'])
        await failureOf(service.login({ email, password: 'not the password' }, HOME));
      expect(verify.mock.calls.map(([, hash]) => hash)).toEqual([after, after, after]);
    } finally {
      verify.mockRestore();
    }
    const stranger = service.login({ email: 'nobody@example.com', password: PASSWORD }, HOME);
    expect(await failureOf(stranger)).toBe('unauthorized');
  });

  test('a session is reported when it begins, so that no thread treats its first request as one without a session', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await bench.signIn(service, EMAIL);
    bench.begun.length = 0;
    const { session_token } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
    expect(bench.begun).toEqual([[hashText(session_token), 'free']]);
    await failureOf(service.login({ email: EMAIL, password: 'not the password' }, HOME));
    expect(bench.begun).toHaveLength(1);
  });

  test('every login attempt is reported with the id of its account and its outcome', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const { account } = await bench.signIn(service, EMAIL);
    bench.logins.length = 0;
    await service.login({ email: EMAIL, password: PASSWORD }, HOME);
    for (let tries = 0; tries < 5; tries++) {
      await failureOf(service.login({ email: EMAIL, password: 'not the password' }, HOME));
    }
    const outcomes = ['let_in', 'refused', 'refused', 'refused', 'held', 'held'] as const;
    expect(bench.logins).toEqual(outcomes.map((outcome) => ({ accountId: account.id, outcome })));
    await failureOf(service.login({ email: 'nobody@example.com', password: 'not the password' }, HOME));
    expect(bench.logins.at(-1)!.accountId).toMatch(/^acc_(?!.*@)/);
    bench.accounts.findAccountByEmail = () => Promise.reject(new Error('a bug'));
    await service.login({ email: 'nobody@example.com', password: PASSWORD }, HOME).catch(() => {});
    expect(bench.logins.at(-1)!.outcome).toBe('failed');
  });

  test('log-in allows 5 tries a minute per email address, whether or not it has an account, and 20 per network; refused tries do not count', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    for (const email of [EMAIL, 'nobody@example.com']) {
      for (let tries = 0; tries < 5; tries++) {
        const login = service.login({ email, password: 'not the password' }, `198.51.100.${tries}`);
        expect(await failureOf(login)).toBe('unauthorized');
      }
      for (let tries = 0; tries < 3; tries++) {
        const login = service.login({ email, password: 'not the password' }, '198.51.100.9');
        expect(await failureOf(login)).toBe('rate_limit_exceeded');
      }
    }
    bench.nowMs += 60_000;
    for (let tries = 0; tries < 20; tries++) {
      const login = service.login(
        { email: `n${tries}@example.com`, password: 'not it at all' },
        '2001:db8::1',
      );
      expect(await failureOf(login)).toBe('unauthorized');
    }
    const late = service.login({ email: 'n21@example.com', password: 'not it at all' }, '2001:db8::2');
    expect(await failureOf(late)).toBe('rate_limit_exceeded');
    expect(await failureOf(service.login({ email: EMAIL, password: 'not it at all' }, HOME))).toBe(
      'unauthorized',
    );
  });

  test('a session ends 30 days after its login, not a millisecond earlier; logout ends only the current session', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const first = await bench.signIn(service, EMAIL);
    const { session_token } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
    await service.logout(first);
    expect(await bench.accounts.sessions.findSessionAccount(first.tokenHash, bench.nowMs)).toBeNull();
    bench.nowMs = START_MS + 30 * 86_400_000 - 1;
    expect((await bench.bearer(session_token)).account.email).toBe(EMAIL);
    bench.nowMs += 1;
    expect(await failureOf(bench.bearer(session_token))).toBe('unauthorized');
  });

  test('authenticate: takes a cookie or a bearer token; a write with a cookie needs an Origin of this site', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    await bench.signIn(service, EMAIL);
    const { session_token } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
    const cookie = `theme=dark; overround_session=${session_token}`;
    const base = { authorization: null, cookie, origin: null, host: '127.0.0.1:3000', isWrite: false };
    expect(await failureOf(bench.sessions.authenticate(base))).toBe('none');
    const names: [string, string][] = [
      [`__Host-${cookie.slice('theme=dark; '.length)}`, 'none'],
      [`${cookie}; __Host-overround_session=ses_another`, 'unauthorized'],
      [`overround_session=ses_another; __Host-overround_session=${session_token}`, 'none'],
      [`other-overround_session=${session_token}`, 'unauthorized'],
    ];
    for (const [text, failure] of names) {
      expect(await failureOf(bench.sessions.authenticate({ ...base, cookie: text }))).toBe(failure);
    }
    const origins: [string | null, string][] = [
      [null, 'forbidden'],
      ['null', 'forbidden'],
      ['https://evil.example', 'forbidden'],
      ['https://odds.example.com.evil.example', 'forbidden'],
      ['http://odds.example.com', 'forbidden'],
      ['http://evil.example@127.0.0.1:3000', 'forbidden'],
      ['http://127.0.0.1:3000/', 'forbidden'],
      ['ftp://127.0.0.1:3000', 'forbidden'],
      ['https://odds.example.com', 'none'],
      ['http://127.0.0.1:3000', 'none'],
    ];
    for (const [origin, failure] of origins) {
      expect(await failureOf(bench.sessions.authenticate({ ...base, origin, isWrite: true }))).toBe(failure);
    }
    for (const authorization of ['', 'Bearer x', `Bearer ${session_token}x`, `Basic ${session_token}`]) {
      expect(await failureOf(bench.sessions.authenticate({ ...base, authorization }))).toBe('unauthorized');
    }
    expect(await failureOf(bench.sessions.authenticate({ ...base, cookie: null }))).toBe('unauthorized');
  });
});

describe('plan and keys', () => {
  test('setPlan is not available in production, and refuses a plan that is not a tier', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const session = await bench.signIn(service, EMAIL);
    expect(await failureOf((await bench.service(true)).setPlan({ plan: 'standard' }, session))).toBe(
      'forbidden',
    );
    expect(await failureOf(service.setPlan({ plan: 'gold' }, session))).toBe('invalid_request');
    expect((await service.setPlan({ plan: 'standard' }, session)).account.plan).toBe('standard');
  });

  test('a key above the plan, and one key too many, are 402; an unknown tier is 400', async () => {
    using bench = new AccountsBench();
    const service = await bench.service();
    const session = await bench.signIn(service, EMAIL);
    expect(await failureOf(bench.keyService.create({ tier: 'standard' }, session))).toBe('plan_limit');
    expect(await failureOf(bench.keyService.create({ tier: 'gold' }, session))).toBe('invalid_request');
    expect(await failureOf(bench.keyService.create({ label: 'a\nb' }, session))).toBe('validation_error');
    for (let index = 0; index < ACTIVE_KEYS_PER_ACCOUNT_MAX; index++)
      await bench.keyService.create({}, session);
    expect(await failureOf(bench.keyService.create({}, session))).toBe('plan_limit');
  });
});
