import assert from "node:assert/strict";
import test from "node:test";
import { project } from "../../src/friction_ball.js";
import { findMostUsed, nameContacts } from "../../src/friction_inset.js";
import { splitCreases } from "../../src/normals.js";

test("contacts of a pair are told apart by their number", () => {
  assert.deepEqual(nameContacts([[0, 1], [2, 1], [0, 1]].map((bodies) => ({ bodies }))), ["0-1-1", "2-1-1", "0-1-2"]);
});

test("the contact that uses most stays until another clearly uses more", () => {
  const choose = (uses, before) => findMostUsed(uses.map((use) => ({ use })), ["a", "b", "c"], before);
  assert.equal(choose([0.2, 0.9, 0.5], null), 1);
  assert.equal(choose([0.88, 0.9, 0.5], "a"), 0);
  assert.equal(choose([0.8, 0.9, 0.5], "a"), 1);
  assert.equal(choose([0.8, 0.9, 0.5], "gone"), 1);
});

test("the ball: the moment is upright, opposite shares lie opposite, the rim is the greatest", () => {
  const middle = project([0, 0, 0]);
  const up = project([0, 0, 1]);
  assert.ok(Math.abs(up.x - middle.x) < 1e-9 && up.y < middle.y - 50);
  const [one, other] = [project([0.6, -0.3, 0.2]), project([-0.6, 0.3, -0.2])];
  assert.ok(Math.hypot(one.x + other.x - 2 * middle.x, one.y + other.y - 2 * middle.y) < 1e-9);
  const radius = Math.max(...Array.from({ length: 400 }, (_, i) => project([Math.cos(i), Math.sin(i), 0]))
    .map(({ x, y }) => Math.hypot(x - middle.x, y - middle.y)));
  assert.ok(Math.abs(radius - 60) < 0.05, `${radius}`);
});

test("edges of a recorded box are sharp, the middle of a side is one", () => {
  // Two sides of a box, each of two triangles, that share the edge 0-1.
  const positions = new Float32Array([0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1]);
  const indices = new Uint32Array([0, 2, 1, 1, 2, 3, 0, 1, 4, 4, 1, 5]);
  const { indices: split, sources } = splitCreases(positions, indices, 0.6);
  assert.deepEqual([...split].map((vertex) => sources[vertex]), [...indices]);
  assert.equal(sources.length, 8);
  assert.equal(split[2], split[3], "of one side");
  assert.notEqual(split[0], split[6], "across the edge");
  const smooth = splitCreases(positions, indices, 1.6);
  assert.equal(smooth.sources.length, 6);
});
