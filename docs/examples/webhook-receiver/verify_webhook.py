from __future__ import annotations

import hashlib
import hmac
import time


def verify_webhook(raw_body: bytes, header: str | None, secret: str, tolerance_seconds: int = 300) -> bool:
    """True when a delivery comes from the workspace: raw_body is the body as it came in (before
    json.loads), header is the value of X-Svc-Signature, secret that of the subscription.

        if not verify_webhook(request.get_data(), request.headers.get("X-Svc-Signature"), SECRET):
            return "", 401
        return "", 204  # within 5 seconds; do the work later
    """
    parts = [part.strip() for part in (header or "").split(",")]
    timestamp = next((part[2:] for part in parts if part.startswith("t=")), "")
    if not timestamp.isdecimal() or len(timestamp) > 12:
        return False
    if abs(int(time.time()) - int(timestamp)) > tolerance_seconds:
        return False
    signed = timestamp.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    # While the secret is being rotated there are several v1; any that matches will do.
    given = [part[3:].encode() for part in parts if part.startswith("v1=")]
    return any(hmac.compare_digest(signature, expected) for signature in given)
