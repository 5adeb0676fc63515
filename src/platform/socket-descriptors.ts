// The descriptors of this process's sockets, as Linux shows them in /proc.

import { readdirSync, readlinkSync } from 'node:fs';
import { codeOf } from '../errors.ts';

/** The tables of the system's connections, with the inode of each. */
export const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const FOLDER = '/proc/self/fd';
const SOCKET_LINK = /^socket:\[(\d+)\]$/;

/** A port in the notation of the tables. */
export function portText(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/**
 * The numbers of all open descriptors. If none is left to read the folder with, every number below the limit.
 */
export function openDescriptors(limit: number): number[] {
  try {
    return readdirSync(FOLDER).map(Number);
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
    return Array.from({ length: limit }, (_, descriptor) => descriptor);
  }
}

/** Whether an error means that the process may open no more files. */
export function isOutOfDescriptors(error: unknown): boolean {
  return codeOf(error) === 'EMFILE';
}

/** The inode of a descriptor's socket; empty if it is not a socket, or was closed meanwhile. */
export function inodeOf(descriptor: number): string {
  try {
    return SOCKET_LINK.exec(readlinkSync(`${FOLDER}/${descriptor}`))?.[1] ?? '';
  } catch {
    return '';
  }
}
