// Adds the area-weighted normals of the triangles at each vertex; the shader makes them of length one.
export function computeNormals(positions, indices, normals) {
  normals.fill(0);
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
}

// positions = low + step * quantised, into an array that is kept.
export function dequantise(quantised, low, step, positions) {
  for (let i = 0; i < quantised.length; i += 3) {
    positions[i] = low[0] + step[0] * quantised[i];
    positions[i + 1] = low[1] + step[1] * quantised[i + 1];
    positions[i + 2] = low[2] + step[2] * quantised[i + 2];
  }
}
