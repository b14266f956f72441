// Matrices as the server sends them: 3 x 4 numbers by rows.
import { Matrix4 } from "three";

export function matrix_of(m: number[]): Matrix4 {
  return new Matrix4().set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
}
