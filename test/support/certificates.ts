// Certificates of a test's own certificate authority, made with openssl for 127.0.0.1.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const HAS_OPENSSL = Bun.which('openssl') !== null;

export interface Authority {
  /** The authority's own certificate, PEM. */
  readonly certificate: string;
  /** Makes a certificate for a subject, and replaces the certificate file and the key file with it. */
  renew(subject: string, certFile: string, keyFile: string): Promise<void>;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** @param folder the folder of these files */
export async function certificateAuthority(folder: string): Promise<Authority> {
  const [key, certificate] = [join(folder, 'authority.key'), join(folder, 'authority.pem')];
  openssl('req', '-x509', ...NEW_KEY, '-keyout', key, '-out', certificate, '-subj', '/CN=Test', '-days', '2');
  const names = join(folder, 'names.txt');
  writeFileSync(names, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  return {
    certificate: await Bun.file(certificate).text(),
    renew: async (subject, certFile, keyFile) => {
      const [newKey, request, newCert] = ['new.key', 'new.csr', 'new.pem'].map((name) => join(folder, name));
      openssl('req', ...NEW_KEY, '-keyout', newKey!, '-out', request!, '-subj', `/CN=${subject}`);
      const signing = ['-CA', certificate, '-CAkey', key, '-CAcreateserial', '-days', '1', '-extfile', names];
      openssl('x509', '-req', '-in', request!, '-out', newCert!, ...signing);
      renameSync(newKey!, keyFile);
      renameSync(newCert!, certFile);
    },
  };
}

function openssl(...words: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...words]);
  if (exitCode !== 0) throw new Error(`openssl ${words[0]} failed: ${stderr.toString()}`);
}
