const MOVES = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

// Buttons and keys run the same commands, so that none can be reached in one way only.
export class Keys {
  constructor({ canvas, dialog, singleKeys, onMove, onZoom, onEscape }) {
    this.commands = new Map();
    Object.assign(this, { canvas, dialog, singleKeys, onMove, onZoom, onEscape });
    window.addEventListener("keydown", (event) => this.press(event));
  }

  // `button`: an element or its id; the key is read from its <kbd> unless given.
  add = (button, run, key) => {
    const element = typeof button === "string" ? document.getElementById(button) : button;
    element.addEventListener("click", run);
    const name = key ?? element.querySelector("kbd")?.textContent;
    if (!name) return;
    element.setAttribute("aria-keyshortcuts", name);
    this.commands.set(name === "Space" ? " " : name.toLowerCase(), element);
  };

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.dialog.open) return;
    const onCanvas = event.target === this.canvas || event.target === document.body;
    if (onCanvas && this.pressOnCanvas(event)) {
      event.preventDefault();
      return;
    }
    // Fields and buttons keep the keys they know themselves.
    const words = event.target.closest?.("select, input, textarea");
    if (words || (event.key === " " && event.target.closest?.("button"))) return;
    if (!this.singleKeys.checked && !onCanvas) return;
    const element = this.commands.get(event.key.toLowerCase());
    if (!element || element.disabled || element.closest("[hidden]")) return;
    event.preventDefault();
    element.click();
  }

  pressOnCanvas(event) {
    if (event.key in MOVES) this.onMove(MOVES[event.key], event.shiftKey);
    else if (event.key === "+" || event.key === "=") this.onZoom(0.9);
    else if (event.key === "-") this.onZoom(1 / 0.9);
    else if (event.key === "Escape") this.onEscape();
    else return false;
    return true;
  }
}
