import assert from "node:assert/strict";
import test from "node:test";
import { MessageType, decodeMessage, readArray, socketAddress } from "../../src/protocol.js";

function encode(type, json, data) {
  let text = JSON.stringify(json);
  text = text.padEnd(4 * Math.ceil(text.length / 4));
  const bytes = new Uint8Array(8 + text.length + data.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, text.length, true);
  bytes.set(new TextEncoder().encode(text), 8);
  bytes.set(new Uint8Array(data.buffer), 8 + text.length);
  return bytes.buffer;
}

test("text and arrays come back", () => {
  const json = { time_s: 0.1 + 0.2, parts: [{ positions: { at: 4, count: 3 } }] };
  const message = decodeMessage(encode(MessageType.frame, json, new Uint16Array([9, 9, 1, 2, 65535])));
  assert.equal(message.type, 2);
  assert.equal(message.json.time_s, 0.30000000000000004);
  assert.deepEqual([...readArray(Uint16Array, message, message.json.parts[0].positions)], [1, 2, 65535]);
});

test("broken messages are refused", () => {
  const good = encode(MessageType.note, { text: "hello" }, new Uint8Array());
  assert.throws(() => decodeMessage(good.slice(0, 6)), /shorter than its header/);
  assert.throws(() => decodeMessage(good.slice(0, 14)), /shorter than its text/);
  const message = decodeMessage(good);
  assert.throws(() => readArray(Float32Array, message, { at: 0, count: 4 }), RangeError);
});

test("the socket stands beside the page and takes its token along", () => {
  const at = (address) => socketAddress(new URL(address));
  assert.equal(at("http://127.0.0.1:17811/"), "ws://127.0.0.1:17811/ws");
  assert.equal(at("https://host/?png=1&token=a%2Bb"), "wss://host/ws?token=a%2Bb");
});
