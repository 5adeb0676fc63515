// A component whose code is loaded when it is first drawn.

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** @param Waiting is shown until the code has arrived */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = ChartSpace,
): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | null>(null);
  return (props) => {
    useEffect(() => {
      void load().then((component) => {
        loaded.value = component;
      });
    }, []);
    const Loaded = loaded.value;
    return Loaded === null ? <Waiting /> : <Loaded {...props} />;
  };
}

/** Takes as much room as a chart. */
export function ChartSpace() {
  return <div class="chart-space" />;
}
