// Which server the commands and the stdio MCP server call, and with which key.

import { DATA_DIR_DEFAULT, type Environment, SettingReader, shownValue } from '../settings/setting-reader.ts';
import { readServerAddress } from '../storage/server-address.ts';

export interface ServerSettings {
  /** Base address of a running server, no trailing slash; null when none is set. */
  readonly url: string | null;
  /** Null means no key: the server then applies the free tier. */
  readonly apiKey: string | null;
}

const DEFAULT_PORT = '3000';

/**
 * The address of the server on this machine: at PORT if that is set, otherwise the address of the server that
 * runs on DATA_DIR, otherwise at the default port.
 */
export function localUrl(environment: Environment): string {
  const port = environment.PORT?.trim();
  if (port) return `http://127.0.0.1:${port}`;
  const running = readServerAddress(environment.DATA_DIR?.trim() || DATA_DIR_DEFAULT);
  return running ?? `http://127.0.0.1:${DEFAULT_PORT}`;
}

/**
 * Reads OVERROUND_URL and OVERROUND_API_KEY, or the file named by OVERROUND_API_KEY_FILE.
 * @throws Error naming the variable when OVERROUND_URL is not an http address, when OVERROUND_API_KEY cannot
 * be a key, or when a variable's name looks like a misspelling of one of these
 */
export function readServerSettings(environment: Environment): ServerSettings {
  const read = new SettingReader(environment);
  const url = read.optionalText('OVERROUND_URL');
  const apiKey = read.secret('OVERROUND_API_KEY');
  read.refuseMistyped('OVERROUND_');
  if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new Error(`Cannot start: OVERROUND_URL is "${shownValue(url)}"; it must be an http or https URL`);
  }
  if (url !== null && /[@?#]/.test(url)) {
    // A password or key in the URL would appear in links and error messages, so refuse it.
    throw new Error(
      'Cannot start: OVERROUND_URL contains more than an address; send the key in OVERROUND_API_KEY',
    );
  }
  if (/[^\x21-\x7e]/.test(apiKey ?? '')) {
    // Do not show the value: it may be a key with something pasted after it.
    throw new Error(
      'Cannot start: OVERROUND_API_KEY contains a character that no key has, such as a space or a line break; set it to the key only',
    );
  }
  return { url: url === null ? null : url.replace(/\/+$/, ''), apiKey };
}
