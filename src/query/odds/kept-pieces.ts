// Encoded pieces of slates that several readers need.

/**
 * Maximum bytes of encoded pieces that readers share, per thread. Beyond it, the least recently used piece is
 * dropped, and made again when it is needed.
 */
const PIECES_BYTES_MAX = 16 * 1024 * 1024;

interface KeptPiece {
  readonly piece: unknown;
  readonly bytes: number;
}

export class KeptPieces {
  /** In order of use, least recently used first. */
  readonly #kept = new Map<string, KeptPiece>();
  #bytes = 0;

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  get<Piece>(key: string, make: () => Piece, size: (piece: Piece) => number): Piece {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.piece as Piece;
    }
    const piece = make();
    const bytes = size(piece);
    this.#kept.set(key, { piece, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: oldestBytes }] of this.#kept) {
      if (this.#bytes <= PIECES_BYTES_MAX) break;
      this.#kept.delete(oldest);
      this.#bytes -= oldestBytes;
    }
    return piece;
  }
}
