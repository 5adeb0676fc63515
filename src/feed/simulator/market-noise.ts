// Smooth noise as a pure function of (hash, time), so that prices are the same after a restart: it moves the
// market before kickoff, and each bookmaker's opinion away from the market.

import { hashUnit, mixHash } from '../../domain/random.ts';

const HOUR_MS = 3_600_000;

/** Value noise: even random knots every `periodMs`, smoothstep between. @returns a number of [-1, 1] */
export function smoothNoise(hash: number, atMs: number, periodMs: number): number {
  // Each series of knots has its own phase, otherwise every line of the slate would turn at the same instant.
  const position = atMs / periodMs + hashUnit(hash);
  const knot = Math.floor(position);
  const part = position - knot;
  const eased = part * part * (3 - 2 * part);
  const from = hashUnit(mixHash(hash, knot));
  const to = hashUnit(mixHash(hash, knot + 1));
  return 2 * (from + (to - from) * eased) - 1;
}

/**
 * How far the market is from its closing opinion, as a share of its amplitude: far when the market opens,
 * zero at kickoff, when the market knows the match's true rates.
 */
export function driftNoise(hash: number, atMs: number, kickoffMs: number): number {
  const hours = (kickoffMs - atMs) / HOUR_MS;
  if (hours <= 0) return 0;
  const width = Math.sqrt(Math.min(hours, 24) / 12);
  const slow = smoothNoise(mixHash(hash, 1), atMs, 3 * HOUR_MS);
  const fast = smoothNoise(mixHash(hash, 2), atMs, 0.5 * HOUR_MS);
  return width * (0.75 * slow + 0.25 * fast);
}
