import { describe, expect, test } from 'bun:test';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MAILS_AT_ONCE_MAX,
  MAILS_WAITING_MAX,
  OUTBOX_BYTES_MAX,
  SIGNUP_MAILS_AT_ONCE_MAX,
} from '../../src/accounts/limits.ts';
import { OutboxMailer, SmtpMailer, verificationMail } from '../../src/accounts/mailers.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { failureOf, START_MS } from './support.ts';

const MAIL = verificationMail('ana@example.com', { shortCode: '012345', longCode: 'A-B' });
const CLOCK = { wallMs: () => START_MS, monotonicMs: () => 0 };

describe('OutboxMailer', () => {
  test('send appends one JSON line per mail, with its code, and calls onMail', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'outbox.ndjson');
    const codes: (string | null)[] = [];
    const mailer = new OutboxMailer({ path, clock: CLOCK, onMail: (mail) => codes.push(mail.code) });
    await mailer.send(MAIL);
    await mailer.send({ ...MAIL, to: 'bo@example.com' });
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { at: '2026-03-04T10:00:00.000Z', ...MAIL },
      { at: '2026-03-04T10:00:00.000Z', ...MAIL, to: 'bo@example.com' },
    ]);
    expect(codes).toEqual(['012345', '012345']);
  });

  test('send deletes a file that is full, and starts a new one', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'outbox.ndjson');
    writeFileSync(path, '');
    truncateSync(path, OUTBOX_BYTES_MAX + 1);
    await new OutboxMailer({ path, clock: CLOCK, onMail: () => undefined }).send(MAIL);
    expect(statSync(path).size).toBeLessThan(1_000);
  });

  test('send is 503 while the disk refuses the mail', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'gone', 'outbox.ndjson');
    const mailer = new OutboxMailer({ path, clock: CLOCK, onMail: () => undefined });
    expect(await failureOf(mailer.send(MAIL))).toBe('upstream_unavailable');
  });
});

describe('SmtpMailer', () => {
  test('send passes envelope, subject and code to the server', async () => {
    using server = new SmtpServer();
    const url = `smtp://127.0.0.1:${server.port}`;
    const mailer = new SmtpMailer({
      url,
      from: 'Overround <no-reply@example.com>',
      onError: () => undefined,
    });
    await mailer.send(MAIL);
    expect(server.lines).toContain('MAIL FROM:<no-reply@example.com>');
    expect(server.lines).toContain('RCPT TO:<ana@example.com>');
    expect(server.lines.join('\n')).toContain('012345');
  });

  test('send answers 503 and reports the reason when the server refuses or is unreachable', async () => {
    const errors: unknown[] = [];
    const server = new SmtpServer('550 no such user');
    const url = `smtp://127.0.0.1:${server.port}`;
    const mailer = new SmtpMailer({ url, from: 'a@example.com', onError: (error) => errors.push(error) });
    expect(await failureOf(mailer.send(MAIL))).toBe('upstream_unavailable');
    server[Symbol.dispose]();
    expect(await failureOf(mailer.send(MAIL))).toBe('upstream_unavailable');
    expect(errors).toHaveLength(2);
  });

  test('send never lets an address inject more commands or recipients', async () => {
    using server = new SmtpServer();
    const url = `smtp://127.0.0.1:${server.port}`;
    const mailer = new SmtpMailer({ url, from: 'a@example.com', onError: () => undefined });
    const to = 'ana@example.com\r\nRCPT TO:<eve@example.com>\r\nBcc: eve@example.com';
    // The mailer may refuse the address or send to one recipient, but never to two.
    await mailer.send({ ...MAIL, to }).catch(() => undefined);
    const injected = server.lines.filter((line) => /^(RCPT TO:<eve|Bcc:)/i.test(line));
    expect(injected).toEqual([]);
  });

  test('connections are bounded; mails about sign-ups use only a part of them, and wait behind other mails', async () => {
    using server = new SmtpServer();
    const gate = Promise.withResolvers<void>();
    server.greetsAfter = gate.promise;
    const url = `smtp://127.0.0.1:${server.port}`;
    const mailer = new SmtpMailer({ url, from: 'a@example.com', onError: () => undefined });
    const signUps = Array.from({ length: SIGNUP_MAILS_AT_ONCE_MAX + MAILS_WAITING_MAX }, (_, index) =>
      mailer.send({ ...MAIL, to: `new${index}@example.com` }, { isSignUp: true }),
    );
    expect(await failureOf(mailer.send(MAIL, { isSignUp: true }))).toBe('upstream_unavailable');
    await until('sign-ups use their part', () => server.open === SIGNUP_MAILS_AT_ONCE_MAX);
    const others = Array.from({ length: MAILS_WAITING_MAX }, (_, index) =>
      mailer.send({ ...MAIL, to: `owner${index}@example.com` }),
    );
    await until('others use the rest', () => server.open === MAILS_AT_ONCE_MAX);
    gate.resolve();
    await Promise.all([...signUps, ...others]);
    expect(server.mostOpen).toBe(MAILS_AT_ONCE_MAX);
    const order = server.lines.filter((line) => line.startsWith('RCPT'));
    const lastOwner = order.findLastIndex((line) => line.includes('owner'));
    const waitedBehind = order.slice(lastOwner + 1).filter((line) => line.includes('new')).length;
    expect(waitedBehind).toBeGreaterThan(MAILS_WAITING_MAX / 2);
  });

  test('send gives no password to a remote server without encryption', async () => {
    using server = new SmtpServer('250 ok', '502 not here');
    const errors: unknown[] = [];
    // This address reaches this machine, but the mailer takes it for a remote one.
    const url = `smtp://user:hidden-word@0.0.0.0:${server.port}`;
    const mailer = new SmtpMailer({ url, from: 'a@example.com', onError: (error) => errors.push(error) });
    expect(await failureOf(mailer.send(MAIL))).toBe('upstream_unavailable');
    expect(errors).toHaveLength(1);
    expect(server.lines).toContain('STARTTLS');
    expect(server.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });
});

/** A minimal mail server. */
class SmtpServer {
  readonly lines: string[] = [];
  open = 0;
  mostOpen = 0;
  greetsAfter: Promise<void> = Promise.resolve();
  readonly #listener: Bun.TCPSocketListener<{ text: string; isData: boolean }>;

  constructor(recipientAnswer = '250 ok', tlsAnswer = '250 ok') {
    const { lines } = this;
    const count = (change: 1 | -1): void => {
      this.open += change;
      this.mostOpen = Math.max(this.mostOpen, this.open);
    };
    const greeted = (): Promise<void> => this.greetsAfter;
    this.#listener = Bun.listen<{ text: string; isData: boolean }>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open(socket): void {
          socket.data = { text: '', isData: false };
          count(1);
          void greeted().then(() => socket.write('220 ready\r\n'));
        },
        close(): void {
          count(-1);
        },
        data(socket, bytes): void {
          const state = socket.data;
          const parts = (state.text + bytes.toString()).split('\r\n');
          state.text = parts.pop() ?? '';
          for (const line of parts) {
            lines.push(line);
            if (state.isData && line !== '.') continue;
            state.isData = line === 'DATA';
            if (state.isData) socket.write('354 go on\r\n');
            else if (line === 'STARTTLS') socket.write(`${tlsAnswer}\r\n`);
            else if (line.startsWith('RCPT')) socket.write(`${recipientAnswer}\r\n`);
            else socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
          }
        },
      },
    });
  }

  get port(): number {
    return this.#listener.port;
  }

  [Symbol.dispose](): void {
    this.#listener.stop(true);
  }
}
