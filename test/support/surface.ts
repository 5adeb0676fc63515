// A running service with its document and its callers, and the check that all its answers must pass: a
// documented status, a body that fits its schema, and the headers that every answer has.

import { join } from 'node:path';
import { type Answered, call, headerProblemsOf } from './call.ts';
import type { Caller } from './callers.ts';
import { Callers, PROXY_SETTINGS } from './callers.ts';
import { until } from './condition.ts';
import { slateOfAllBooks } from './made-up-slate.ts';
import { fetchDocument, type OpenApiDocument, type Operation } from './openapi-document.ts';
import { HELLO_AT, writeRecording } from './recording-file.ts';
import { recordingPath } from './recordings.ts';
import { type RunningService, type RunOptions, runService } from './running-service.ts';
import { type SampleRequest, Samples } from './samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The instant at which recordings are stopped: some matches are finished, some live, some scheduled. */
const STILL_NOW = '2026-01-01T12:00:00Z';

interface SurfaceOptions {
  /** How many free keys to create; each admits a burst of 30. */
  readonly freeKeys: number;
  /** Further settings of the service. */
  readonly settings?: Readonly<Record<string, string>>;
}

export class Surface {
  readonly running: RunningService;
  readonly document: OpenApiDocument;
  readonly callers: Callers;
  readonly samples: Samples;
  readonly eventIds: readonly string[];

  private constructor(parts: {
    readonly running: RunningService;
    readonly document: OpenApiDocument;
    readonly callers: Callers;
    readonly events: readonly ServedEvent[];
  }) {
    this.running = parts.running;
    this.document = parts.document;
    this.callers = parts.callers;
    // The first events have one event of each status; the rest follow.
    const firsts = [...Map.groupBy(parts.events, (event) => event.status).values()].map(
      (events) => events[0]!,
    );
    this.eventIds = [...new Set([...firsts, ...parts.events])].map((event) => event.id);
    const shown = parts.events.find((event) => event.status === 'scheduled') ?? parts.events[0]!;
    this.samples = new Samples(parts.document, {
      eventIds: this.eventIds,
      homeTeam: shown.home_team.name,
      awayTeam: shown.away_team.name,
      league: shown.league.name,
      date: shown.scheduled_at.slice(0, 10),
    });
  }

  /**
   * Starts a service on the Brazilian recording if it is beside the checkout, otherwise on a made-up one.
   * Either is played with a stopped clock.
   */
  static async start(options: SurfaceOptions): Promise<Surface> {
    const { freeKeys } = options;
    const path = recordingPath('brazil-2022.ndjson');
    if (path !== null) {
      const feed = { FEED: `replay:${path}`, FEED_NOW: STILL_NOW };
      return await Surface.on({ ...feed, ...PROXY_SETTINGS, ...options.settings }, { freeKeys });
    }
    // The folder is deleted when this function ends. The service is ready only once the replay has read its
    // file to the end.
    using folder = temporaryFolder();
    const FEED = writeRecording(join(folder.path, 'made-up.ndjson'), slateOfAllBooks());
    return await Surface.on(
      { FEED, FEED_NOW: HELLO_AT, ...PROXY_SETTINGS, ...options.settings },
      { freeKeys },
    );
  }

  /** Starts a service with these settings. */
  static async on(
    settings: Record<string, string>,
    { freeKeys, ...options }: RunOptions & { readonly freeKeys: number },
  ): Promise<Surface> {
    const running = await runService(settings, options);
    const statuses = ['live', 'scheduled', 'finished'];
    const pages = await Promise.all(
      statuses.map((status) => running.get<{ data: ServedEvent[] }>(`/v1/events?limit=200&status=${status}`)),
    );
    const callers = await Callers.create(running.dataDir, freeKeys);
    const events = pages.flatMap((page) => page.data);
    if (events.some((event) => event.status === 'finished')) {
      // Results are written after the messages of the feed; all results of a snapshot are written at once.
      await until('a result is archived', async () => {
        return (await running.get<{ count: number }>('/v1/results?limit=1')).count > 0;
      });
    }
    return new Surface({ running, document: await fetchDocument(running.url), callers, events });
  }

  send(caller: Caller, request: SampleRequest, headers: Record<string, string> = {}): Promise<Answered> {
    return call(`${this.running.url}${request.path}`, {
      method: request.method,
      headers: {
        ...this.callers.headersOf(caller),
        ...(request.body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(request.body === null ? {} : { body: request.body }),
    });
  }

  /** The problems of an answer to an operation; empty if there are none. */
  problemsOf(operation: Operation, answered: Answered): string[] {
    return [
      ...this.document.problemsOf(operation, answered.status, answered.body),
      ...headerProblemsOf(answered, operation),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
  }
}

interface ServedEvent {
  readonly id: string;
  readonly status: string;
  readonly scheduled_at: string;
  readonly league: { readonly id: string; readonly name: string };
  readonly home_team: { readonly id: string; readonly name: string };
  readonly away_team: { readonly id: string; readonly name: string };
}
