import assert from "node:assert/strict";
import test from "node:test";
import { colourAt, colourBytes } from "../../src/colour_map.js";

// Linear-light RGB to what eyes without red or green cones see, after Vienot, Brettel and Mollon, Color Res. Appl. 24, 1999.
const DICHROMATS = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  deuteranope: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};

const linear = (byte) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

// CIE lightness, 0 to 100.
function lightness([red, green, blue]) {
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

for (const [name, matrix] of Object.entries(DICHROMATS)) {
  test(`lightness grows in even steps for eyes of kind ${name}`, () => {
    const seen = Array.from({ length: 33 }, (_, i) => {
      const colour = colourAt(i / 32).map(linear);
      return lightness(matrix.map((row) => row.reduce((sum, factor, k) => sum + factor * colour[k], 0)));
    });
    const steps = seen.slice(1).map((value, i) => value - seen[i]);
    assert.ok(Math.min(...steps) > 0.8, `${steps}`);
    assert.ok(seen.at(-1) - seen[0] > 65);
  });
}

test("ends and outside", () => {
  assert.deepEqual(colourAt(0), [0x44, 0x01, 0x54]);
  assert.deepEqual(colourAt(1), [0xfd, 0xe7, 0x25]);
  assert.deepEqual(colourAt(-3), colourAt(0));
  assert.deepEqual(colourAt(7), colourAt(1));
  assert.deepEqual([...colourBytes(2)], [0x44, 0x01, 0x54, 255, 0xfd, 0xe7, 0x25, 255]);
});
