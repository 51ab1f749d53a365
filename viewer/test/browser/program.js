// The real program, as a user starts it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = process.env.DISTAL;
// A tip of few particles on one core, so that a busy machine is not late.
export const COARSE = ["--set", "body.finger.cell_size_m=0.002", "--set", "run.threads=1"];
// A press that does not end while somebody looks.
export const LIVE = ["press", ...COARSE, "--set", "run.duration_s=1000", "--view-port", "0"];

export function scratchFolder(context) {
  const folder = mkdtempSync(path.join(tmpdir(), "distal_page_"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Starts `distal view ...` and gives {url, port, process, end()}.
export async function startView(context, ...words) {
  const child = spawn(PROGRAM, ["view", ...words, "--no-open"], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let complaints = "";
  child.stderr.on("data", (text) => { complaints += text; });
  const end = async (signal = "SIGINT") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  context.after(() => end("SIGKILL"));
  const [url] = await Promise.race([once(createInterface(child.stdout), "line"),
    exited.then(() => { throw new Error(`distal view ended: ${complaints}`); })]);
  return { url, port: Number(new URL(url).port), process: child, end };
}

export async function runProgram(...words) {
  const child = spawn(PROGRAM, words, { stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (text) => { complaints += text; });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`distal ${words.join(" ")}: ${complaints}`);
}

// The rows of series/NAME.csv, each an object of numbers.
export function readSeries(folder, name) {
  const [head, ...rows] = readFileSync(path.join(folder, "series", `${name}.csv`), "utf8").trim().split("\n");
  const names = head.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((value, i) => [names[i], Number(value)])));
}
