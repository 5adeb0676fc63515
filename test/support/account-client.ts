// A user with an account, who uses only HTTP: signs up, reads the code from the development outbox, and logs
// in.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answered, call } from './call.ts';

interface AccountSite {
  readonly url: string;
  readonly dataDir: string;
}

interface CallOptions {
  /**
   * The session token that is sent as a bearer token. Default: the token of the last log-in. Null sends no
   * token.
   */
  readonly bearer?: string | null;
  readonly headers?: Record<string, string>;
}

export class AccountClient {
  readonly email: string;
  readonly password: string;
  readonly #site: AccountSite;
  readonly #address: string;
  #token: string | null = null;

  /** @param address the client's address, for which the service must trust 127.0.0.1 as a proxy */
  constructor(site: AccountSite, options: { readonly email: string; readonly address: string }) {
    this.#site = site;
    this.#address = options.address;
    this.email = options.email;
    this.password = `correct horse of ${options.email}`;
  }

  get token(): string {
    if (this.#token === null) throw new Error('Cannot read token: not logged in');
    return this.#token;
  }

  /** Sends `body` as JSON, or nothing when it is undefined. */
  send(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answered> {
    const bearer = options.bearer === undefined ? this.#token : options.bearer;
    return call(`${this.#site.url}${path}`, {
      method,
      headers: {
        'x-forwarded-for': this.#address,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  signUp(): Promise<Answered> {
    return this.send('POST', '/platform/signup', { email: this.email, password: this.password });
  }

  verify(code: string): Promise<Answered> {
    return this.send('POST', '/platform/verify', { email: this.email, code });
  }

  /** @param headers sent in addition to the client's own, such as cookies of earlier sessions */
  async logIn(headers: Record<string, string> = {}): Promise<Answered> {
    const body = { email: this.email, password: this.password };
    const answered = await this.send('POST', '/platform/login', body, { bearer: null, headers });
    if (answered.status === 200) this.#token = (answered.body as { session_token: string }).session_token;
    return answered;
  }

  /** The codes that were sent to this address, oldest first. */
  codes(): string[] {
    const lines = readFileSync(join(this.#site.dataDir, 'outbox.ndjson'), 'utf8').trim().split('\n');
    const mails = lines.map((line) => JSON.parse(line) as { to: string; code: string | null });
    return mails.flatMap(({ to, code }) => (to === this.email && code !== null ? [code] : []));
  }

  /**
   * Goes from sign-up to a session of a verified account. @throws Error when a step is not answered with 200
   */
  async enter(): Promise<void> {
    expectOk(await this.signUp());
    expectOk(await this.verify(this.codes().at(-1) ?? ''));
    expectOk(await this.logIn());
  }
}

function expectOk({ status, text }: Answered): void {
  if (status !== 200) throw new Error(`Cannot enter: the server answered ${status} ${text}`);
}
