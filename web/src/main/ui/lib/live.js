/**
 * The stream of events. One connection serves the whole page; parts of the page subscribe to it.
 * It is read with fetch instead of EventSource, because only fetch can send the token as a header.
 */
import {send, ApiError} from "./api.js";
import {session} from "./session.js";

/** @typedef {{id: string, at: string, kind: string, subject: string, job_id: string | null, tenant_id: string | null, node_id: string | null, message: string}} LiveEvent */

const SLOWEST_RETRY = 15_000;
const SILENCE = 45_000;
const POLL = 5_000;

class Live extends EventTarget {
  /** @type {"connecting" | "live" | "polling" | "offline"} */
  state = "connecting";
  /** @type {LiveEvent[]} the newest events, oldest first */
  recent = [];
  #lastId = "";
  #subscribers = new Set();
  #abort = new AbortController();
  #running = false;
  #waiting = [];
  #timer = 0;

  /**
   * Calls `listener` with the events of the last moment, and with an empty list when the page must
   * read everything again. Returns the function that ends the subscription.
   *
   * @param {(events: LiveEvent[]) => void} listener
   */
  subscribe(listener) {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  start() {
    if (!this.#running) {
      this.#running = true;
      this.#abort = new AbortController();
      this.#run(this.#abort.signal);
    }
  }

  stop() {
    this.#running = false;
    this.#lastId = "";
    this.#waiting = [];
    this.recent = [];
    this.#abort.abort();
  }

  #set(state) {
    if (this.state !== state) {
      this.state = state;
      this.dispatchEvent(new Event("state"));
    }
  }

  async #run(signal) {
    let pause = 1_000;
    while (!signal.aborted) {
      try {
        const headers = {Accept: "text/event-stream"};
        if (this.#lastId) {
          headers["Last-Event-ID"] = this.#lastId;
        }
        const response = await send("GET", "api/v1/events", {headers, signal});
        if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
          await response.body?.cancel();
          this.#set("polling");
          this.#deliver([]);
          await sleep(POLL, signal);
          continue;
        }
        const again = this.state === "offline";
        this.#set("live");
        if (again) {
          this.#deliver([]);
        }
        pause = 1_000;
        await this.#read(response, signal);
      } catch (failed) {
        if (signal.aborted || (failed instanceof ApiError && failed.status === 401)) {
          break;
        }
      }
      if (!signal.aborted) {
        this.#set("offline");
        await sleep(pause * (0.75 + Math.random() / 2), signal);
        pause = Math.min(pause * 1.7, SLOWEST_RETRY);
      }
    }
    if (signal === this.#abort.signal) {
      this.#running = false;
    }
  }

  async #read(response, signal) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    try {
      while (!signal.aborted) {
        const {done, value} = await within(reader.read(), SILENCE);
        if (done) {
          return;
        }
        const frames = (rest + value).split("\n\n");
        rest = frames.pop() ?? "";
        frames.forEach(frame => this.#frame(frame));
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  #frame(frame) {
    let kind = "";
    let id = "";
    const data = [];
    for (const line of frame.split("\n")) {
      const colon = line.indexOf(":");
      const value = line.slice(colon + 1).trimStart();
      if (line.startsWith("event:")) kind = value;
      if (line.startsWith("id:")) id = value;
      if (line.startsWith("data:")) data.push(value);
    }
    if (id) {
      this.#lastId = id;
    }
    if (kind === "resync") {
      this.#lastId = JSON.parse(data.join("\n")).newest ?? "";
      this.#deliver([]);
    } else if (kind === "closed") {
      // A server that stops closes the stream too; the page then reconnects.
      if (JSON.parse(data.join("\n")).code === "revoked") {
        session.end("This token has been revoked. Log in with another one.");
      }
    } else if (data.length > 0) {
      this.#waiting.push(JSON.parse(data.join("\n")));
      this.#timer ||= setTimeout(() => this.#flush(), 250);
    }
  }

  #flush() {
    this.#timer = 0;
    const events = this.#waiting;
    this.#waiting = [];
    this.recent = this.recent.concat(events).slice(-200);
    this.#deliver(events);
  }

  #deliver(events) {
    for (const listener of this.#subscribers) {
      listener(events);
    }
  }
}

function sleep(millis, signal) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve(undefined);
    }, {once: true});
  });
}

/** Rejects if the promise takes longer: a connection that broke silently would wait for ever. */
function within(promise, millis) {
  let timer = 0;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("silent")), millis);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const live = new Live();
