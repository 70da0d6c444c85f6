/**
 * The output of one task of a job, followed while it is written. Keeps the last lines only and goes
 * on where it was after a broken connection.
 */
import {ApiError, send} from "../../lib/api.js";

const MOST_LINES = 5_000;
const LONGEST_LINE = 4_000;
/** How many bytes of old output are read first. */
const TAIL = 256 * 1024;
// Colours and cursor movements of terminals.
const CODES = new RegExp("\\u001b(?:\\[[0-9;?]*[A-Za-z]|\\][^\\u0007]*\\u0007|[@-Z\\\\-_])", "g");

export class LogStream extends EventTarget {
  /** @type {"connecting" | "following" | "ended" | "reconnecting" | "failed"} */
  state = "connecting";
  /** Why the output cannot be read now. */
  problem = "";
  /** @type {string[]} */
  lines = [];
  /** Lines that were left out before the first one. */
  dropped = 0;
  #rest = "";
  #offset = 0;
  #abort = new AbortController();
  #decoder = new TextDecoder();

  /** @param {string} job @param {number} task @param {number} attempt @param {boolean} over nothing more is written */
  constructor(job, task, attempt, over) {
    super();
    this.over = over;
    this.path = `api/v1/jobs/${encodeURIComponent(job)}/logs`;
    this.query = {task: task || undefined, attempt};
    this.#run(this.#abort.signal);
  }

  close() {
    this.#abort.abort();
  }

  /** The last line may not be complete yet. */
  get text() {
    return (this.#rest ? [...this.lines, shown(this.#rest)] : this.lines).join("\n");
  }

  async #run(signal) {
    let pause = 1_000;
    let begun = false;
    while (!signal.aborted) {
      try {
        if (!begun) {
          await this.#tail(signal);
          begun = true;
        }
        if (this.over) return this.#set("ended");
        const response = await send("GET", this.path, {query: {...this.query, follow: true, offset: this.#offset}, signal});
        this.#set("following");
        pause = 1_000;
        await this.#read(response, signal);
        return this.#set("ended");
      } catch (failed) {
        if (signal.aborted) return undefined;
        if (failed instanceof ApiError && failed.status >= 400 && failed.status < 500 && failed.status !== 429) return this.#set("failed", failed.message);
        this.#set("reconnecting", failed instanceof ApiError ? failed.message : "the connection broke");
      }
      await new Promise(resolve => setTimeout(resolve, pause));
      pause = Math.min(pause * 1.7, 15_000);
    }
    return undefined;
  }

  /** The end of what was written so far, and where the next byte will be. */
  async #tail(signal) {
    const response = await send("GET", this.path, {query: {...this.query, offset: -TAIL}, signal});
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.#offset = Number(response.headers.get("X-Log-Next-Offset") ?? bytes.length);
    if (bytes.length >= TAIL) {
      this.dropped = 1;
      this.#add(bytes.subarray(bytes.indexOf(10) + 1));
    } else {
      this.#add(bytes);
    }
  }

  async #read(response, signal) {
    const reader = response.body.getReader();
    while (!signal.aborted) {
      const {done, value} = await reader.read();
      if (done) return;
      this.#offset += value.length;
      this.#add(value);
    }
  }

  #add(bytes) {
    const parts = (this.#rest + this.#decoder.decode(bytes, {stream: true})).split("\n");
    this.#rest = (parts.pop() ?? "").slice(-4 * LONGEST_LINE);
    for (const part of parts) this.lines.push(shown(part));
    if (this.lines.length > MOST_LINES) {
      this.dropped += this.lines.length - MOST_LINES;
      this.lines = this.lines.slice(-MOST_LINES);
    }
    this.dispatchEvent(new Event("change"));
  }

  #set(state, problem = "") {
    this.state = state;
    this.problem = problem;
    this.dispatchEvent(new Event("change"));
  }
}

/** A line as a terminal would leave it: what a carriage return overwrote is gone. */
function shown(line) {
  const plain = line.replace(CODES, "").replace(/\r+$/, "");
  const last = plain.slice(plain.lastIndexOf("\r") + 1);
  return last.length > LONGEST_LINE ? last.slice(0, LONGEST_LINE) + " …" : last;
}

/** The whole output, in pieces as the server sends them. @param {LogStream} stream */
export async function wholeLog(stream) {
  const pieces = [];
  for (let offset = 0, next = -1; next !== offset;) {
    if (next >= 0) offset = next;
    const response = await send("GET", stream.path, {query: {...stream.query, offset}});
    pieces.push(await response.arrayBuffer());
    next = Number(response.headers.get("X-Log-Next-Offset") ?? offset);
  }
  return new Blob(pieces, {type: "text/plain"});
}
