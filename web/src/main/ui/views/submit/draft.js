/**
 * A form that is not submitted yet. It stays in the tab, so that a reload, a new login or a server
 * that is away loses nothing. It belongs to the person who wrote it.
 */
import {session} from "../../lib/session.js";

const KEY = "gpu-scheduler-draft";

/** @typedef {{who: string, origin: string, fields: import("../../lib/job-request.js").Fields, key: string, body: string}} Draft */

/** @param {string} origin the address parameters that the form began with @returns {Draft | null} */
export function keptDraft(origin) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return draft?.who === session.who?.name && draft?.origin === origin ? draft : null;
  } catch {
    return null;
  }
}

/** @param {Omit<Draft, "who">} draft */
export function keepDraft(draft) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({...draft, who: session.who?.name}));
  } catch {
    // The storage is full or forbidden: the form still works.
  }
}

export function dropDraft() {
  sessionStorage.removeItem(KEY);
}

/** A key under which the server accepts one submission only. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}
