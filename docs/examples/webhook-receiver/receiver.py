from __future__ import annotations

import json
import os
import sqlite3
import threading
import traceback
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_webhook import verify_webhook

SECRET = os.environ["WEBHOOK_SECRET"]  # the secret the subscription answered
INBOX = os.environ.get("INBOX", "inbox.db")
MOST_BYTES = 5_000_000

there_is_work = threading.Event()


def work(envelope: dict) -> None:
    """Your own code comes here; what it raises is tried again with the next delivery, and at the next start."""
    print(envelope["timestamp"], envelope["event"], envelope["data"].get("id", ""), flush=True)


def open_inbox() -> sqlite3.Connection:
    """What came in and is not done yet survives a restart; the primary key knows what came in before."""
    inbox = sqlite3.connect(INBOX, timeout=30, isolation_level=None)
    inbox.execute(
        "create table if not exists inbox ("
        "delivery_id text primary key, body text not null, done integer not null default 0)"
    )
    return inbox


def work_through() -> None:
    """Goes on whatever happens: also when the inbox could not be opened or read this time."""
    while there_is_work.wait():
        there_is_work.clear()
        try:
            with closing(open_inbox()) as inbox:
                waiting = inbox.execute("select delivery_id, body from inbox where done = 0 order by rowid").fetchall()
                for delivery_id, body in waiting:
                    work(json.loads(body))
                    inbox.execute("update inbox set done = 1 where delivery_id = ?", [delivery_id])
        except Exception:
            traceback.print_exc()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Stored, then answered: the work waits, so the answer comes within milliseconds."""
        length = int(self.headers.get("Content-Length", 0))
        if length > MOST_BYTES:
            self.answer(413)
            return
        raw_body = self.rfile.read(length)
        if not verify_webhook(raw_body, self.headers.get("X-Svc-Signature"), SECRET):
            self.answer(401)
            return
        delivery_id = json.loads(raw_body)["delivery_id"]
        inbox = open_inbox()
        try:
            stored = inbox.execute(
                "insert into inbox (delivery_id, body) values (?, ?) on conflict do nothing",
                [delivery_id, raw_body.decode()],
            )
            if stored.rowcount == 0:
                print(delivery_id, "came in before", flush=True)
        finally:
            inbox.close()
        self.answer(204)
        there_is_work.set()

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Not a line for every request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    open_inbox().close()
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    there_is_work.set()
    threading.Thread(target=work_through, daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
