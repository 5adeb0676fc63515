// The least that a tail can be in a process of several threads: the bare server in a worker, beside a worker that does what
// every thread of a service does when nobody asks it anything, which is to look at the clock a hundred times a second.
// `bun bench/http/tail-floor-server.ts <file>` answers the bytes of the file and prints its port.

declare const self: Worker;

if (Bun.isMainThread) {
  const serving = new Worker(import.meta.url, { name: 'http' });
  serving.onmessage = ({ data }: MessageEvent<number>) => console.log(data);
  serving.postMessage(process.argv[2]!);
  new Worker(import.meta.url, { name: 'idle' }).postMessage(null);
} else {
  self.onmessage = async ({ data: path }: MessageEvent<string | null>) => {
    if (path === null) return void setInterval(() => performance.now(), 10);
    const body = new Blob([await Bun.file(path).bytes()]);
    const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(body, { headers }),
    });
    self.postMessage(server.port);
  };
}
