import { MessageType, SUBPROTOCOL, decodeMessage } from "./protocol.js";

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 3000;

// The WebSocket to the program; comes back by itself. Frames wait here until the page draws, the newest wins, and only a
// drawn page asks for more: one that is hidden costs the simulation nothing.
export class Connection {
  constructor(address, { onScene, onNote, onState }) {
    this.address = address;
    this.onScene = onScene;
    this.onNote = onNote;
    this.onState = onState;
    this.wait = FIRST_WAIT_MS;
    this.waitingFrame = null;
    this.unanswered = [];
    this.open();
  }

  open() {
    this.onState("connecting");
    this.socket = new WebSocket(this.address, SUBPROTOCOL);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.onState("connected");
    };
    this.socket.onmessage = (event) => this.take(event.data);
    this.socket.onclose = () => this.comeBack();
  }

  comeBack() {
    this.waitingFrame = null;
    this.unanswered.length = 0;
    this.onState("disconnected");
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
  }

  take(data) {
    const message = decodeMessage(data);
    if (message.type === MessageType.scene) {
      this.waitingFrame = null;
      this.onScene(message);
    } else if (message.type === MessageType.frame) {
      this.waitingFrame = message;
      this.unanswered.push(message.json.frame);
    } else if (message.type === MessageType.note) {
      this.onNote(message.json);
    }
  }

  // The newest frame or null; every frame that came is answered.
  takeFrame() {
    const frame = this.waitingFrame;
    this.waitingFrame = null;
    for (const number of this.unanswered) this.send({ type: "got", frame: number });
    this.unanswered.length = 0;
    return frame;
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
