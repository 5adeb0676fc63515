// The results as a page and a chart of docs/.

import { cpus } from 'node:os';
import type { SituationResult } from './situations.ts';
import type { CaseResult, ServerName } from './throughput.ts';

export interface HttpResults {
  /** Unix ms. */
  readonly measuredAtMs: number;
  readonly rounds: number;
  readonly cases: readonly CaseResult[];
  readonly situations: readonly SituationResult[];
}

interface Aim {
  readonly what: string;
  readonly ratio: number | undefined;
  readonly atLeast?: number;
  readonly atMost?: number;
}

const LABELS: Readonly<Record<ServerName, string>> = {
  ours: 'Overround',
  bare: 'bare `Bun.serve`',
  reference: 'reference handler',
  nginx: 'nginx, static file',
  elysia: 'Elysia, objects and `JSON.stringify`',
  fastify: 'Fastify on Node',
};

/** The page. */
export function pageOf(results: HttpResults): string {
  return `# HTTP performance

${machineLine(results)} Written by \`bun run bench:http --write\`. Servers and load generators are processes of their own on the
same cores; every round goes through all servers, and what stands here is the median of ${results.rounds} rounds.

![Requests a second](performance-http.svg)

## Throughput

wrk, 32 connections, 200 enterprise keys. A hit is an answer of 15 quotes (about 3 KB); misses, batches and scans are
of fixtures with 75 quotes.

| case | server | requests/s | lowest to highest | p50 ms | p99 ms | ours against it |
|---|---|---|---|---|---|---|
${results.cases.flatMap(caseRows).join('\n')}

## Tail at a fixed rate

900 polls a second of one fixture, evenly spaced and sent whether or not answers come, in turn to the service and to the bare server beside it, while the service
does what the first column says. Milliseconds.

| meanwhile | server | p50 | p99 | p99.9 | worst | p99.9 against bare |
|---|---|---|---|---|---|---|
${results.situations.flatMap(situationRows).join('\n')}

## Aims

| ratio | aim | measured | |
|---|---|---|---|
${aimsOf(results).map(aimRow).join('\n')}
`;
}

/** The aims that the results have figures for. */
export function aimsOf({ cases, situations }: HttpResults): Aim[] {
  const find = (name: string, server: ServerName) => cases.find((one) => one.name === name)?.servers[server];
  const aims: Aim[] = [
    { what: 'hit / reference handler', ratio: find('hit', 'reference')?.oursRatio, atLeast: 0.9 },
    { what: 'hit / bare', ratio: find('hit', 'bare')?.oursRatio, atLeast: 0.6 },
    { what: '304 / bare 304', ratio: find('304', 'bare')?.oursRatio, atLeast: 0.55 },
    {
      what: 'miss / Elysia with objects and `JSON.stringify`',
      ratio: find('miss', 'elysia')?.oursRatio,
      atLeast: 3,
    },
    { what: 'hit, p99 / reference handler', ratio: find('hit', 'reference')?.oursP99Ratio, atMost: 1.3 },
    ...situations.map(({ name, p999Ratio }) => ({
      what: `p99.9 / bare: ${name}`,
      ratio: p999Ratio,
      atMost: 1.5,
    })),
  ];
  return aims.filter(({ ratio }) => ratio !== undefined);
}

/** One line of the table of aims. */
export function aimRow({ what, ratio = Number.NaN, atLeast, atMost }: Aim): string {
  const isMet = ratio >= (atLeast ?? 0) && ratio <= (atMost ?? Number.POSITIVE_INFINITY);
  const aim = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `| ${what} | ${aim} | ${ratio.toFixed(2)} | ${isMet ? 'met' : 'not met'} |`;
}

function machineLine({ measuredAtMs }: HttpResults): string {
  const [first] = cpus();
  const date = new Date(measuredAtMs).toISOString().slice(0, 10);
  return `${cpus().length} cores, ${first?.model ?? 'unknown'}, Bun ${Bun.version}, ${date}.`;
}

function entriesOf(one: CaseResult) {
  return Object.entries(one.servers) as [ServerName, NonNullable<CaseResult['servers'][ServerName]>][];
}

function caseRows(one: CaseResult): string[] {
  return entriesOf(one).map(([server, { perSecond, spread, p50Ms, p99Ms, oursRatio }]) => {
    const [low, high] = spread.map(thousands);
    const ratio = server === 'ours' ? '' : oursRatio.toFixed(2);
    return `| ${one.name} | ${LABELS[server]} | ${thousands(perSecond)} | ${low} to ${high} | ${p50Ms.toFixed(2)} | ${p99Ms.toFixed(2)} | ${ratio} |`;
  });
}

function situationRows({ name, ours, bare, p999Ratio }: SituationResult): string[] {
  return [
    { server: LABELS.ours, tail: ours, ratio: '' },
    { server: LABELS.bare, tail: bare, ratio: p999Ratio.toFixed(2) },
  ].map(({ server, tail, ratio }) => {
    const figures = [tail.p50, tail.p99, tail.p999, tail.worst].map((ms) => ms.toFixed(2));
    return `| ${name} | ${server} | ${figures.join(' | ')} | ${ratio} |`;
  });
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

const BAR = { width: 420, height: 16, gap: 4, left: 330, caseGap: 14 };

/** A bar for each server of each case: requests a second, relative to the fastest of its case. */
export function chartOf({ cases }: HttpResults): string {
  const parts: string[] = [];
  let y = 8;
  for (const one of cases) {
    const rows = entriesOf(one);
    const most = Math.max(...rows.map(([, { perSecond }]) => perSecond));
    for (const [server, { perSecond }] of rows) {
      const width = Math.max(1, Math.round((perSecond / most) * BAR.width));
      const fill = server === 'ours' ? '#0a6' : '#89a';
      const text = y + BAR.height - 4;
      const label = `${one.name}: ${LABELS[server].replaceAll('`', '')}`;
      parts.push(
        `<text x="${BAR.left - 8}" y="${text}" text-anchor="end">${label}</text>`,
        `<rect x="${BAR.left}" y="${y}" width="${width}" height="${BAR.height}" fill="${fill}"/>`,
        `<text x="${BAR.left + width + 6}" y="${text}">${thousands(perSecond)}</text>`,
      );
      y += BAR.height + BAR.gap;
    }
    y += BAR.caseGap;
  }
  const width = BAR.left + BAR.width + 80;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="12"><rect width="${width}" height="${y}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}
