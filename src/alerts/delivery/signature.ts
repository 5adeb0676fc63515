// Signatures of raw deliveries, as Standard Webhooks defines them (https://www.standardwebhooks.com). A
// rule's secret is not stored. It is derived from the service's secret, the rule's id and a version that
// rises with each rotation.

import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../clock.ts';
import type { AlertRule } from '../rules/alert-rule.ts';

/** After a rotation, deliveries are also signed with the former secret for this long. */
export const ROTATION_OVERLAP_MS = DAY_MS;

type SecretParts = Pick<AlertRule, 'id' | 'secretVersion'>;

/** The secret of a rule, as its owner sees it: `whsec_` and 32 bytes in base64. */
export function secretTextOf(serviceSecret: string, rule: SecretParts): string {
  return `whsec_${secretOf(serviceSecret, rule).toString('base64')}`;
}

export interface SignedContent {
  readonly messageId: string;
  /** Unix ms; signed as whole seconds. */
  readonly atMs: number;
  readonly body: string;
}

/** The headers that identify and sign a delivery. */
export function signatureHeaders(
  serviceSecret: string,
  rule: Pick<AlertRule, 'id' | 'secretVersion' | 'rotatedAtMs'>,
  content: SignedContent,
): Record<string, string> {
  const seconds = Math.floor(content.atMs / 1_000);
  const versions = [rule.secretVersion];
  if (rule.rotatedAtMs !== null && content.atMs - rule.rotatedAtMs < ROTATION_OVERLAP_MS) {
    versions.push(rule.secretVersion - 1);
  }
  const signatures = versions.map((secretVersion) => {
    const secret = secretOf(serviceSecret, { id: rule.id, secretVersion });
    const signed = `${content.messageId}.${seconds}.${content.body}`;
    return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': content.messageId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

function secretOf(serviceSecret: string, { id, secretVersion }: SecretParts): Buffer {
  return createHmac('sha256', serviceSecret).update(`alert ${id} ${secretVersion}`).digest();
}
