// An endpoint of alerts for tests that kill servers: it can be made to refuse, and counts what arrives.

interface Body {
  readonly data: {
    readonly items: readonly { readonly id: string; readonly change: string; readonly details: object }[];
  };
}

export class AlertEndpoint {
  isUp = true;
  /** How often each `webhook-id` arrived. */
  readonly arrived = new Map<string, number>();
  /** The `webhook-id`s under which a signal arrived, by signal. */
  readonly ids = new Map<string, Set<string>>();
  readonly #server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      if (!this.isUp) return new Response('', { status: 503 });
      const id = request.headers.get('webhook-id')!;
      this.arrived.set(id, (this.arrived.get(id) ?? 0) + 1);
      for (const signal of AlertEndpoint.signalsOf(await request.text())) {
        this.ids.set(signal, (this.ids.get(signal) ?? new Set()).add(id));
      }
      return new Response('');
    },
  });

  /**
   * The openings and closings in a delivery, each as one text. The texts are unique, because a signal opens
   * and closes only once.
   */
  static signalsOf(body: string): string[] {
    const { data } = JSON.parse(body) as Body;
    return data.items.map(({ id, change, details }) => `${id} ${change} ${JSON.stringify(details)}`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/`;
  }

  /** Requests that repeat an id, and openings that arrived with two different ids. */
  counts(): { readonly repeated: number; readonly doubled: number } {
    return {
      repeated: [...this.arrived.values()].reduce((sum, count) => sum + count - 1, 0),
      doubled: [...this.ids].filter(([signal, ids]) => signal.includes(' opened ') && ids.size > 1).length,
    };
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
