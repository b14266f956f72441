"""blender -b --factory-startup --python pipe_rig_blender.py -- CLIP BONE...

Blender as a rig outside (docs/rigs.md): it imports the character, plays CLIP at the second that "time" says and turns
each BONE on top, and answers where its own skinning puts the vertices. For files whose unit is the metre.
"""
import json
import os
import struct
import sys

# What Blender prints goes to standard error from here on; standard output is for answers.
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)

import numpy  # noqa: E402

# Blender 3.4's importer was written for an older numpy.
numpy.bool = bool
numpy.object = object

import bpy  # noqa: E402
from mathutils import Quaternion, Vector, kdtree  # noqa: E402


def send(message, block=b""):
    answers.write(json.dumps(message).encode() + b"\n" + block)
    answers.flush()


def play(clip):
    """The importer gives every clip a track; only this one is to act."""
    for holder in list(bpy.data.objects) + list(bpy.data.shape_keys):
        data = holder.animation_data
        if not data:
            continue
        data.action = None
        for track in data.nla_tracks:
            track.mute = True
            if track.name == clip:
                data.action = track.strips[0].action


def positions():
    """World positions of all vertices as Blender shows them, in glTF's axes."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in sorted((o for o in bpy.data.objects if o.type == "MESH"), key=lambda o: o.name):
        evaluated = thing.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = numpy.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", points)
        world = numpy.array(evaluated.matrix_world)
        found.append(points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
        evaluated.to_mesh_clear()
    found = numpy.concatenate(found)
    return numpy.stack([found[:, 0], found[:, 2], -found[:, 1]], axis=1)


def turn(vector):
    vector = Vector(vector)
    return Quaternion(vector, vector.length) if vector.length > 0 else Quaternion()


def main():
    clip, *names = sys.argv[sys.argv.index("--") + 1:]
    hello = json.loads(sys.stdin.buffer.readline())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=hello["file"])
    scene = bpy.context.scene
    bones = [bone for o in bpy.data.objects if o.type == "ARMATURE" for bone in o.pose.bones if bone.name in names]
    if len(bones) != len(names):
        send({"error": "the file does not have all of the bones " + ", ".join(names)})
        return

    play(None)
    bpy.context.view_layer.update()
    still = positions()
    tree = kdtree.KDTree(len(still))
    for i, point in enumerate(still):
        tree.insert(point, i)
    tree.balance()
    chosen, far = [], 0
    for position in hello["positions"]:
        _, i, distance = tree.find(position)
        chosen.append(i)
        far = max(far, distance)
    if far > 1e-4:
        send({"error": "a vertex is %g m from where Blender shows it" % far})
        return
    play(clip)

    parameters = [{"name": "time", "lower": 0, "upper": 3600, "free": False}]
    for bone in bones:
        parameters += [{"name": "%s.rotation.%s" % (bone.name, axis), "control": bone.name, "unit": "radians",
                        "lower": -0.785, "upper": 0.785} for axis in "xyz"]
    send({"protocol": "sinew-rig", "version": 1, "name": "Blender", "numbers": "binary", "vertices": len(chosen),
          "parameters": parameters})

    width = len(parameters)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        count = request["evaluate"]
        values = struct.unpack("<%dd" % (count * width), sys.stdin.buffer.read(8 * count * width))
        surfaces = []
        for k in range(count):
            time, *turns = values[k * width:(k + 1) * width]
            frame = time * scene.render.fps / scene.render.fps_base
            scene.frame_set(int(frame), subframe=frame - int(frame))
            for b, bone in enumerate(bones):
                bone.rotation_mode = "QUATERNION"
                bone.rotation_quaternion = bone.rotation_quaternion @ turn(turns[3 * b:3 * b + 3])
            bpy.context.view_layer.update()
            surfaces.append(positions()[chosen].astype("<f8").tobytes())
        send({"id": request["id"], "surfaces": count}, b"".join(surfaces))


main()
