import assert from "node:assert/strict";
import test from "node:test";
import { computeNormals, dequantise } from "../../src/normals.js";
import { RollingPlot, ticks } from "../../src/plots.js";
import { describeQuantity, figures, niceAbove } from "../../src/quantity.js";
import { SteadyRange } from "../../src/range.js";

test("a scale ends at round numbers", () => {
  assert.deepEqual([0, 1, 1.1, 2.1, 8.1, 0.035].map(niceAbove), [0, 1, 1.5, 3, 10, 0.04]);
  assert.deepEqual([0, 1234.56, 0.00012, -2.5].map(figures), ["0", "1235", "1.20e-4", "-2.5"]);
});

test("quantities are named with their unit", () => {
  assert.deepEqual(describeQuantity("pressure_pa"), { label: "Pressure", unit: "kPa", factor: 1e3 });
  assert.deepEqual(describeQuantity("some_new_thing"), { label: "Some new thing", unit: "", factor: 1 });
});

test("a range grows at once and shrinks when it has been quiet", () => {
  const range = new SteadyRange();
  assert.equal(range.update(4.5, 0), 5);
  assert.equal(range.update(0.5, 1000), 5);
  assert.equal(range.update(0.9, 4900), 5);
  assert.equal(range.update(0.5, 5100), 1);
  assert.equal(range.update(40, 5200), 40);
});

test("positions are taken out of their steps, normals point out of a triangle that turns left", () => {
  const positions = new Float32Array(9);
  dequantise(new Uint16Array([0, 0, 7, 10, 0, 7, 0, 10, 7]), [1, 2, 3], [0.5, 0.25, 1], positions);
  assert.deepEqual([...positions], [1, 2, 10, 6, 2, 10, 1, 4.5, 10]);
  const normals = new Float32Array(9).fill(5);
  computeNormals(positions, new Uint32Array([0, 1, 2]), normals);
  assert.deepEqual([...normals], [0, 0, 12.5, 0, 0, 12.5, 0, 0, 12.5]);
});

test("a plot keeps its window, and forgets what a reset undoes", () => {
  const plot = new RollingPlot({}, 1);
  assert.deepEqual(plot.extent(), [-0.5, 0.5]);
  plot.windowS = 1;
  for (let i = 0; i <= 30; ++i) plot.add(0.1 * i, [i, 0, 0, i]);
  assert.deepEqual(plot.extent().map(Math.round), [-2, 32]);
  const times = () => Array.from({ length: plot.count }, (_, i) => plot.times[plot.at(i)]);
  assert.ok(Math.abs(times()[0] - 1.9) < 1e-9 && times().length === 12, `${times()}`);
  plot.add(2.55, [7, 0, 0, 7]);
  assert.equal(times().at(-2), 2.5);
  plot.add(0, [0, 0, 0, 0]);
  assert.deepEqual(times(), [0]);
  for (let i = 1; i < 10000; ++i) plot.add(1e-5 * i, [i, 0, 0, i]);
  assert.equal(plot.count, 4096);
  assert.equal(plot.values[0][plot.at(plot.count - 1)], 9999);
});

test("ticks are round and inside", () => {
  assert.deepEqual(ticks(-1.2, 2.3, 4), [-1, 0, 1, 2]);
  assert.deepEqual(ticks(112.4, 117.4, 5), [113, 114, 115, 116, 117]);
});
