// Mail in development: a line in the log, and an outbox file with one JSON object a line, newest last.

import { appendFile, rm, stat } from 'node:fs/promises';
import { type Clock, toIsoText } from '../clock.ts';
import { OUTBOX_BYTES_MAX } from './limits.ts';
import type { Mail, Mailer } from './mailer.ts';

export interface OutboxOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Told about every mail; development only, the code is in it. */
  readonly onMail: (mail: Mail) => void;
}

export class OutboxMailer implements Mailer {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  async send(mail: Mail): Promise<void> {
    const { path, clock, onMail } = this.#options;
    const size = await stat(path).then(
      (file) => file.size,
      () => 0,
    );
    if (size > OUTBOX_BYTES_MAX) await rm(path, { force: true });
    await appendFile(path, `${JSON.stringify({ at: toIsoText(clock.wallMs()), ...mail })}\n`);
    onMail(mail);
  }
}
