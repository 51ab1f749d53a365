import { asWords, describeQuantity } from "./quantity.js";

const ROLES = {
  surface: ["Surface", "S"],
  lattice: ["Masses and springs", "M"],
  rod: ["Rod", "O"],
  ground: ["Ground", "G"],
  rigid: ["Rigid bodies", "I"],
};
const COLOUR_KEYS = { none: "N", pressure_pa: "P", displacement_m: "D", field: "T" };
const SWITCHES = { contacts: "show-contacts", wrenches: "show-wrenches", patches: "show-patches", seeThrough: "see-through" };
const byId = (id) => document.getElementById(id);

export function makeChip(id, label, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = id;
  button.append(label);
  if (key) {
    const shown = document.createElement("kbd");
    shown.textContent = key;
    button.append(" ", shown);
  }
  return button;
}

// What is switched on. Roles and colours come from the scene, so that parts nobody thought of can be switched too.
export class Display {
  constructor({ addCommand, onChange, wanted }) {
    this.addCommand = addCommand;
    this.onChange = onChange;
    this.off = new Set(["lattice"]);
    this.colour = null;
    this.contacts = wanted.get("contacts") === "1";
    this.wrenches = wanted.get("wrenches") !== "0";
    this.patches = wanted.get("patches") !== "0";
    this.seeThrough = wanted.get("see_through") === "1";
    this.wanted = wanted;
    for (const [name, id] of Object.entries(SWITCHES)) {
      addCommand(id, () => {
        this[name] = !this[name];
        this.changed();
      });
    }
  }

  load(scene) {
    const order = Object.keys(ROLES);
    this.allRoles = [...new Set([...order, ...scene.parts.map((part) => part.role)])]
      .filter((role) => scene.parts.some((part) => part.role === role));
    this.allColours = [...new Set(scene.parts.flatMap((part) => part.colours ?? [])), "none"];
    this.fieldName = scene.parts.find((part) => part.field)?.field;
    if (!this.allColours.includes(this.colour)) this.colour = this.firstColour();
    const show = this.wanted.get("show");
    if (show) this.off = new Set(this.allRoles.filter((role) => !show.split(",").includes(role)));
    byId("roles").replaceChildren(...this.allRoles.map((role) => this.makeRole(role)));
    byId("colours").replaceChildren(...this.allColours.map((name) => this.makeColour(name)));
    byId("colours").hidden = this.allColours.length < 2;
    byId("show-patches").hidden = !scene.patches;
    this.mark();
  }

  firstColour() {
    const asked = this.wanted.get("colour");
    return this.allColours.includes(asked) ? asked : this.allColours[0];
  }

  // A field is called by its own name.
  quantityOf(colour) {
    return colour === "field" ? this.fieldName : colour;
  }

  makeRole(role) {
    const [label, key] = ROLES[role] ?? [asWords(role), null];
    const chip = makeChip(`role-${role}`, label, key);
    this.addCommand(chip, () => {
      if (!this.off.delete(role)) this.off.add(role);
      this.changed();
    }, key);
    return chip;
  }

  makeColour(name) {
    const label = name === "none" ? "Plain" : describeQuantity(this.quantityOf(name)).label;
    const chip = makeChip(`colour-${name}`, label, COLOUR_KEYS[name]);
    this.addCommand(chip, () => {
      this.colour = name;
      this.changed();
    }, COLOUR_KEYS[name]);
    return chip;
  }

  get roles() {
    return this.allRoles.filter((role) => !this.off.has(role));
  }

  changed() {
    this.mark();
    this.onChange();
  }

  mark() {
    for (const role of this.allRoles) byId(`role-${role}`).setAttribute("aria-pressed", !this.off.has(role));
    for (const name of this.allColours) byId(`colour-${name}`).setAttribute("aria-pressed", name === this.colour);
    for (const [name, id] of Object.entries(SWITCHES)) byId(id).setAttribute("aria-pressed", this[name]);
  }

  message() {
    return { type: "show", roles: this.roles, colour: this.colour, contacts: this.contacts, patches: this.patches };
  }
}
