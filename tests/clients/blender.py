"""blender -b --factory-startup --python blender.py -- FILE.glb CACHE.pc2 REPORT.json

Blender imports FILE and puts its vertices at three frames where CACHE has them, to the error that
REPORT admits + 1e-4 of the height. Where the clip has curves of rig-space physics, both are played together.
"""
import json
import struct
import sys

import numpy

# Blender 3.4's importer was written for an older numpy.
numpy.bool = bool
numpy.object = object

import bpy  # noqa: E402

INDEX_TYPES = {5121: numpy.uint8, 5123: numpy.uint16, 5125: numpy.uint32}


def read_glb(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[20 + length + 8:]


def read_cache(path):
    with open(path, "rb") as file:
        data = file.read()
    points, start, rate, frames = struct.unpack_from("<iffi", data, 16)
    return numpy.frombuffer(data, "<f4", offset=32).reshape(frames, points, 3), start, rate


def imported_vertices(document, binary, primitive):
    """Blender keeps the vertices that some triangle uses, in rising order."""
    if "indices" not in primitive:
        return numpy.arange(document["accessors"][primitive["attributes"]["POSITION"]]["count"])
    accessor = document["accessors"][primitive["indices"]]
    view = document["bufferViews"][accessor["bufferView"]]
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return numpy.unique(numpy.frombuffer(binary, INDEX_TYPES[accessor["componentType"]], accessor["count"], offset))


def flesh_nodes(document):
    reached = set()
    stack = list(document["scenes"][document.get("scene", 0)]["nodes"])
    while stack:
        node = stack.pop()
        reached.add(node)
        stack += document["nodes"][node].get("children", [])
    return [i for i, node in enumerate(document["nodes"]) if i in reached and "mesh" in node and "skin" in node]


def played_animations(document, clip):
    """Indices of those that are to be played: `clip`, and its curves of rig-space physics with it; where these have all of
    its channels too, they alone."""
    animations = document["animations"]
    names = [animation.get("name") for animation in animations]
    found = [names.index(name) for name in (clip, f"{clip}.flesh") if name in names]
    targets = [{(c["target"].get("node"), c["target"]["path"]) for c in animations[i]["channels"]} for i in found]
    if len(found) == 2 and targets[0] <= targets[1]:
        return found[1:]
    return found or [0]


def play(document, clip):
    """The importer mutes all tracks and plays the first; play those of `clip` alone."""
    names = [document["animations"][index].get("name") or f"Anim_{index}" for index in played_animations(document, clip)]
    holders = list(bpy.data.objects) + [key for key in bpy.data.shape_keys]
    for holder in holders:
        data = holder.animation_data
        if not data:
            continue
        data.action = None
        for track in data.nla_tracks:
            track.mute = True
        tracks = [track for track in data.nla_tracks if track.name in names]
        if len(tracks) == 1:
            data.action = tracks[0].strips[0].action
            continue
        for track in tracks:
            track.mute = False
            for strip in track.strips:  # the importer lays it a frame late
                strip.frame_start = strip.action_frame_start
                strip.frame_end = strip.action_frame_end


def floats(document, binary, accessor_index, width):
    accessor = document["accessors"][accessor_index]
    view = document["bufferViews"][accessor["bufferView"]]
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return numpy.frombuffer(binary, "<f4", accessor["count"] * width, offset).reshape(-1, width).astype(float)


def arc_error(keys, rotations, times):
    """Radians between the arc that glTF demands between keys and the chord that Blender takes."""
    after = numpy.clip(numpy.searchsorted(keys, times), 1, max(1, len(keys) - 1))
    if len(keys) == 1:
        return numpy.zeros(len(times))
    part = numpy.clip((times - keys[after - 1]) / (keys[after] - keys[after - 1]), 0, 1)
    half = numpy.arccos(numpy.clip(numpy.abs((rotations[after - 1] * rotations[after]).sum(axis=1)), 0, 1))
    chord = numpy.arctan2(part * numpy.sin(half), 1 - part + part * numpy.cos(half))
    return 2 * numpy.abs(chord - part * half)


def comparable_frames(document, binary, clip, times):
    """Three frames, spread over those at which Blender's rotations are those of the file.

    Between keys Blender interpolates the components of quaternions, where glTF demands the arc: a
    clip with few keys differs there whether it has flesh or not.
    """
    played = [document["animations"][index] for index in played_animations(document, clip)]
    error = numpy.zeros(len(times))
    for animation, channel in ((animation, channel) for animation in played for channel in animation["channels"]):
        sampler = animation["samplers"][channel["sampler"]]
        if channel["target"]["path"] != "rotation":
            continue
        keys = floats(document, binary, sampler["input"], 1)[:, 0]
        plain = document["accessors"][sampler["output"]]["componentType"] == 5126
        if plain and sampler.get("interpolation", "LINEAR") == "LINEAR":
            error += arc_error(keys, floats(document, binary, sampler["output"], 4), times)
        else:
            error += numpy.abs(times[:, None] - keys[None, :]).min(axis=1) > 1e-4
    best = numpy.flatnonzero(error <= max(error.min(), 2e-5))
    return sorted({int(best[0]), int(best[len(best) // 2]), int(best[-1])})


def object_of(document, node, taken):
    """The imported object of a node: by its own or its mesh's name, to which Blender may add a number."""
    mesh = document["meshes"][document["nodes"][node]["mesh"]]
    for name in (document["nodes"][node].get("name"), mesh.get("name")):
        candidates = [o for o in bpy.data.objects if o.type == "MESH" and o.name not in taken and name
                      and (o.name == name or o.name.startswith(name + "."))]
        if candidates:
            return min(candidates, key=lambda o: o.name)
    return next(o for o in bpy.data.objects if o.type == "MESH" and o.name not in taken)


def main():
    glb, cache_path, report_path = sys.argv[sys.argv.index("--") + 1:]
    with open(report_path) as file:
        report = json.load(file)
    height, fps, clip = report["height_metres"], report["clips"][0]["fps"], report["clips"][0]["name"]
    max_error = report["morph_fit"]["max_metres"] if report["morph_fit"] else 0.0
    if report["method"] == "rigspace":  # curves may have fewer keys than frames
        max_error += report["settings"]["settings"]["key_error"] * height
    document, binary = read_glb(glb)
    cache, start, rate = read_cache(cache_path)

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.import_scene.gltf(filepath=glb)
    play(document, clip)

    objects, first_point, taken = [], 0, set()
    for node in flesh_nodes(document):
        imported = object_of(document, node, taken)
        taken.add(imported.name)
        indices = []
        for primitive in document["meshes"][document["nodes"][node]["mesh"]]["primitives"]:
            indices.append(first_point + imported_vertices(document, binary, primitive))
            first_point += document["accessors"][primitive["attributes"]["POSITION"]]["count"]
        objects.append((imported, numpy.concatenate(indices)))
    if first_point != cache.shape[1]:
        print(f"  the file has {first_point} vertices, the cache {cache.shape[1]}")
        return 1

    worst, where = 0.0, ""
    times = (start + numpy.arange(len(cache)) * rate) / fps
    frames = comparable_frames(document, binary, clip, times)
    for frame in frames:
        seconds = float(times[frame])
        whole = int(numpy.floor(seconds * scene.render.fps))
        scene.frame_set(whole, subframe=seconds * scene.render.fps - whole)
        graph = bpy.context.evaluated_depsgraph_get()
        for imported, indices in objects:
            evaluated = imported.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            if len(mesh.vertices) != len(indices):
                print(f"  {imported.name} has {len(mesh.vertices)} vertices, {len(indices)} are expected")
                return 1
            local = numpy.empty(len(mesh.vertices) * 3, numpy.float32)
            mesh.vertices.foreach_get("co", local)
            matrix = numpy.array(evaluated.matrix_world)
            world = local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
            # Blender is +Z up, glTF +Y.
            world = world[:, [0, 2, 1]] * (1, 1, -1) * report["metres_per_unit"]
            distance = numpy.linalg.norm(world - cache[frame][indices], axis=1).max()
            if not distance <= worst:
                worst, where = float(distance), f" at frame {frame} in {imported.name}"
            evaluated.to_mesh_clear()
    bound = max_error + 1e-4 * height
    print(f"  frames {', '.join(map(str, frames))}: farthest {100 * worst / height:.4f} % of the height (allowed {100 * bound / height:.4f} %){where}")
    return 0 if worst <= bound else 1


try:
    status = main()
except Exception as error:  # Blender itself would exit with 0
    print(f"  {type(error).__name__}: {error}")
    status = 1
sys.stdout.flush()
sys.exit(status)
