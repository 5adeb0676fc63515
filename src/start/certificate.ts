// The server's certificate, read from the operator's files and read again when they change. Whatever renews
// the certificate only has to write the files; no restart is needed.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TlsFiles } from '../http/edge/listener.ts';
import type { Log } from '../log.ts';
import { every } from '../pause.ts';
import type { TlsSettings } from '../settings/config.ts';
import { ConfigError } from '../settings/setting-reader.ts';

/**
 * How often to check for a renewed certificate. Both files are small and are read each time, because a
 * symbolic link may have changed its target.
 */
const CHECK_EVERY_MS = 5_000;

export interface Certificate extends TlsFiles {
  readonly endsAtMs: number;
}

/** @throws ConfigError if a file cannot be read, holds no certificate or key, or the two do not match */
export function readCertificate({ certFile, keyFile }: TlsSettings): Certificate {
  const cert = textOf('TLS_CERT_FILE', certFile);
  const key = textOf('TLS_KEY_FILE', keyFile);
  const leaf = refusing('TLS_CERT_FILE', certFile, 'a certificate in PEM, the leaf first', () => {
    return new X509Certificate(cert);
  });
  const privateKey = refusing('TLS_KEY_FILE', keyFile, 'a key in PEM without a passphrase', () => {
    return createPrivateKey(key);
  });
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new ConfigError('TLS_KEY_FILE', keyFile, `the key of the certificate in ${certFile}`);
  }
  return { cert, key, endsAtMs: Date.parse(leaf.validTo) };
}

export interface CertificateWatchOptions {
  readonly tls: TlsSettings;
  /** The files being served now. */
  readonly served: TlsFiles;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly onChange: (renewed: Certificate) => void;
}

/**
 * Checks the files regularly. If they are unusable, logs the reason once and keeps serving the old
 * certificate.
 * @returns a function that stops the checks
 */
export function watchCertificate({ tls, served, log, onChange }: CertificateWatchOptions): () => void {
  let shown: TlsFiles = served;
  let refused = '';
  return every(CHECK_EVERY_MS, () => {
    try {
      const renewed = readCertificate(tls);
      refused = '';
      if (renewed.cert === shown.cert && renewed.key === shown.key) return;
      onChange(renewed);
      shown = renewed;
      log.info('certificate_renewed', { ends_at: new Date(renewed.endsAtMs).toISOString() });
    } catch (error) {
      // The files may also be refused because one of the two is new and the other is still old. Then a later
      // check succeeds.
      const why = error instanceof Error ? error.message.replace('Cannot start: ', '') : String(error);
      if (why !== refused)
        log.error('certificate_refused', { because: why, meanwhile: 'the former certificate stays in use' });
      refused = why;
    }
  });
}

function textOf(name: string, path: string): string {
  return refusing(name, path, 'a readable file', () => readFileSync(path, 'utf8'));
}

function refusing<Result>(name: string, path: string, allowed: string, work: () => Result): Result {
  try {
    return work();
  } catch {
    throw new ConfigError(name, path, allowed); // without a cause, whose text might show what is in the file
  }
}

/** Follows the expiry of the certificate being served, for the metrics of a thread that does not serve it. */
export function followCertificate(tls: TlsSettings | null): {
  readonly endsAtMs: () => number | null;
  readonly stop: () => void;
} {
  if (tls === null) return { endsAtMs: () => null, stop: () => {} };
  let served = readCertificate(tls);
  const onChange = (renewed: Certificate) => {
    served = renewed;
  };
  // No logging here: the threads that serve the certificate log its changes.
  const stop = watchCertificate({ tls, served, log: { info: () => {}, error: () => {} }, onChange });
  return { endsAtMs: () => served.endsAtMs, stop };
}
