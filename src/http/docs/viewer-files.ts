// The files of the API viewer on /docs: those of the installed swagger-ui-dist, so that the page works with no internet.

import { version as VIEWER_VERSION } from 'swagger-ui-dist/package.json';
import { programBlob } from '../../program-files.ts';

/** The version is part of the path, so that the files are immutable. */
export const VIEWER_PATH = `/docs/assets/${VIEWER_VERSION}`;

/** The viewer's files, by the last part of their path. */
export const VIEWER_FILES = [
  { name: 'swagger-ui-bundle.js', contentType: 'text/javascript; charset=utf-8' },
  { name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8' },
] as const;

/** A file of the installed viewer. @throws when it is not installed */
export function viewerFile(name: string): Blob {
  return programBlob('viewer', name);
}
