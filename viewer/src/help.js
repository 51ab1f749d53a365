const MORE = [
  ["Pointer", "Look: drag turns, right button moves, wheel zooms"],
  ["", "Drag: take the rod; Push: a ball presses where the pointer is"],
  ["", "Shift or wheel while holding: along the view"],
  ["Arrow keys", "with the picture in focus: turn the camera, or move the hand"],
  ["Page up, Page down", "move the hand away from you or towards you; Shift: finely"],
  ["+  -", "zoom, with the picture in focus"],
  ["Esc", "let go"],
  ["Tab", "goes through all controls"],
];
const byId = (id) => document.getElementById(id);

function makeList(pairs) {
  const list = document.createElement("dl");
  for (const [keys, does] of pairs) {
    const term = document.createElement("dt");
    const words = document.createElement("dd");
    if (keys) term.append(Object.assign(document.createElement("kbd"), { textContent: keys }));
    words.textContent = does;
    list.append(term, words);
  }
  return list;
}

// The keys are read from the buttons that carry them, so that this list cannot be wrong.
function buttonKeys() {
  const words = (button) => button.ariaLabel ?? button.textContent.replace(/\s+\S+\s*$/, "");
  return [...document.querySelectorAll("button[aria-keyshortcuts]")].filter((button) => !button.closest("[hidden]"))
    .map((button) => [button.getAttribute("aria-keyshortcuts"), words(button)]);
}

export function addHelp(addCommand) {
  const dialog = byId("help");
  addCommand("help-open", () => {
    byId("help-text").replaceChildren(makeList(buttonKeys()), makeList(MORE));
    dialog.showModal();
  });
  byId("help-close").addEventListener("click", () => dialog.close());
}
