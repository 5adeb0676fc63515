// The smallest tail latency possible in a process with several threads: the bare server in a worker, next to
// a worker that behaves like an idle thread of the service, which reads the clock a hundred times a second.
// `bun bench/http/tail-floor-server.ts <file>` answers with the bytes of the file and prints its port. GET
// /late answers the longest delay of a timer of the serving thread since the previous GET /late, in
// milliseconds.

declare const self: Worker;

const TICK_MS = 10;

function serve(body: Blob): number {
  const headers = { 'content-type': 'application/json; charset=utf-8', etag: '"floor"' };
  let dueAtMs = performance.now() + TICK_MS;
  let latestMs = 0;
  setInterval(() => {
    latestMs = Math.max(latestMs, performance.now() - dueAtMs);
    dueAtMs = performance.now() + TICK_MS;
  }, TICK_MS);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      if (!url.endsWith('/late')) return new Response(body, { headers });
      const answer = new Response(String(latestMs));
      latestMs = 0;
      return answer;
    },
  });
  return server.port!;
}

if (Bun.isMainThread) {
  const serving = new Worker(import.meta.url, { name: 'serving' });
  serving.onmessage = ({ data }: MessageEvent<number>) => console.log(data);
  serving.postMessage(process.argv[2]!);
  new Worker(import.meta.url, { name: 'idle' }).postMessage(null);
} else {
  self.onmessage = async ({ data: path }: MessageEvent<string | null>) => {
    if (path === null) setInterval(() => performance.now(), TICK_MS);
    else self.postMessage(serve(new Blob([await Bun.file(path).bytes()])));
  };
}
