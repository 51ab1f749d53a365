import * as THREE from "three";
import { colourBytes } from "./colour_map.js";

export const SKIN_COLOUR = 0xd2b09a;
// Bodies that touch are told apart by quiet colours; rods are grey.
const RIGID_COLOURS = [0x8b96a3, 0xb09f82, 0x7ba394, 0xa08bab, 0xb08a86, 0x7f9dbb, 0xa3a37c];
const MAP_COLOURS = 256;

function makeColourTexture() {
  const texture = new THREE.DataTexture(colourBytes(MAP_COLOURS), MAP_COLOURS, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

const colourTexture = makeColourTexture();

// The numbers a part's shader needs to colour itself by its attribute `scalar`: share = x * scalar + y.
export function makeScalarUniforms() {
  return {
    colourMap: { value: colourTexture },
    scalarToShare: { value: new THREE.Vector2(0, 0) },
    colourAmount: { value: 0 },
    plainBelow: { value: 0 },
  };
}

function addAfter(source, chunk, code) {
  return source.replace(`#include <${chunk}>`, `#include <${chunk}>\n${code}`);
}

function colourByScalar(shader, uniforms) {
  Object.assign(shader.uniforms, uniforms);
  shader.vertexShader = `attribute float scalar; uniform vec2 scalarToShare; varying float vShare;\n${addAfter(
    shader.vertexShader, "begin_vertex", "vShare = scalar * scalarToShare.x + scalarToShare.y;")}`;
  shader.fragmentShader = `uniform sampler2D colourMap; uniform float colourAmount; uniform float plainBelow; varying float vShare;\n${addAfter(
    shader.fragmentShader, "color_fragment",
    // Nothing has no colour: where the value is zero the body looks as it is, unless zero is a value like any other.
    `float amount = colourAmount * smoothstep(0.002, 0.02, vShare - plainBelow);
     vec3 mapped = texture2D(colourMap, vec2(vShare, 0.5)).rgb;
     diffuseColor.rgb = mix(diffuseColor.rgb, mapped, amount);`)}`;
}

export function makeSkinMaterial(uniforms, colour) {
  const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.62, side: THREE.DoubleSide });
  material.onBeforeCompile = (shader) => {
    colourByScalar(shader, uniforms);
    // Mapped colours shine a little by themselves, so that shade does not change what they say.
    shader.fragmentShader = addAfter(shader.fragmentShader, "emissivemap_fragment",
      "totalEmissiveRadiance += 0.3 * amount * mapped; diffuseColor.rgb *= 1.0 - 0.3 * amount;");
  };
  return material;
}

export function makeSpringMaterial(uniforms) {
  const material = new THREE.LineBasicMaterial({ color: 0x6f8ba6 });
  material.onBeforeCompile = (shader) => colourByScalar(shader, uniforms);
  return material;
}

// Points drawn as small lit balls.
export function makeMassMaterial(uniforms, sizeM) {
  const material = new THREE.PointsMaterial({ color: 0xd08a3e, size: sizeM });
  material.onBeforeCompile = (shader) => {
    colourByScalar(shader, uniforms);
    shader.fragmentShader = addAfter(shader.fragmentShader, "color_fragment", `
      vec2 disc = 2.0 * gl_PointCoord - 1.0;
      float inside = 1.0 - dot(disc, disc);
      if (inside < 0.0) discard;
      diffuseColor.rgb *= 0.45 + 0.55 * clamp(dot(vec3(disc.x, -disc.y, sqrt(inside)), vec3(-0.4, 0.5, 0.77)), 0.0, 1.0);`);
  };
  return material;
}

export function colourOfBody({ role, body }) {
  return RIGID_COLOURS[role === "rigid" ? body % RIGID_COLOURS.length : 0];
}

export function makeRigidMaterial(colour) {
  return new THREE.MeshStandardMaterial({ color: colour, roughness: 0.45, side: THREE.DoubleSide });
}

// Fixed things carry a grid of 10 mm with finer lines of 1 mm up close: the scale of the picture. `fade`: the place and
// the distance at which they end softly. They are seen from outside alone, so that one can look through the ground from
// below.
export function makeFixedMaterial(fade) {
  const material = new THREE.MeshLambertMaterial();
  material.userData.line = { value: new THREE.Color() };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.lineColour = material.userData.line;
    shader.uniforms.fade = { value: fade };
    shader.vertexShader = `varying vec3 vPlace; varying vec3 vFacing;\n${addAfter(shader.vertexShader, "begin_vertex",
      "vPlace = (modelMatrix * vec4(position, 1.0)).xyz; vFacing = abs(mat3(modelMatrix) * normal);")}`;
    shader.fragmentShader = `varying vec3 vPlace; varying vec3 vFacing; uniform vec3 lineColour; uniform vec4 fade;
      float gridLine(float place, float spacing) {
        float along = place / spacing, width = fwidth(along);
        float near = abs(fract(along - 0.5) - 0.5);
        return (1.0 - smoothstep(0.0, 1.3 * width, near)) * (1.0 - smoothstep(0.12, 0.4, width));
      }
      float gridOf(float spacing) {
        vec3 lines = vec3(gridLine(vPlace.x, spacing), gridLine(vPlace.y, spacing), gridLine(vPlace.z, spacing));
        return max(max(lines.x * step(vFacing.x, 0.9), lines.y * step(vFacing.y, 0.9)), lines.z * step(vFacing.z, 0.9));
      }\n${addAfter(shader.fragmentShader, "color_fragment", `
      float grid = max(gridOf(0.01), 0.25 * gridOf(0.001));
      float far = length(vPlace - fade.xyz) / fade.w;
      diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, grid * (1.0 - smoothstep(0.4, 1.0, far)));
      diffuseColor.a *= 1.0 - smoothstep(0.7, 1.0, far);`)}`;
  };
  material.transparent = true;
  return material;
}
