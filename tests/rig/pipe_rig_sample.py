#!/usr/bin/env python3
"""A rig outside, as small as it gets: a cloth-like wave with a parameter "time" (docs/rigs.md, "A rig outside").

It stands in a row along x, a vertex every centimetre, whatever the character is.
"""
import json
import math
import struct
import sys

BINARY = "--binary" in sys.argv


def surface(p, count):
    height, twist, time = p
    numbers = []
    for i in range(count):
        x = 0.01 * i
        numbers += [x, height * math.sin(x + time), twist * x * x]
    return numbers


def send(message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")


def main():
    hello = json.loads(sys.stdin.buffer.readline())
    count = len(hello["vertices"])
    parameters = [
        {"name": "wave.height", "control": "wave", "unit": "metres", "rest": 0.1, "lower": 0, "upper": 1},
        {"name": "wave.twist", "control": "wave"},
        {"name": "time", "lower": 0, "upper": 100, "free": False},
    ]
    send({"protocol": "sinew-rig", "version": 1, "name": "wave", "vertices": count, "parameters": parameters,
          "numbers": "binary" if BINARY else "text"})
    sys.stdout.buffer.flush()
    for line in sys.stdin.buffer:
        message = json.loads(line)
        request, number = message["evaluate"], message["id"]
        if BINARY:
            width = len(parameters)
            values = struct.unpack("<%dd" % (request * width), sys.stdin.buffer.read(8 * request * width))
            send({"id": number, "surfaces": request})
            for i in range(request):
                numbers = surface(values[i * width:(i + 1) * width], count)
                sys.stdout.buffer.write(struct.pack("<%dd" % len(numbers), *numbers))
        else:
            send({"id": number, "surfaces": [surface(p, count) for p in request]})
        sys.stdout.buffer.flush()


main()
