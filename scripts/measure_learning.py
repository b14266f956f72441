#!/usr/bin/env python3
"""How a learned model does on motions that it has not seen: learns each of some clips of a character and plays the others.

    scripts/measure_learning.py build/release/bin/sinew CHARACTER.glb... [--clips N] [--json FILE] [--markdown]

The error is the distance of the model's surface from that of `--method flesh`, over all vertices and frames of the clip
that is played, 60 per second; printed in per cent of the rig's own distance. Beside each pair `sinew compare` would say
the same. Pairs where flesh is nowhere farther than a thousandth of the height from the rig are left out: there is nothing
to learn, and nobody would see it.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

FRAMES_PER_SECOND = 60
STILL = 1e-3  # of the height
RMS_BOUND, LARGEST_BOUND = 60, 100  # per cent of the rig's


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def read_pc2(path):
    """frames x points x 3"""
    with open(path, "rb") as file:
        data = file.read()
    points, frames = np.frombuffer(data, "<i4", 1, 16)[0], np.frombuffer(data, "<i4", 1, 28)[0]
    return np.frombuffer(data, "<f4", frames * points * 3, 32).reshape(frames, points, 3)


def spread(names, count):
    """`count` of them, the first and the last among them."""
    if len(names) <= count:
        return names
    return [names[round(k * (len(names) - 1) / (count - 1))] for k in range(count)]


def distances(a, b):
    frames = min(len(a), len(b))
    return np.linalg.norm(a[:frames].astype(float) - b[:frames], axis=2)


class Character:
    def __init__(self, sinew, path, folder, clips, threads, fit_options):
        self.sinew, self.path, self.folder, self.threads = sinew, path, folder, threads
        self.fit_options = fit_options
        self.name = os.path.splitext(os.path.basename(path))[0]
        info = json.loads(run(sinew, "info", path, "--json"))
        names = list(dict.fromkeys(c["name"] for c in info["clips"]))
        self.clips = spread(names, clips)
        self.fits = {}

    def bake(self, method, clip, *options):
        with tempfile.TemporaryDirectory(dir=self.folder) as own:
            target = os.path.join(own, "surface.pc2")
            run(self.sinew, "animate", self.path, "--method", method, "--clip", clip, "--fps", FRAMES_PER_SECOND, "-o", target,
                "--quiet", "--threads", self.threads, *options)
            return read_pc2(target)

    def truth(self, clip):
        """The surfaces of flesh and of the rig in a clip."""
        return self.bake("flesh", clip), self.bake("linear", clip)

    def measure(self, truths, learned):
        """The pairs of the clip that is learned, from the `truth` of every clip."""
        first = truths[self.clips[0]][1][0]
        height = float(np.max(first.max(axis=0) - first.min(axis=0)))
        model = os.path.join(self.folder, f"{self.clips.index(learned)}.sinew")
        report = model + ".json"
        begin = time.time()
        run(self.sinew, "fit", self.path, "--simulate", "--clip", learned, "-o", model, "--report", report, "--quiet",
            "--threads", self.threads, *self.fit_options)
        with open(report, encoding="utf-8") as file:
            self.fits[learned] = json.load(file)
        self.fits[learned]["seconds"] = time.time() - begin
        swing = {clip: distances(rig, flesh) for clip, (flesh, rig) in truths.items()}
        pairs = []
        for played in self.clips:
            rig_error = swing[played]
            if rig_error.max() <= STILL * height:
                continue
            error = distances(self.bake("surface", played, "--model", model), truths[played][0])
            pairs.append({
                "character": self.name, "learned": learned, "played": played, "seen": learned == played,
                "rms": 100 * float(np.sqrt((error**2).mean() / (rig_error**2).mean())),
                "largest": 100 * float(error.max() / rig_error.max()),
                "rig_rms": 100 * float(np.sqrt((rig_error**2).mean()) / height),
                "rig_largest": 100 * float(rig_error.max() / height),
                "still": float(swing[learned].max()) <= STILL * height,
            })
        print(self.name, learned, "measured", file=sys.stderr)
        return pairs


def meets(pair):
    return pair["rms"] < RMS_BOUND and pair["largest"] <= LARGEST_BOUND


def summary(name, pairs):
    unseen = [p for p in pairs if not p["seen"]]
    seen = [p for p in pairs if p["seen"]]
    if not unseen:
        return None
    rms, largest = [p["rms"] for p in unseen], [p["largest"] for p in unseen]
    return (name, len(unseen), sum(meets(p) for p in unseen), sum(p["rms"] < RMS_BOUND for p in unseen),
            sum(p["largest"] <= LARGEST_BOUND for p in unseen), np.median(rms), max(rms), np.median(largest), max(largest),
            np.median([p["rms"] for p in seen]) if seen else float("nan"))


HEAD = ("character", "pairs", "both", f"RMS < {RMS_BOUND} %", f"largest <= {LARGEST_BOUND} %", "RMS, median", "worst",
        "largest, median", "worst", "RMS where learned")


def table(rows):
    print("| " + " | ".join(HEAD) + " |")
    print("|---" + "|---:" * (len(HEAD) - 1) + "|")
    for row in rows:
        print(f"| {row[0]} | " + " | ".join(f"{v:.0f}" for v in row[1:]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew")
    parser.add_argument("characters", nargs="+")
    parser.add_argument("--clips", type=int, default=5, help="of each character, at most (default 5)")
    parser.add_argument("--json", help="where all pairs go")
    parser.add_argument("--pairs", action="store_true", help="print every pair that misses a bound")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--fit", default="", help="more options of `sinew fit`, separated by spaces")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        characters = []
        for path in given.characters:
            own = os.path.join(folder, os.path.basename(path))
            os.mkdir(own)
            characters.append(Character(given.sinew, path, own, given.clips, 1, given.fit.split()))
        truths = {(c, clip): pool.submit(c.truth, clip) for c in characters for clip in c.clips}
        # Threads take tasks in turn: all truths have begun before the first task that waits for one.
        tasks = [(c, pool.submit(lambda c=c, clip=clip: c.measure({k: truths[c, k].result() for k in c.clips}, clip)))
                 for c in characters for clip in c.clips]
        done = [(c, [pair for one, task in tasks if one is c for pair in task.result()]) for c in characters]
    pairs = [p for _, own in done for p in own]
    rows = [row for row in (summary(c.name, own) for c, own in done) if row]
    table(rows + [summary("all", pairs)])
    seconds = [f["seconds"] for c, _ in done for f in c.fits.values()]
    print(f"\nfits: {sum(seconds):.1f} s in all, median {np.median(seconds):.2f} s")
    if given.pairs:
        for p in pairs:
            if not p["seen"] and not meets(p):
                print(f"{p['character']}: {p['learned']} -> {p['played']}: RMS {p['rms']:.0f} %, largest {p['largest']:.0f} %"
                      f" (rig {p['rig_rms']:.2f}, {p['rig_largest']:.1f} % of the height)" + (", learned stillness" if p["still"] else ""))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"pairs": pairs, "fits": {c.name: c.fits for c, _ in done}}, file, indent=1)


if __name__ == "__main__":
    main()
