// Signatures of alerts, checked by the verifier of the standardwebhooks package.

import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import {
  ROTATION_OVERLAP_MS,
  secretTextOf,
  signatureHeaders,
} from '../../../src/alerts/delivery/signature.ts';
import { systemClock } from '../../../src/clock.ts';

const SERVICE_SECRET = 'a secret of the service';
const RULE = { id: 'alr_1', name: 'A rule', secretVersion: 2, rotatedAtMs: null };
const BODY = '{"type":"alert","text":"Köln – Bayern"}';
// The verifier compares the timestamp with the machine's clock.
const now = () => systemClock.wallMs();

describe('signatureHeaders', () => {
  const verifier = new Webhook(secretTextOf(SERVICE_SECRET, RULE));

  test('signatures are accepted by the verifier of Standard Webhooks', () => {
    const headers = signatureHeaders(SERVICE_SECRET, RULE, { messageId: 'msg_1', atMs: now(), body: BODY });
    expect(verifier.verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test('signatures are refused if the body, the id or the time is altered, or with the secret of another rule', () => {
    const atMs = now();
    const headers = signatureHeaders(SERVICE_SECRET, RULE, { messageId: 'msg_1', atMs, body: BODY });
    expect(() => verifier.verify(BODY.replace('Köln', 'Bonn'), headers)).toThrow();
    expect(() => verifier.verify(BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Math.floor(atMs / 1_000) + 1);
    expect(() => verifier.verify(BODY, { ...headers, 'webhook-timestamp': later })).toThrow();
    for (const other of [
      new Webhook(secretTextOf(SERVICE_SECRET, { ...RULE, id: 'alr_2' })),
      new Webhook(secretTextOf('another service', RULE)),
    ]) {
      expect(() => other.verify(BODY, headers)).toThrow();
    }
  });

  test('for a day after a rotation, the headers hold a signature by the new secret and one by the former', () => {
    const former = new Webhook(secretTextOf(SERVICE_SECRET, { ...RULE, secretVersion: 1 }));
    const atMs = now();
    const of = (rotatedAtMs: number) =>
      signatureHeaders(SERVICE_SECRET, { ...RULE, rotatedAtMs }, { messageId: 'm', atMs, body: BODY });
    const during = of(atMs - ROTATION_OVERLAP_MS + 1);
    expect(verifier.verify(BODY, during)).toBeObject();
    expect(former.verify(BODY, during)).toBeObject();
    const after = of(atMs - ROTATION_OVERLAP_MS);
    expect(verifier.verify(BODY, after)).toBeObject();
    expect(() => former.verify(BODY, after)).toThrow();
  });
});
