// Reads PNG files and counts in them.
import { inflateSync } from "node:zlib";

const CHANNELS = { 2: 3, 6: 4 };

export function decodePng(data) {
  if (data.readUInt32BE(0) !== 0x89504e47) throw new Error("not a PNG file");
  const packed = [];
  let header;
  for (let at = 8; at < data.length;) {
    const length = data.readUInt32BE(at);
    const kind = data.toString("latin1", at + 4, at + 8);
    const body = data.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") header = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), channels: CHANNELS[body[9]] };
    if (kind === "IDAT") packed.push(body);
    at += 12 + length;
  }
  return { ...header, pixels: unfilter(inflateSync(Buffer.concat(packed)), header) };
}

// Each byte of a PNG is stored as a difference to its neighbours.
function unfilter(raw, { width, height, channels }) {
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const kind = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const above = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess(kind, left, above, corner);
    }
  }
  return pixels;
}

function guess(kind, left, above, corner) {
  if (kind < 4) return [0, left, above, (left + above) >> 1][kind];
  const middle = left + above - corner;
  return [left, above, corner].reduce((best, one) => (Math.abs(middle - one) < Math.abs(middle - best) ? one : best));
}

export function countColours({ pixels, channels }) {
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += channels) seen.add(pixels.readUIntBE(i, 3));
  return seen.size;
}

const SHADE = 12;
const differ = (one, other, at) => [0, 1, 2].some((k) => Math.abs(one.pixels[at + k] - other.pixels[at + k]) > SHADE);

// How many pixels differ by more than a shade.
export function countDifferent(one, other) {
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  let count = 0;
  for (let i = 0; i < one.pixels.length; i += one.channels) if (differ(one, other, i)) ++count;
  return count;
}

// How many pixels are nearly of a colour, [red, green, blue]; what is drawn may be a little transparent.
export function countLike({ pixels, channels }, colour) {
  const near = 40;
  let count = 0;
  for (let i = 0; i < pixels.length; i += channels) {
    if (colour.every((value, k) => Math.abs(pixels[i + k] - value) <= near)) ++count;
  }
  return count;
}

// The box {left, right, top, bottom} of the pixels that differ.
export function boxOfDifference(one, other) {
  const box = { left: one.width, right: -1, top: one.height, bottom: -1 };
  for (let i = 0; i < one.pixels.length; i += one.channels) {
    if (!differ(one, other, i)) continue;
    const [x, y] = [i / one.channels % one.width, Math.floor(i / one.channels / one.width)];
    Object.assign(box, { left: Math.min(box.left, x), right: Math.max(box.right, x), top: Math.min(box.top, y),
      bottom: Math.max(box.bottom, y) });
  }
  return box;
}

// The box {width, height} of the pixels that differ from the background in the upper left corner.
export function boxOfContent({ pixels, channels, width, height }) {
  const box = { left: width, right: -1, top: height, bottom: -1 };
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const at = (y * width + x) * channels;
      if ([0, 1, 2].every((k) => Math.abs(pixels[at + k] - pixels[k]) <= 12)) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return { width: box.right - box.left + 1, height: box.bottom - box.top + 1 };
}
