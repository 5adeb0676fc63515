// A caller's position in the changes of a view: `<epoch>-<version>-<view>`. The epoch is the store's: a new
// one begins with every start and every new leader. The version is the slate's; without the sharp bookmaker
// it is the common count (store/versions.ts). The view is its id.

import { ServiceError } from '../../errors.ts';
import { commonCountOf, lastVersionOf } from '../../store/versions.ts';
import type { OddsView } from './odds-view.ts';

const CURSOR = /^([0-9a-z]{1,16})-(\d{1,16})-([0-9a-f]{12})$/;

/**
 * The text of the last epoch used. A thread has one store but encodes a cursor for every view and tick, so
 * the text is kept.
 */
let epoch = { epochMs: 0, text: '0' };

/** The text of a position. @param version of the slate @param epochMs of the store */
export function encodeOddsCursor(view: OddsView, version: number, epochMs: number): string {
  if (epochMs !== epoch.epochMs) epoch = { epochMs, text: epochMs.toString(36) };
  return `${epoch.text}-${shownVersion(view, version)}-${view.id}`;
}

/**
 * The newest slate version that the sender of a cursor may have seen. Null when the sender must load the
 * whole view: the cursor belongs to another epoch, or to a version that the slate has not reached.
 * @throws ServiceError `invalid_request` when it is not a cursor, or belongs to another view
 */
export function decodeOddsCursor(
  view: OddsView,
  cursor: string,
  now: { readonly version: number; readonly epochMs: number },
): number | null {
  const [, epochText, versionText, viewId] = CURSOR.exec(cursor) ?? [];
  if (viewId === undefined) throw unusable('it does not have the form epoch-version-view');
  if (viewId !== view.id) throw unusable('it belongs to another view, with other filters or another tier');
  const version = Number(versionText);
  if (epochText !== now.epochMs.toString(36) || version > shownVersion(view, now.version)) return null;
  return view.showsSharp ? version : lastVersionOf(version);
}

/** Whether a cursor has a version or an epoch that this node has not reached yet. */
export function isAhead(
  view: OddsView,
  cursor: string,
  now: { readonly version: number; readonly epochMs: number },
): boolean {
  const [, epochText = '', versionText, viewId] = CURSOR.exec(cursor) ?? [];
  if (viewId !== view.id) return false; // refused where it is decoded
  const epochMs = Number.parseInt(epochText, 36);
  return epochMs === now.epochMs
    ? Number(versionText) > shownVersion(view, now.version)
    : epochMs > now.epochMs;
}

function shownVersion(view: OddsView, version: number): number {
  return view.showsSharp ? version : commonCountOf(version);
}

function unusable(state: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot use since: ${state}`, {
    fix: 'Send the cursor of an answer unchanged, with the filters and the key of that answer; or drop since to start over',
  });
}
