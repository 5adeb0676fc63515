"""Line movement for Prometheus: the consensus line of every match, which is the line that most
bookmakers offer, as a gauge on http://127.0.0.1:9464/metrics. line-movement.rules.yml has an alert
on it. Settings: OVERROUND_URL, OVERROUND_API_KEY, PORT.
"""

import os
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from overround import Client

NAME = "overround_consensus_line"
HEAD = f"# HELP {NAME} Line that most bookmakers offer, full time.\n# TYPE {NAME} gauge\n"
samples = {}
lock = threading.Lock()
#: Whether the mirror has received the slate, and whether it is connected now. Unless both are set,
#: nothing is served, so that nobody takes old lines for current ones.
held, live = threading.Event(), threading.Event()


def consensus_line(fixture, market_type):
    """The line with the most bookmakers among the open quotes; in a tie, the lower line."""
    offers = {
        (quote["line"], quote["bookmaker"])
        for quote in fixture.quotes.values()
        if quote["market_type"] == market_type and quote["period"] == "full_time" and quote["status"] == "open"
    }
    counts = Counter(line for line, _ in offers)
    return min(counts, key=lambda line: (-counts[line], line)) if counts else None


class Metrics(BaseHTTPRequestHandler):
    def do_GET(self):
        ready = held.is_set() and live.is_set()
        with lock:
            rows = [f"{NAME}{{{labels}}} {line}\n" for labels, line in samples.items()]
        text = HEAD + "".join(rows) if ready else "not connected\n"
        self.send_response(200 if ready else 503)
        self.send_header("content-type", "text/plain; version=0.0.4; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_all):
        pass


def update(event_id, fixture):
    for market_type in ("asian_handicap", "totals"):
        line = None if fixture is None else consensus_line(fixture, market_type)
        labels = f'event_id="{event_id}",market_type="{market_type}"'
        if line is None:
            samples.pop(labels, None)
        else:
            samples[labels] = line


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9464"))), Metrics)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"listening on http://127.0.0.1:{server.server_address[1]}/metrics", flush=True)
url = os.environ.get("OVERROUND_URL", "http://127.0.0.1:3000")


def on_state(state, error):
    (live.set if state == "live" else live.clear)()
    if error is not None:
        print(f"{state}: {error}", flush=True)


options = {"markets": ["asian_handicap", "totals"], "on_state": on_state}
with Client(url, os.environ.get("OVERROUND_API_KEY")) as client, client.mirror(**options) as mirror:
    for change in mirror:
        with lock:
            if change.full:
                samples.clear()
            for event_id in change.changed | change.removed:
                update(event_id, mirror.get(event_id))
        held.set()
