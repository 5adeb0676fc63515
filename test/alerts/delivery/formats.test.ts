// Alerts in the formats that other services accept.

import { describe, expect, test } from 'bun:test';
import { formedRequest } from '../../../src/alerts/delivery/formats.ts';
import { type AlertItem, bodyOf } from '../../../src/alerts/delivery/payload.ts';

const RULE = { id: 'alr_1', name: 'A rule', secretVersion: 2, rotatedAtMs: null };

describe('formedRequest', () => {
  const item = (text: string): AlertItem => ({
    ...{ kind: 'match', change: 'live', id: 'a', text, event: null, details: {} },
  });
  const body = bodyOf(RULE, [item('Live: <b>@everyone</b> & *Köln*\n – Bayern')], 0);

  test('the raw format sends the body as it is stored', () => {
    expect(formedRequest('raw', '/a?b=c', body)).toMatchObject({ path: '/a?b=c', body });
  });

  test('formedRequest escapes the special characters of each service', () => {
    const slack = JSON.parse(formedRequest('slack', '/a', body).body) as { text: string };
    expect(slack.text).toBe('Live: &lt;b&gt;@everyone&lt;/b&gt; &amp; *Köln*  – Bayern');
    const discord = JSON.parse(formedRequest('discord', '/a', body).body) as { content: string };
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(discord.content).toContain('\\@everyone');
    expect(discord.content).toContain('\\*Köln\\*');
  });

  test('the ntfy format is plain text with an ASCII title', () => {
    const { headers, body: sent } = formedRequest('ntfy', '/topic', body);
    expect(headers.title).toMatch(/^=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?=$/);
    expect(sent.split('\n')).toHaveLength(1);
  });

  test('formedRequest cuts a text that is too long for the service', () => {
    const long = bodyOf(
      RULE,
      Array.from({ length: 30 }, () => item('x'.repeat(400))),
      0,
    );
    for (const [format, max] of [
      ['discord', 2_000],
      ['telegram', 4_096],
      ['slack', 4_000],
    ] as const) {
      expect(formedRequest(format, '/a?chat_id=1', long).body.length).toBeLessThan(max + 200);
    }
    expect(Buffer.byteLength(formedRequest('ntfy', '/a', long).body)).toBeLessThan(4_096);
  });
});
