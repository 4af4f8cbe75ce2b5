#!/usr/bin/python3
"""A site of three pages, each with a link over its left half: / leads to /product/4711, that to
/pay, and that back to /."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NEXT = {"/": "/product/4711", "/product/4711": "/pay", "/pay": "/"}
PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{here}</title>
<style>a {{ position: fixed; inset: 0 50% 0 0; background: #9cf; font: 40px sans-serif }}</style>
<a href="{next}">{next}</a>
"""


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        page = PAGE.format(here=self.path, next=NEXT[self.path]).encode() if self.path in NEXT else b""
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


ThreadingHTTPServer(("127.0.0.1", 80), Shop).serve_forever()
