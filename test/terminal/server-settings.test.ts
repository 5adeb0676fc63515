// The address and key of the server that commands call, read from the environment.

import { describe, expect, test } from 'bun:test';
import { readServerSettings } from '../../src/terminal/server-settings.ts';

describe('readServerSettings()', () => {
  test('readServerSettings refuses a key that cannot be sent in a header', () => {
    for (const key of ['isk_x y', 'isk_x\ny', 'isk_€']) {
      expect(() => readServerSettings({ OVERROUND_API_KEY: key })).toThrow(
        'OVERROUND_API_KEY contains a character',
      );
    }
  });

  test('readServerSettings reads address and key, and refuses an address that is not http', () => {
    expect(readServerSettings({})).toEqual({ url: null, apiKey: null });
    expect(readServerSettings({ OVERROUND_URL: ' http://host:1/ ', OVERROUND_API_KEY: ' k ' })).toEqual({
      url: 'http://host:1',
      apiKey: 'k',
    });
    for (const url of ['ftp://host', 'host', 'http://user:secret@host', 'http://host?key=secret']) {
      expect(() => readServerSettings({ OVERROUND_URL: url })).toThrow('OVERROUND_URL');
    }
  });

  test.each(['OVERROUND_ULR', 'OVERROUNDURL', 'OVERROUND_URLS', 'OVERROUND_API_KYE', 'OVERROUND_APIKEY'])(
    '%s is refused with the nearest known name, and its value is not shown',
    (name) => {
      const nearest = name.includes('K') ? 'OVERROUND_API_KEY' : 'OVERROUND_URL';
      expect(() => readServerSettings({ [name]: 'secret' })).toThrow(
        `Cannot start: there is no setting ${name}, the nearest is ${nearest}`,
      );
    },
  );

  test('readServerSettings ignores variables of other programs', () => {
    expect(readServerSettings({ HOME: '/', PATH: '/bin', DATABASE_URL: 'x' }).url).toBeNull();
  });
});
