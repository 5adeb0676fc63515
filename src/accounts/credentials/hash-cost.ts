// What one hash of a password costs.

/** Memory in KiB and passes of argon2id. */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/**
 * The 19 MiB that OWASP recommends (Password Storage Cheat Sheet), but three passes instead of two. Bun's
 * default takes 64 MiB for each hash, which log-ins of strangers could keep occupied all the time.
 */
export const HASH_COST: HashCost = { memoryCost: 19_456, timeCost: 3 };
