/** Reads the picture of the fleet, and only if there is a newer one. */
import {send} from "../../lib/api.js";
import {Fleet} from "./data.js";

export class FleetReader {
  /** @type {Fleet | null} */
  #fleet = null;
  #tag = "";

  /** The newest picture; the same object as before while nothing has changed. @param {AbortSignal} signal @returns {Promise<Fleet>} */
  async read(signal) {
    /** @type {Record<string, string>} */
    const headers = this.#fleet && this.#tag ? {"If-None-Match": this.#tag} : {};
    const response = await send("GET", "api/v1/fleet", {headers, signal});
    if (response.status !== 304 || !this.#fleet) {
      this.#fleet = new Fleet(await response.json(), this.#fleet);
      this.#tag = response.headers.get("ETag") ?? "";
    }
    return this.#fleet;
  }
}
