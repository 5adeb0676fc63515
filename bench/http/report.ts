// The results as a section of docs/internals/performance.md with a chart; the terminal shows all of them.

import { barChart } from '../bar-chart.ts';
import { machineLine } from '../figures.ts';
import { type PolledServer, type SituationResult, tailRatioOf } from './situations.ts';
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
  elysia: 'Elysia',
  fastify: 'Fastify on Node',
};

const POLLED: Readonly<Record<PolledServer, string>> = {
  ours: LABELS.ours,
  bare: LABELS.bare,
  floor: 'floor: bare, one of several threads',
};

/** The section of docs/internals/performance.md. */
export function partOf(results: HttpResults): string {
  return `${machineLine(results.measuredAtMs)} Servers and load generators share the cores; medians of ${results.rounds} rounds, each of
which goes through all servers. wrk, 32 connections, 200 enterprise keys.

![Requests a second](performance-http.svg)

| case | server | requests/s | p99 ms | ours against it | processor us a request |
|---|---|---|---|---|---|
${results.cases.flatMap(caseRows).join('\n')}

| ratio | aim | measured | |
|---|---|---|---|
${aimsOf(results).map(aimRow).join('\n')}`;
}

/** The table that only the terminal shows: tail latency at a fixed rate. */
export function detailsOf({ situations }: HttpResults): string {
  return `| meanwhile | server | p50 | p99 | p99.9 | worst | p99.9 of rounds, lowest to highest | p99.9 against bare, all together | median of rounds | a timer of the serving thread late, at most |
|---|---|---|---|---|---|---|---|---|---|
${situations.flatMap(situationRows).join('\n')}`;
}

/** The aims for which the results have figures. */
export function aimsOf({ cases, situations }: HttpResults): Aim[] {
  const find = (name: string, server: ServerName) => cases.find((one) => one.name === name)?.servers[server];
  const aims: Aim[] = [
    { what: 'hit / reference handler', ratio: find('hit', 'reference')?.oursRatio, atLeast: 0.9 },
    { what: 'hit / bare', ratio: find('hit', 'bare')?.oursRatio, atLeast: 0.6 },
    { what: '304 / bare 304', ratio: find('304', 'bare')?.oursRatio, atLeast: 0.55 },
    { what: 'miss / Elysia', ratio: find('miss', 'elysia')?.oursRatio, atLeast: 3 },
    { what: 'hit, p99 / reference handler', ratio: find('hit', 'reference')?.oursP99Ratio, atMost: 1.3 },
    ...situations.map((situation) => ({
      what: `p99.9 / bare: ${situation.name}`,
      ratio: tailRatioOf(situation.tails.ours, situation.tails.bare),
      atMost: 1.5,
    })),
    {
      what: 'longest delay of a timer of the HTTP thread, ms: all of it at once',
      ratio: situations.find(({ name }) => name === 'all of it at once')?.loopDelayMs,
      atMost: 5,
    },
  ];
  return aims.filter(({ ratio }) => ratio !== undefined);
}

/** One line of the table of aims. */
export function aimRow({ what, ratio = Number.NaN, atLeast, atMost }: Aim): string {
  const isMet = ratio >= (atLeast ?? 0) && ratio <= (atMost ?? Number.POSITIVE_INFINITY);
  const aim = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `| ${what} | ${aim} | ${ratio.toFixed(2)} | ${isMet ? 'met' : 'not met'} |`;
}

function entriesOf(one: CaseResult) {
  return Object.entries(one.servers) as [ServerName, NonNullable<CaseResult['servers'][ServerName]>][];
}

function caseRows(one: CaseResult): string[] {
  return entriesOf(one).map(([server, result]) => {
    const { perSecond, p99Ms, oursRatio, processorUs } = result;
    const ratio = server === 'ours' ? '' : oursRatio.toFixed(2);
    return `| ${one.name} | ${LABELS[server]} | ${thousands(perSecond)} | ${p99Ms.toFixed(2)} | ${ratio} | ${processorUs.toFixed(1)} |`;
  });
}

function situationRows({ name, tails, loopDelayMs, floorDelayMs }: SituationResult): string[] {
  const delays: Partial<Record<PolledServer, string>> = {
    ours: String(loopDelayMs),
    floor: floorDelayMs.toFixed(1),
  };
  return (['ours', 'bare', 'floor'] as const).map((server) => {
    const tail = tails[server];
    const figures = [tail.p50, tail.p99, tail.p999, tail.worst].map((ms) => ms.toFixed(2));
    const spread = [Math.min(...tail.roundsP999), Math.max(...tail.roundsP999)].map((ms) => ms.toFixed(2));
    const together = server === 'bare' ? '' : (tail.p999 / tails.bare.p999).toFixed(2);
    const median = server === 'bare' ? '' : tailRatioOf(tail, tails.bare).toFixed(2);
    const words = [
      name,
      POLLED[server],
      ...figures,
      spread.join(' to '),
      together,
      median,
      delays[server] ?? '',
    ];
    return `| ${words.join(' | ')} |`;
  });
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** One bar for each server of each case: requests per second, relative to the fastest of its case. */
export function chartOf({ cases }: HttpResults): string {
  return barChart(
    cases.map((one) =>
      entriesOf(one).map(([server, { perSecond }]) => ({
        label: `${one.name}: ${LABELS[server].replaceAll('`', '')}`,
        value: perSecond,
        text: thousands(perSecond),
        isOurs: server === 'ours',
      })),
    ),
  );
}
