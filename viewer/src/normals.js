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

// Faces around a vertex that meet at more than `angleRad` get vertices of their own, so that edges are drawn sharp.
// {indices, sources}: the new triangles, and which old vertex each new one is.
export function splitCreases(positions, indices, angleRad) {
  const least = Math.cos(angleRad);
  const faces = faceNormals(positions, indices);
  const around = new Map();
  indices.forEach((vertex, corner) => {
    if (!around.has(vertex)) around.set(vertex, []);
    around.get(vertex).push(corner);
  });
  const sources = [];
  const split = new Uint32Array(indices.length);
  for (const [vertex, corners] of around) {
    const waiting = new Set(corners);
    while (waiting.size > 0) {
      // A smooth fan: from face to face as long as neighbours are nearly parallel.
      const fan = [waiting.values().next().value];
      waiting.delete(fan[0]);
      for (const corner of fan) {
        split[corner] = sources.length;
        for (const other of waiting) {
          if (dot(faces, Math.floor(corner / 3), Math.floor(other / 3)) < least) continue;
          waiting.delete(other);
          fan.push(other);
        }
      }
      sources.push(vertex);
    }
  }
  return { indices: split, sources };
}

function faceNormals(positions, indices) {
  const faces = new Float32Array(indices.length);
  const at = (corner, axis) => positions[3 * indices[corner] + axis];
  for (let i = 0; i < indices.length; i += 3) {
    const u = [0, 1, 2].map((axis) => at(i + 1, axis) - at(i, axis));
    const v = [0, 1, 2].map((axis) => at(i + 2, axis) - at(i, axis));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    faces.set(n.map((one) => one / length), i);
  }
  return faces;
}

function dot(faces, one, other) {
  return [0, 1, 2].reduce((sum, axis) => sum + faces[3 * one + axis] * faces[3 * other + axis], 0);
}
