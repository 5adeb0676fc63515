// The ticket in the link that the server prints at start. A ticket opens one connection. Over that connection
// the page requests the next ticket and keeps it in the browser's storage, so the view carries over to the
// next page and survives a lost connection.

import { signal } from '@preact/signals';
import { recall, remember } from './choices.ts';
import { takeTicket } from './view.ts';

/** The state of the link's view on this page: no link, open (all that the link's key sees), or ended. */
export const linkView = signal<'none' | 'open' | 'over'>('none');

/** The ticket in the address, or the one that another page of this browser stored; null without either. */
export function firstTicket(): string | null {
  return takeTicket() ?? nextTicket();
}

/** The ticket for the next connection, or null. */
export function nextTicket(): string | null {
  return recall('ticket');
}

export function keepTicket(ticket: string | null): void {
  remember('ticket', ticket);
}
