// A strict reader of the Prometheus text format for tests, written from the specification and independent of
// our writer: https://prometheus.io/docs/instrumenting/exposition_formats/

interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly help: string;
  readonly kind: string;
  readonly samples: readonly ReadSample[];
}

const KINDS = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/gy;

/** Metric families by name. @throws Error on anything that the format does not allow */
export function readPrometheus(text: string): Map<string, ReadFamily> {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line end');
  const families = new Map<string, { help: string; kind: string; samples: ReadSample[] }>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment?.[1] === 'HELP') {
      current = comment[2]!;
      if (families.has(current)) throw new Error(`A second family ${current}`);
      families.set(current, { help: comment[3]!, kind: '', samples: [] });
    } else if (comment?.[1] === 'TYPE') {
      const family = families.get(comment[2]!);
      if (comment[2] !== current || family === undefined || !KINDS.includes(comment[3]!)) {
        throw new Error(`A TYPE out of place: ${line}`);
      }
      family.kind = comment[3]!;
    } else {
      const sample = readSample(line);
      const family = families.get(current);
      const isOwn =
        family?.kind === 'histogram'
          ? ['_bucket', '_sum', '_count'].some((end) => sample.name === current + end)
          : sample.name === current;
      if (family === undefined || !isOwn) throw new Error(`A sample outside its family: ${line}`);
      const identity = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(identity)) throw new Error(`A sample twice: ${line}`);
      seen.add(identity);
      family.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): ReadSample {
  const match = SAMPLE.exec(line);
  if (match === null) throw new Error(`No sample: ${line}`);
  const labels: Record<string, string> = {};
  const text = match[2] ?? '';
  let end = 0;
  for (const label of text.matchAll(LABEL)) {
    labels[label[1]!] = label[2]!.replace(/\\(.)/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped,
    );
    end = label.index + label[0].length;
  }
  if (end !== text.length) throw new Error(`Malformed labels: ${line}`);
  const value = Number(match[3]!.replace(/^([+-]?)Inf$/, '$1Infinity'));
  if (Number.isNaN(value) && match[3] !== 'NaN') throw new Error(`No number: ${line}`);
  return { name: match[1]!, labels, value };
}

/** How often a server has restarted its threads of this name; -1 if its metrics page is refused. */
export async function restartCount(url: string, worker: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { keepalive: false });
  const text = await response.text();
  if (response.status !== 200) return -1;
  return sampleOf(readPrometheus(text), 'overround_worker_restarts_total', { worker });
}

/** The value of the sample with these labels; 0 if there is no such sample. */
export function sampleOf(
  families: ReadonlyMap<string, ReadFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const samples = families.get(name)?.samples ?? [];
  const wanted = Object.entries(labels);
  const found = samples.find((sample) => wanted.every(([label, text]) => sample.labels[label] === text));
  return found?.value ?? 0;
}
