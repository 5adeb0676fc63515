// The files of the API viewer on /docs. They come from the installed swagger-ui-dist, so the page works
// without internet access.

import { version as VIEWER_VERSION } from 'swagger-ui-dist/package.json';
import { programBlob } from '../../program-files.ts';

/** The version is part of the path, so each file can be cached for ever. */
export const VIEWER_PATH = `/docs/assets/${VIEWER_VERSION}`;

/** The viewer's files, by file name. */
export const VIEWER_FILES = [
  { name: 'swagger-ui-bundle.js', contentType: 'text/javascript; charset=utf-8' },
  { name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8' },
] as const;

/** A file of the installed viewer. @throws when it is not installed */
export function viewerFile(name: string): Blob {
  return programBlob('viewer', name);
}
