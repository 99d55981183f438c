"""Passes the model's stream on to the browser, runs the tools itself, and says in the same response what it did."""

import json
import os
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com") + "/v1/messages"
KEY = os.environ.get("ANTHROPIC_API_KEY", "")
SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
TOOLS = [{"name": "create_ticket", "input_schema": SCHEMA}]


def create_ticket(title):
    return f"Created: {title}"


def finalise(call, message_ended, stop_reason):
    """What is known of one call once nothing more of it comes: a report, and its arguments if it may run."""
    report = {"call_id": call["id"], "name": call["name"], "ran": "no"}
    if not message_ended:
        return {**report, "outcome": "abandoned", "cause": "connection-lost"}, None
    if stop_reason == "max_tokens":
        return {**report, "outcome": "truncated", "cause": "truncated"}, None
    if stop_reason != "tool_use":
        return {**report, "outcome": "abandoned", "cause": "unrecognised"}, None
    try:
        arguments = json.loads(call["buffer"] or "{}")  # strict: half a document is no document
    except ValueError:
        return {**report, "outcome": "unparseable", "cause": "unparseable"}, None
    if not isinstance(arguments, dict) or not isinstance(arguments.get("title"), str):
        return {**report, "outcome": "schema-error", "cause": "invalid-arguments"}, None
    return {**report, "outcome": "dispatchable", "cause": "held-back"}, arguments


def run(report, arguments):
    """Runs a call that passed. What it does not know it says: a timeout is not 'not run'."""
    report = {"call_id": report["call_id"], "name": report["name"]}
    try:
        create_ticket(arguments["title"])
    except TimeoutError:
        return {**report, "ran": "unknown", "cause": "timed-out"}
    except Exception:
        return {**report, "ran": "yes", "ok": False}
    return {**report, "ran": "yes", "ok": True}


class Chat(BaseHTTPRequestHandler):
    def do_POST(self):
        question = self.rfile.read(int(self.headers["content-length"])).decode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        calls, stop_reason, ended = {}, None, False
        try:
            for line in ask(question):
                self.tell(line)
                if not line.startswith(b"data: "):
                    continue
                event = json.loads(line[6:])
                block, delta = event.get("content_block", {}), event.get("delta", {})
                if block.get("type") == "tool_use":
                    calls[event["index"]] = {"id": block["id"], "name": block["name"], "buffer": ""}
                if delta.get("type") == "input_json_delta":
                    calls[event["index"]]["buffer"] += delta["partial_json"]
                stop_reason = delta.get("stop_reason", stop_reason)
                ended = ended or event["type"] == "message_stop"
        except Exception:
            ended = False  # the model's stream broke: what was announced is finalised all the same
        # All of them first: one damaged call holds the others back.
        finals = [finalise(call, ended, stop_reason) for call in calls.values()]
        passed = all(arguments is not None for _, arguments in finals)
        for report, arguments in finals:
            if passed:
                report = run(report, arguments)
            # The blank line in front closes an event of the model's that broke off.
            self.tell(b"\n\nevent: tool-call-outcome\ndata: " + json.dumps(report).encode() + b"\n\n")

    def tell(self, line):
        try:
            self.wfile.write(line)
            self.wfile.flush()
        except OSError:
            pass  # the browser has gone; the tools still get to their end


def ask(question):
    body = {"model": "claude-haiku-5-5", "max_tokens": 1024, "stream": True, "tools": TOOLS}
    body["messages"] = [{"role": "user", "content": question}]
    headers = {"content-type": "application/json", "x-api-key": KEY, "anthropic-version": "2023-06-01"}
    request = urllib.request.Request(MODEL, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        yield from response


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Chat).serve_forever()
