// Muscles in the body: spindles from pale at rest to red, with fibres along them and pale tendons. They are seen through
// the skin in front of them, but not from behind the body.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Mesh, ShaderMaterial, SphereGeometry } from "three";
import type { MuscleState, Vector } from "../connection/protocol.ts";
import { points_of, radii, ring_triangles, write_rings } from "./muscle_shapes.ts";

const sides = 13; // the last one closes the ring
const ends_in_front = 1.4; // since they lie deeper, at bones
const depth_of_height = 0.075; // depth below the skin, as a share of the height, to which muscles are seen

// Depth is that of a place nearer to the eye, so that skin less than `lift` in front hides nothing.
const lifted = `
  uniform float lift;
  vec4 place_of(vec4 seen) {
    vec4 drawn = projectionMatrix * seen, nearer = projectionMatrix * vec4(seen.xyz * max(0.2, 1.0 - lift / length(seen.xyz)), 1.0);
    return vec4(drawn.xy, nearer.z / nearer.w * drawn.w, drawn.w);
  }`;

export interface DrawnMuscle { line: Vector[]; radius: number[]; activation: number }

export class MuscleDrawing {
  readonly group = new Group();
  drawn: DrawnMuscle[] = []; // as the newest frame has them
  private mesh: Mesh<BufferGeometry, ShaderMaterial> | null = null;
  private readonly material = muscle_material();

  // Takes the muscles of a frame, `count` places of each. `chosen`: index of the one that is marked, or -1.
  take(muscles: MuscleState[], activation: ArrayLike<number>, places: ArrayLike<number>, count: number, chosen: number, height: number) {
    const per_muscle = count * sides;
    if (this.mesh?.geometry.getAttribute("position").count !== muscles.length * per_muscle) this.make(muscles.length, count);
    const geometry = this.mesh!.geometry, array = (name: string) => (geometry.getAttribute(name) as BufferAttribute).array as Float32Array;
    this.material.uniforms.lift.value = depth_of_height * height;
    this.drawn = muscles.map((muscle, m) => {
      const line = points_of(places, m, count), radius = radii(line, muscle);
      write_rings(line, radius, sides, m * per_muscle, array("position"), array("normal"));
      array("level").fill(activation[m] + (m === chosen ? 2 : 0), m * per_muscle, (m + 1) * per_muscle);
      return { line, radius, activation: activation[m] };
    });
    for (const name of ["position", "normal", "level"]) geometry.getAttribute(name).needsUpdate = true;
  }

  clear() {
    this.mesh?.geometry.dispose();
    this.mesh?.removeFromParent();
    this.mesh = null;
    this.drawn = [];
  }

  private make(muscles: number, count: number) {
    this.clear();
    const vertices = muscles * count * sides, geometry = new BufferGeometry(), place = new Float32Array(2 * vertices), triangles: number[] = [];
    for (let v = 0; v < vertices; ++v) place.set([(v % sides) / (sides - 1), (Math.floor(v / sides) % count) / (count - 1)], 2 * v);
    for (let m = 0; m < muscles; ++m) triangles.push(...ring_triangles(count, sides, m * count * sides));
    geometry.setIndex(triangles);
    geometry.setAttribute("place", new BufferAttribute(place, 2));
    for (const [name, size] of [["position", 3], ["normal", 3], ["level", 1]] as const)
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(size * vertices), size).setUsage(DynamicDrawUsage));
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.group.add(this.mesh);
  }
}

// A ball of radius 1 at an end of a muscle, seen as muscles are.
export function end_ball(colour: number, height: number): Mesh {
  const material = new ShaderMaterial({
    transparent: true, toneMapped: false, uniforms: { lift: { value: ends_in_front * depth_of_height * height }, colour: { value: new Color(colour).convertLinearToSRGB() } },
    vertexShader: `${lifted}
      void main() { gl_Position = place_of(modelViewMatrix * vec4(position, 1.0)); }`,
    fragmentShader: `uniform vec3 colour;
      void main() { gl_FragColor = vec4(colour, 1.0); }`,
  });
  const ball = new Mesh(new SphereGeometry(1, 16, 12), material);
  ball.renderOrder = 6;
  return ball;
}

// The colour of a muscle in lists, as in the picture.
export function activation_colour(activation: number): string {
  const [from, to] = [[196, 168, 156], [235, 30, 22]], share = Math.min(1, Math.max(0, activation));
  return `rgb(${from.map((c, k) => Math.round(c + share * (to[k] - c))).join(" ")})`;
}

function muscle_material(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true, toneMapped: false, uniforms: { lift: { value: 0.1 } },
    vertexShader: `
      attribute vec2 place; attribute float level; ${lifted}
      varying vec2 at; varying float flex; varying float chosen; varying vec3 n; varying vec3 eye;
      void main() {
        vec4 seen = modelViewMatrix * vec4(position, 1.0);
        at = place; chosen = step(1.5, level); flex = clamp(level - 2.0 * chosen, 0.0, 1.0);
        n = normalMatrix * normal; eye = -seen.xyz;
        gl_Position = place_of(seen);
      }`,
    fragmentShader: `
      varying vec2 at; varying float flex; varying float chosen; varying vec3 n; varying vec3 eye;
      void main() {
        float facing = abs(dot(normalize(n), normalize(eye)));
        float fibre = smoothstep(0.25, 0.75, abs(fract(18.0 * at.x) - 0.5) * 2.0);
        float tendon = 1.0 - smoothstep(0.06, 0.16, min(at.y, 1.0 - at.y));
        vec3 rest = vec3(0.77, 0.66, 0.61), flexed = vec3(0.92, 0.12, 0.09), ivory = vec3(0.93, 0.9, 0.8);
        vec3 colour = mix(mix(rest, flexed, flex), ivory, tendon);
        colour *= (0.5 + 0.5 * facing) * mix(0.74, 1.0, fibre);
        colour = mix(colour, vec3(1.0, 0.78, 0.4), chosen * pow(1.0 - facing, 1.5));
        gl_FragColor = vec4(colour, 1.0);
      }`,
  });
}
