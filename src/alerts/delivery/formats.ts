// The request that carries an alert, in the form that each service takes. Names come from feeds, so the
// special characters of each service are escaped.

import type { AlertFormat } from '../../contract/alerts/alert-rules.ts';
import { type AlertBody, parseBody } from './payload.ts';

export interface FormedRequest {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Characters of a message; a longer one is cut. Telegram accepts 4,096, Discord 2,000, ntfy 4,096 bytes. */
const TEXT_CHARS_MAX = { slack: 3_000, discord: 1_900, telegram: 4_000, ntfy: 1_300 } as const;

const JSON_TYPE = { 'content-type': 'application/json' };

/** @param path path and query of the rule's URL @param stored the body as stored in the outbox */
export function formedRequest(format: AlertFormat, path: string, stored: string): FormedRequest {
  if (format === 'raw') return { path, headers: JSON_TYPE, body: stored };
  const body = parseBody(stored);
  switch (format) {
    case 'slack':
      return jsonRequest(path, { text: textOf(body, format, escapeSlack) });
    case 'discord':
      return jsonRequest(path, {
        content: textOf(body, format, escapeMarkdown),
        allowed_mentions: { parse: [] },
      });
    case 'telegram': {
      const url = new URL(path, 'https://api.telegram.org');
      const chatId = url.searchParams.get('chat_id');
      url.searchParams.delete('chat_id');
      const text = textOf(body, format, (line) => line);
      return jsonRequest(url.pathname + url.search, {
        chat_id: chatId,
        text,
        link_preview_options: { is_disabled: true },
      });
    }
    case 'ntfy':
      return {
        path,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          // A header may hold only ASCII, so the title is encoded by RFC 2047, which ntfy decodes.
          title: `=?UTF-8?B?${Buffer.from(body.data.alert.name).toString('base64')}?=`,
        },
        body: textOf(body, format, (line) => line),
      };
  }
}

function jsonRequest(path: string, content: object): FormedRequest {
  return { path, headers: JSON_TYPE, body: JSON.stringify(content) };
}

function textOf(
  { data }: AlertBody,
  format: keyof typeof TEXT_CHARS_MAX,
  escaped: (line: string) => string,
): string {
  const lines = data.items.map(({ text }) => escaped(oneLine(text)));
  const left = data.left_out === 0 ? [] : [`and ${data.left_out} more`];
  const text = [...lines, ...left].join('\n');
  const max = TEXT_CHARS_MAX[format];
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]()@<]/g, '\\$&');
}
