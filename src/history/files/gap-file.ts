// The file of gaps: Parquet with the columns `from`, `to` (null while the gap lasts), `reason` and
// `removed_from` (`removedFromMs`). The metadata have a checksum of the pages, because one changed byte of a
// page can keep the Parquet reader busy for ever, and one of the gaps, because one changed byte of the
// metadata can rename or shorten a column.

import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { GAP_REASONS, type Gap, type GapReason } from '../tick.ts';

const CREATOR = 'overround';
/** The newest column. */
const NEWEST = 'removed_from';
const CHECKSUMS_KEY = 'crc32';
/** The last bytes of a Parquet file: the length of the metadata, and `PAR1`. */
const END_BYTES = 8;

/** Writes these gaps. */
export function encodeGaps(gaps: readonly Gap[]): Uint8Array {
  const columnData = columnsOf(gaps);
  // The metadata follow the pages, so the checksum that they get changes no page.
  const pages = pagesOf(written(columnData, []));
  return written(columnData, [{ key: CHECKSUMS_KEY, value: `${Bun.hash.crc32(pages)} ${checksumOf(gaps)}` }]);
}

type WriteOptions = Parameters<typeof parquetWriteBuffer>[0];

function written(
  columnData: WriteOptions['columnData'],
  kvMetadata: NonNullable<WriteOptions['kvMetadata']>,
): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => Bun.zstdCompressSync(input) },
      columnData,
      kvMetadata,
      createdBy: CREATOR,
    }),
  );
}

function columnsOf(gaps: readonly Gap[]): WriteOptions['columnData'] {
  const instants = (values: readonly (number | null | undefined)[]) =>
    values.map((value) => (value == null ? null : new Date(value)));
  return [
    { name: 'from', type: 'TIMESTAMP', nullable: false, data: instants(gaps.map(({ fromMs }) => fromMs)) },
    { name: 'to', type: 'TIMESTAMP', data: instants(gaps.map(({ toMs }) => toMs)) },
    { name: 'reason', type: 'STRING', nullable: false, data: gaps.map(({ reason }) => reason) },
    {
      name: NEWEST,
      type: 'TIMESTAMP',
      data: instants(gaps.map(({ removedFromMs }) => removedFromMs)),
    },
  ];
}

/** Everything before the metadata. */
function pagesOf(bytes: Uint8Array): Uint8Array {
  const { metadata_length } = parquetMetadata(bytes.slice().buffer);
  return bytes.subarray(0, bytes.length - END_BYTES - metadata_length);
}

/** Reads what `encodeGaps` wrote. @throws for another file, or a damaged one */
export async function decodeGaps(bytes: Uint8Array): Promise<Gap[]> {
  const { buffer } = bytes.slice();
  const metadata = parquetMetadata(buffer);
  const checksums = metadata.key_value_metadata?.find(({ key }) => key === CHECKSUMS_KEY)?.value?.split(' ');
  // Earlier versions wrote no checksums, and no column `removed_from`.
  const isEarlier = metadata.created_by === CREATOR && !metadata.schema.some(({ name }) => name === NEWEST);
  if (checksums === undefined && !isEarlier) throw new Error('Cannot read gaps: the file is damaged');
  expectSame(checksums?.[0], () => Bun.hash.crc32(pagesOf(bytes)));
  const rows = await parquetReadObjects({
    file: buffer,
    metadata,
    compressors: { ZSTD: (input) => Bun.zstdDecompressSync(input) },
  });
  const gaps = rows.map(({ from, to, reason, removed_from }) => {
    if (!(from instanceof Date) || !isReason(reason))
      throw new Error('Cannot read gaps: a column is missing');
    const gap = { fromMs: from.getTime(), toMs: to instanceof Date ? to.getTime() : null, reason };
    return removed_from instanceof Date ? { ...gap, removedFromMs: removed_from.getTime() } : gap;
  });
  expectSame(checksums?.[1], () => checksumOf(gaps));
  return gaps;
}

/** @throws if a checksum in the file differs from that of what was read */
function expectSame(checksum: string | undefined, found: () => number): void {
  if (checksum !== undefined && checksum !== String(found()))
    throw new Error('Cannot read gaps: the file is damaged');
}

function checksumOf(gaps: readonly Gap[]): number {
  const values = gaps.map(({ fromMs, toMs, reason, removedFromMs = null }) => {
    return [wholeMs(fromMs), wholeMs(toMs), reason, wholeMs(removedFromMs)];
  });
  return Bun.hash.crc32(JSON.stringify(values));
}

function isReason(value: unknown): value is GapReason {
  return GAP_REASONS.some((reason) => reason === value);
}

/** The file keeps whole milliseconds. */
function wholeMs(instantMs: number | null): number | null {
  return instantMs === null ? null : Math.trunc(instantMs);
}
