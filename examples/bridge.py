# A bridge: a WebSocket server that sends prices as a feed, with nothing but Python. Replace `prices`.
import base64, hashlib, itertools, json, random, socketserver, struct, sys, time
from datetime import datetime, timedelta, timezone

def iso(hours=0):
    return (datetime.now(timezone.utc) + timedelta(hours=hours)).isoformat(timespec="milliseconds")

def prices():  # yours: home, draw, away
    return [round(random.uniform(1.8, 2.2), 2), 3.4, 3.6]

class Bridge(socketserver.StreamRequestHandler):
    def send(self, type, **fields):
        message = {"type": type, **fields} if type == "hello" else {"type": type, "seq": next(self.seq), **fields}
        text = json.dumps(message).encode()  # a frame of text: 1 byte of kind, then the length in 1 or 3 bytes
        self.wfile.write(b"\x81" + (bytes([len(text)]) if len(text) < 126 else b"\x7e" + struct.pack(">H", len(text))) + text)

    def handle(self):
        lines = iter(lambda: self.rfile.readline().decode().strip(), "")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if headers.get("authorization") != "Bearer secret":
            return self.wfile.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
        key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        self.seq, team = itertools.count(1), lambda name: {"key": name.lower(), "name": name}
        self.send("hello", protocol=1, source="my-bridge", at=iso(), epoch=iso())
        self.send("snapshot_begin")
        self.send("event", at=iso(), event="match-1", sport="football", league=team("Cup"), home=team("Reds"), away=team("Blues"), scheduled_at=iso(hours=2))
        self.send("snapshot_end")
        while True:
            self.send("quote", at=iso(), event="match-1", bookmaker="crown", market_type="1x2", period="full_time", line=None, prices=prices(), status="open")
            self.send("heartbeat", at=iso())
            time.sleep(1)

socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Bridge).serve_forever()
