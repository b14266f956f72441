#!/usr/bin/env python3
"""Draws the strips of docs/gallery with the settings that `sinew animate` takes by itself.

    scripts/draw_gallery.py [SINEW] [--samples FOLDER] [--characters FOLDER] [--only NAME...]

Strips show the rig above and flesh below; those of hardest/ the rig, the default and linear flesh (`--elasticity linear`),
in red where these are far from the default. FOLDER of the samples is samples/; that of other people's characters is
$SINEW_CHARACTERS, or ../shared/characters; without it their strips stay as they are. Look at every strip that changes.
"""
import argparse
import json
import os
import subprocess
import tempfile

SAMPLES = [  # picture, file, clip, options
    ("sumo_stomp", "sumo.glb", "stomp", []),
    ("sumo_run_jump", "sumo.glb", "run_jump", []),
    ("elephant_jump", "elephant.glb", "jump", []),
    ("elephant_trunk_swing", "elephant.glb", "trunk_swing", []),
    ("tube_shake", "tube.glb", "shake", []),
    ("tube_bend_135", "tube.glb", "bend_135", []),
    ("tube_bend_135_elastic", "tube.glb", "bend_135", ["--reference", "elastic"]),
]
CHARACTERS = [
    ("cow_gallop_jump", "gltf/quat_cow/Cow.glb", "Gallop_Jump", []),
    ("frog_jump", "gltf/quat_frog/Frog.glb", "Frog_Jump", []),
    ("bunny_jump", "gltf/quat_bunny/Bunny.gltf", "Jump", []),
    ("koi_out_of_water", "gltf/quat_koi/Koi.glb", "Out_Of_Water", []),
    ("knight_running", "gltf/kaykit_knight/Knight.glb", "Running_A", []),
]
HARDEST = [  # picture, file, clip
    ("mage", "more/mage.glb", "Running_A"),
    ("bouncer", "more/platformer_game_pack_bouncer.glb", "Bouncer_Bounce"),
    ("bull", "more/animals_pack_bull.glb", "Gallop"),
    ("cow", "gltf/quat_cow/Cow.glb", "Walk"),
    ("wolf", "more/animals_pack_wolf.glb", "Walk"),
    ("koi", "gltf/quat_koi/Koi.glb", "Swimming_Fast"),
    ("trex", "more/trex.glb", "TRex_Run"),
    ("snake", "more/easy_enemies_pack_snake.glb", "Snake_Attack"),
    ("husky", "more/animals_pack_husky.glb", "Gallop"),
    ("donkey", "more/animals_pack_donkey.glb", "Gallop"),
    ("anglerfish", "more/cute_fish_pack_anglerfish.glb", "Out_Of_Water"),
    ("wasp", "gltf/quat_wasp_nan/Wasp.glb", "Wasp_Attack"),
]


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew", nargs="?", default=os.path.join(here, "build", "release", "bin", "sinew"))
    parser.add_argument("--samples", default=os.path.join(here, "samples"))
    parser.add_argument("--characters", default=os.environ.get("SINEW_CHARACTERS", os.path.join(here, "..", "shared", "characters")))
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    gallery = os.path.join(here, "docs", "gallery")

    def wanted(name, file):
        return (not arguments.only or name in arguments.only) and os.path.exists(file)

    def sinew(*command):
        subprocess.run([arguments.sinew, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def clip_name(file, ending):
        """Exporters put the name of the armature before that of the clip."""
        clips = json.loads(subprocess.run([arguments.sinew, "info", file, "--json"], capture_output=True, text=True, check=True).stdout)["clips"]
        return next(clip["name"] for clip in clips if clip["name"].split("|")[-1] == ending)

    with tempfile.TemporaryDirectory() as folder:
        for root, table in ((arguments.samples, SAMPLES), (arguments.characters, CHARACTERS)):
            for name, relative, clip, options in table:
                file = os.path.join(root, relative)
                if wanted(name, file):
                    print(name, flush=True)
                    sinew("animate", file, "--clip", clip_name(file, clip), "-o", os.path.join(folder, "flesh.glb"),
                          "--preview", os.path.join(gallery, name + ".png"), *options)
        for name, relative, clip in HARDEST:
            file = os.path.join(arguments.characters, relative)
            if not wanted("hardest/" + name, file):
                continue
            print("hardest/" + name, flush=True)
            caches = [os.path.join(folder, each + ".pc2") for each in ("linear", "default")]
            of_clip = ["--clip", clip_name(file, clip)]
            for cache, options in zip(caches, (["--elasticity", "linear"], [])):
                sinew("animate", file, "-o", cache, *of_clip, *options)
            sinew("compare", *caches, "--character", file, *of_clip, "--preview", os.path.join(gallery, "hardest", name + ".png"))


if __name__ == "__main__":
    main()
