"""A process of its own for a share of the segments: work comes in and scores go out as MessagePack.

A plain program and not a fork: it does not matter what the calling program has loaded or how it was started.
"""

from __future__ import annotations

import sys

import msgspec

from kontrast.scoring.metrics.sacre import SegmentWork, score_work

if __name__ == "__main__":
    work = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=SegmentWork)
    sys.stdout.buffer.write(msgspec.msgpack.encode(score_work(work)))
