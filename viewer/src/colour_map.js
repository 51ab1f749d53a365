// Viridis by N. Smith, S. van der Walt and E. Firing (matplotlib, CC0), at ten equal steps: its lightness only grows, so
// that it reads the same without colour vision and in grey print.
const VIRIDIS = [0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725];

const channel = (colour, shift) => (colour >> shift) & 255;

// sRGB, 0 to 255 each, at `share` in 0 to 1.
export function colourAt(share) {
  const place = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const below = Math.min(Math.floor(place), VIRIDIS.length - 2);
  const blend = place - below;
  return [16, 8, 0].map((shift) => {
    const low = channel(VIRIDIS[below], shift);
    return Math.round(low + blend * (channel(VIRIDIS[below + 1], shift) - low));
  });
}

// `count` colours as RGBA bytes, for a texture.
export function colourBytes(count) {
  const bytes = new Uint8Array(4 * count);
  for (let i = 0; i < count; ++i) bytes.set([...colourAt(i / (count - 1)), 255], 4 * i);
  return bytes;
}
