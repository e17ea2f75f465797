import { get, post } from "../net/api.js";

/** How long changes are collected before they are sent. */
const pause = 200;

/** What the studio remembers of one store: columns, titles, filters. A `failure` event tells, once, that it can't. */
export class Memory extends EventTarget {
    #values;
    #timer = 0;
    #hasFailed = false;

    /** @param {Object<string, any>} values */
    constructor(values) {
        super();
        this.#values = values;
        addEventListener("pagehide", () => this.#send(true));
    }

    /** What was remembered. */
    static async read() {
        return new Memory((await get("store/memory")).values);
    }

    /** @param {string} key @param {any} [otherwise] */
    get(key, otherwise = null) {
        return this.#values[key] ?? otherwise;
    }

    /** @param {string} key @param {any} value */
    set(key, value) {
        this.#values[key] = value;
        this.#timer ||= setTimeout(() => this.#send(), pause);
    }

    #send(isLast = false) {
        if (!this.#timer) return;
        clearTimeout(this.#timer);
        this.#timer = 0;
        post("store/remember", { values: this.#values }, { keepalive: isLast }).catch((error) => {
            // The page goes, or was told before.
            if (isLast || this.#hasFailed) return;
            this.#hasFailed = true;
            this.dispatchEvent(new CustomEvent("failure", { detail: error }));
        });
    }
}
