import { Connection } from "./connection.js";
import { Display } from "./display.js";
import { FrictionInset, nameContacts } from "./friction_inset.js";
import { Hand } from "./hand.js";
import { showHand } from "./hand_readout.js";
import { addHelp } from "./help.js";
import { Keys } from "./keys.js";
import { Legend } from "./legend.js";
import { savePicture } from "./picture.js";
import { socketAddress } from "./protocol.js";
import { Readouts } from "./readouts.js";
import { SceneView } from "./scene_view.js";
import { Stage, VIEWS } from "./stage.js";
import { StillPicture } from "./still_picture.js";
import { TimeControls } from "./time_controls.js";

const TURN_RAD = 0.06;
const byId = (id) => document.getElementById(id);
const wanted = new URLSearchParams(location.search);
const darkQuery = matchMedia("(prefers-color-scheme: dark)");

const stage = makeStage();
const sceneView = new SceneView(stage);
const legend = new Legend();
const still = new StillPicture(wanted);
let scene = null;
let last = null;

const keys = new Keys({ canvas: stage.canvas, dialog: byId("help"), singleKeys: byId("single-keys"), onMove: move,
  onZoom: (factor) => stage.zoom(factor), onEscape: () => hand.end() });
const send = (message) => connection.send(message);
const readouts = new Readouts(redraw);
const friction = new FrictionInset(redraw);
const display = new Display({ addCommand: keys.add, onChange: sendDisplay, wanted });
const time = new TimeControls({ send, addCommand: keys.add, onReset: beginAnew });
const hand = new Hand({ stage, sceneView, send, addCommand: keys.add, onChange: redraw });
addHelp(keys.add);
for (const view of Object.keys(VIEWS)) keys.add(`view-${view}`, () => stage.look(view));
keys.add("view-fit", () => sceneView.fit());
keys.add("save-picture", () => savePicture(stage));

function setTheme() {
  stage.setTheme(darkQuery.matches ? "dark" : "light");
  redraw();
}
darkQuery.addEventListener("change", setTheme);
setTheme();

const connection = new Connection(socketAddress(location), { onScene: load, onNote: showNote, onState: showConnection });

function makeStage() {
  try {
    return new Stage(byId("canvas"));
  } catch (problem) {
    showBanner("This browser cannot draw here: it has no WebGL.\nIts settings, or chrome://gpu, tell why.");
    throw problem;
  }
}

function load(message) {
  scene = message.json;
  byId("scene-title").textContent = scene.title;
  byId("program").textContent = `${scene.program}, ${scene.mode}`;
  if (!still.wanted) document.title = `${scene.title} – Distal`;
  last = null;
  sceneView.load(message);
  readouts.load(scene);
  friction.load(scene);
  display.load(scene);
  time.load(scene);
  hand.load(scene);
  if (wanted.get("camera") in VIEWS) stage.look(wanted.get("camera"));
  send(display.message());
  if (still.wanted) still.ask(scene, send);
}

function sendDisplay() {
  send(display.message());
  if (last) sceneView.show(display);
  redraw();
}

// A click, not a drag, on a patch chooses it.
let pressedAt = null;
stage.canvas.addEventListener("pointerdown", (event) => { pressedAt = [event.clientX, event.clientY]; });
stage.canvas.addEventListener("click", (event) => {
  if (hand.tool !== "look" || Math.hypot(event.clientX - pressedAt[0], event.clientY - pressedAt[1]) > 4) return;
  const found = sceneView.patchAt(event.clientX, event.clientY);
  if (found < 0) return;
  friction.choose(nameContacts(sceneView.shownPatches)[found]);
  redraw();
});

function beginAnew() {
  readouts.clear();
  sceneView.clear();
}

function move(direction, fine) {
  if (hand.tool === "look") stage.turn(TURN_RAD * direction[0], TURN_RAD * direction[1]);
  else if (scene && last) hand.nudge(direction, fine, readouts.body, last.json);
}

function showNote({ text, error }) {
  const note = byId("note");
  note.textContent = text;
  note.classList.toggle("error", Boolean(error));
  note.hidden = false;
  clearTimeout(showNote.timer);
  showNote.timer = setTimeout(() => { note.hidden = true; }, 8000);
}

function showBanner(text) {
  byId("banner").hidden = text === "";
  if (byId("banner").textContent !== text) byId("banner").textContent = text;
}

function showConnection(state) {
  document.body.dataset.connection = state;
  if (state === "connected") showBanner("");
  else if (state === "disconnected") {
    hand?.end();
    time.showStatus("disconnected", "Disconnected");
    showBanner("No connection to the program.\nIt has ended or cannot be reached; trying again.");
  }
}

function take(message) {
  const frame = message.json;
  if (last && frame.time_s < last.json.time_s) beginAnew();
  last = message;
  redraw();
  time.update(frame);
  showBanner(frame.status === "failed" ? `The run failed.\n${frame.message}` : frame.message);
}

// Shows the last frame, again after a change of what is shown of it.
function redraw() {
  if (!last) return;
  display.wrenchName = readouts.wrench;
  const patches = display.patches ? last.json.patches ?? [] : [];
  const chosen = friction.update(patches, Boolean(scene.patches) && display.patches);
  sceneView.update(last, display, showHand(hand, scene, last.json), chosen);
  readouts.update(last.json, darkQuery.matches);
  legend.update(sceneView.colour, sceneView.arrows.scales, sceneView.hasColours(display), patches.length > 0);
}

function loop() {
  requestAnimationFrame(loop);
  if (still.done) return;
  const message = connection.takeFrame();
  if (message && scene) take(message);
  hand.flush();
  stage.controls.update();
  if (stage.draw() && message) still.drawn(scene, message.json, display);
}
requestAnimationFrame(loop);
