// `overround config`: every setting, where it comes from, and no secret.

import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingList } from '../../../../src/settings/config.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { runForText } from '../../text-run.ts';

describe('config', () => {
  test('the command config shows every setting with its value, source and default, and masks secrets and passwords in addresses', async () => {
    using folder = temporaryFolder();
    const tokenFile = join(folder.path, 'token');
    writeFileSync(tokenFile, 'a-secret-of-many-letters\n');
    const { output } = await runForText(['config', '--json', '--port', '4000'], {
      HOST: '127.0.0.2',
      FEED: 'wss://me:hunter2@example.com/feed?token=hunter2',
      SMTP_URL: 'smtp://me:hunter2@example.com',
      FEED_TOKEN: 'hunter2',
      METRICS_TOKEN_FILE: tokenFile,
    });
    const lines = output.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (name: string) => lines.find((line) => line.name === name);
    expect(lines.map(({ name }) => name)).toEqual(settingList({}).map(({ name }) => name));
    expect(of('PORT')).toEqual({ name: 'PORT', value: '4000', source: 'flag', default: '3000' });
    expect(of('HOST')).toMatchObject({ value: '127.0.0.2', source: 'environment', default: '127.0.0.1' });
    expect(of('HTTP_THREADS')).toMatchObject({ value: '1', source: 'default' });
    expect(of('METRICS_TOKEN')).toMatchObject({ value: '***', source: 'file' });
    expect(of('FEED')?.value).toBe('wss://***@example.com/feed?***');
    expect(output).not.toMatch(/hunter2|a-secret/);
    expect((await runForText(['config'])).output).toMatch(/^PORT +3000 +default$/m);
  });
});
