// A shadow where the character touches the ground, from the places of its skin alone: for pictures without a shadow map,
// which costs too much where the browser draws without a graphics card.
import { Box3, DataTexture, LinearFilter, Mesh, MeshBasicMaterial, PlaneGeometry } from "three";
import { blur, fill_contact_grid } from "./contact_grid.ts";

const n = 64, interval = 60; // cells per side; milliseconds between two shadows
const reach = 0.14, blur_radius = 2, blurs = 2, strength = 1.9; // reach: a share of the character's height

export class ContactShadow {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly bytes = new Uint8Array(4 * n * n);
  private readonly texture = new DataTexture(this.bytes, n, n);
  private readonly cells = new Float32Array(n * n);
  private readonly spare = new Float32Array(n * n);
  private made = 0;

  constructor() {
    this.texture.magFilter = this.texture.minFilter = LinearFilter;
    this.mesh = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ map: this.texture, transparent: true, depthWrite: false, toneMapped: false }));
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.renderOrder = -1;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  // For a skin of this extent whose ground is at `ground`, metres.
  place(positions: Float32Array, box: Box3, height: number, ground: number) {
    const now = performance.now();
    if (!this.mesh.visible || now - this.made < interval) return;
    this.made = now;
    const side = 1.3 * Math.max(box.max.x - box.min.x, box.max.z - box.min.z, 0.3 * height);
    const area = { x: (box.min.x + box.max.x) / 2, z: (box.min.z + box.max.z) / 2, side };
    fill_contact_grid(positions, area, ground, reach * height, n, this.cells);
    blur(this.cells, n, blur_radius, blurs, this.spare);
    // The texture's first row is the plane's lower edge, which lies towards +z.
    for (let row = 0; row < n; ++row)
      for (let column = 0; column < n; ++column)
        this.bytes[4 * ((n - 1 - row) * n + column) + 3] = Math.min(150, 255 * strength * 0.5 * this.cells[row * n + column]);
    this.texture.needsUpdate = true;
    this.mesh.position.set(area.x, ground + 1e-3 * height, area.z);
    this.mesh.scale.setScalar(side);
  }
}
