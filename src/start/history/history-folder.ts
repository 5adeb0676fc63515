// Where the price history is kept.

import { join } from 'node:path';
import type { HistoryFolder } from '../../history/files/folder.ts';
import { LocalFolder } from '../../history/files/local-folder.ts';
import { S3Folder, s3PlaceOf } from '../../history/files/s3-folder.ts';
import type { Config } from '../../settings/config.ts';

/** The folder that the settings name. */
export function historyFolder({
  dataDir,
  historyDir,
}: Pick<Config, 'dataDir' | 'historyDir'>): HistoryFolder {
  const bucket = s3PlaceOf(historyDir ?? '');
  return bucket === null ? new LocalFolder(historyDir ?? join(dataDir, 'history')) : new S3Folder(bucket);
}
