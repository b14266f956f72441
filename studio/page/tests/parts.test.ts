// Presets for parts of the body, and the animator's five words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { felt } from "../src/bars/feel.ts";
import { type JointSetting, type Part, parts_of, pattern_of, with_part, word_of } from "../src/bars/parts.ts";
import type { Joint, Setting } from "../src/connection/protocol.ts";

const joints = (...names: string[]): Joint[] => names.map((name) => ({ name, parent: -1, bone: true }));
const found = (...names: string[]) => Object.fromEntries(parts_of(joints(...names)).map((part) => [part.name, part.joints.join(" ")]));

test("parts are found by the names of joints, in the ways that rigs are named", () => {
  assert.deepEqual(found("hips", "spine", "chest", "cheek_l", "cheek_r", "belly", "breast_l", "breast_r", "upper_arm_l", "upper_arm_r", "forearm_l", "thigh_l", "shin_l"), {
    Belly: "belly", Breast: "breast_l breast_r", Cheeks: "cheek_l cheek_r", "Upper arms": "upper_arm_l upper_arm_r", Thighs: "thigh_l", Calves: "shin_l",
  });
  assert.deepEqual(found("mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg"), {
    Belly: "mixamorig:Spine mixamorig:Spine1", Breast: "mixamorig:Spine2", "Upper arms": "mixamorig:LeftArm", Thighs: "mixamorig:LeftUpLeg", Calves: "mixamorig:LeftLeg",
  });
  assert.deepEqual(found("ear_1_l", "tail_1", "tail_2", "trunk_1", "heart", "bear"), { Ears: "ear_1_l", Trunk: "trunk_1", Tail: "tail_1 tail_2" });
  assert.deepEqual(found("lower", "upper"), {});
  assert.deepEqual(parts_of([{ name: "belly", parent: -1, bone: false }]), []);
});

test("a pattern means just the joints of the part", () => {
  assert.equal(pattern_of(["breast_l", "breast_r"], ["breast_l", "breast_r", "belly"]), "breast_*");
  assert.equal(pattern_of(["arm_l", "arm_r"], ["arm_l", "arm_r", "arm_twist"]), null);
  assert.equal(pattern_of(["LeftArm", "RightArm"], ["LeftArm", "RightArm"]), null);
  assert.equal(pattern_of(["belly"], ["belly", "belly_2"]), "belly");
});

const breast: Part = { name: "Breast", joints: ["breast_l", "breast_r"], pattern: "breast_*" };
const arms: Part = { name: "Upper arms", joints: ["LeftArm", "RightArm"], pattern: null };

test("a preset is read back, leaves other joints alone, and goes without a trace", () => {
  const others: JointSetting[] = [{ joints: "belly", stiffness: 0.7 }];
  for (const part of [breast, arms])
    for (const word of ["firmer", "softer", "looser"] as const) {
      const list = with_part(part, word, others);
      assert.equal(word_of(part, list), word);
      assert.deepEqual(list[0], others[0]);
      assert.equal(list.length, 1 + (part.pattern ? 1 : 2));
      assert.deepEqual(with_part(part, "as is", list), others);
    }
  assert.equal(word_of(breast, others), "as is");
});

test("numbers that no preset has are no preset, and a core of its own stays", () => {
  // A method without damping gets none.
  assert.deepEqual(with_part(breast, "firmer", [], false), [{ joints: "breast_*", stiffness: 2.5 }]);
  assert.equal(word_of(breast, [{ joints: "breast_*", stiffness: 0.4 }], false), "looser");
  assert.equal(word_of(breast, [{ joints: "breast_*", stiffness: 0.9 }]), null);
  assert.equal(word_of(arms, [{ joints: "LeftArm", stiffness: 0.5, damping: 1 }]), null); // one of the two
  assert.deepEqual(with_part(breast, "softer", [{ joints: "breast_*", stiffness: 0.9, core: 0.8 }]), [{ joints: "breast_*", stiffness: 0.5, damping: 1, core: 0.8 }]);
});

test("the five are in one order whatever the method's, and those that it lacks are left out", () => {
  const setting = (key: string): Setting => ({ key, kind: "number", value: null, default: null, help: "", level: "run" });
  const words = (...keys: string[]) => felt(keys.map(setting)).map(({ feel }) => feel.word);
  assert.deepEqual(words("tetrahedra", "core", "young", "look", "poisson", "damping"), ["Amount", "Firmness", "Calm", "Bone", "Detail"]);
  assert.deepEqual(words("material", "young", "tetrahedra"), ["Firmness", "Detail"]);
  assert.deepEqual(words("alpha"), []);
});
