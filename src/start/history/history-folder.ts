// Where the price history is kept.

import { join } from 'node:path';
import type { HistoryFolder } from '../../history/files/folder.ts';
import { LocalFolder } from '../../history/files/local-folder.ts';
import { S3Folder, s3PlaceOf } from '../../history/files/s3-folder.ts';
import type { Config } from '../../settings/config.ts';

/** The folder that the settings name. @param requireTurn as for `LocalFolder` */
export function historyFolder(
  { dataDir, historyDir }: Pick<Config, 'dataDir' | 'historyDir'>,
  requireTurn?: () => void,
): HistoryFolder {
  const bucket = s3PlaceOf(historyDir ?? '');
  if (bucket !== null) return new S3Folder(bucket);
  return new LocalFolder(historyDir ?? join(dataDir, 'history'), requireTurn);
}
