// Generates the table of metrics in docs/guide/cluster.md.

import {
  ALERT_FAMILIES,
  HISTORY_FAMILIES,
  NODE_FAMILIES,
  nodeFamilies,
} from '../src/telemetry/node-metrics.ts';

export function clusterMetrics(): string {
  const valuesOf = new Map<string, object>(NODE_FAMILIES.map(({ name, values }) => [name, values]));
  const ofOthers = new Set<string>([...HISTORY_FAMILIES, ...ALERT_FAMILIES].map(({ name }) => name));
  const shared = nodeFamilies().filter(({ name }) => !ofOthers.has(name));
  return [
    '| metric | type | labels | |',
    '|---|---|---|---|',
    ...shared.map(({ name, type, help }) => {
      // The samples of the state metric are created when they are read, one for each state.
      const values = valuesOf.get(name) ?? { each: { state: '' } };
      const labels = new Set(Object.values(values).flatMap((set) => Object.keys(set)));
      return `| \`${name}\` | ${type} | ${[...labels].map((label) => `\`${label}\``).join(', ')} | ${help} |`;
    }),
    '',
  ].join('\n');
}
