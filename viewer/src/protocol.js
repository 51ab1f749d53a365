// The messages of docs/reference/view_protocol.md.

export const SUBPROTOCOL = "distal.view.1";
export const MessageType = Object.freeze({ scene: 1, frame: 2, note: 3 });

const HEADER_BYTES = 8;
const text = new TextDecoder("utf-8", { fatal: true });

export function decodeMessage(buffer) {
  if (buffer.byteLength < HEADER_BYTES) throw new Error("a message shorter than its header");
  const header = new DataView(buffer);
  const jsonBytes = header.getUint32(4, true);
  const dataStart = HEADER_BYTES + jsonBytes;
  if (dataStart > buffer.byteLength) throw new Error("a message shorter than its text");
  const json = JSON.parse(text.decode(new Uint8Array(buffer, HEADER_BYTES, jsonBytes)));
  return { type: header.getUint32(0, true), json, buffer, dataStart };
}

// A view into the message, not a copy. `place` is {at, count}.
export function readArray(ArrayType, message, place) {
  return new ArrayType(message.buffer, message.dataStart + place.at, place.count);
}

// The address of the WebSocket beside the page, with the page's token.
export function socketAddress(location) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const token = new URLSearchParams(location.search).get("token");
  const query = token === null ? "" : `?token=${encodeURIComponent(token)}`;
  return `${scheme}//${location.host}/ws${query}`;
}
