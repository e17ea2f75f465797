import { documents } from "../documents/documents.js";
import { get, post } from "../net/api.js";

/** How long changes are collected before they are sent. */
const pause = 200;

/** What the studio remembers of one store: columns, titles, filters. A `failure` event tells, once, that it can't. */
export class Memory extends EventTarget {
    #values;
    /** The keys whose values are still to be sent. @type {Set<string>} */
    #changed = new Set();
    /** The keys of each request whose answer is not here yet. @type {Set<string[]>} */
    #underWay = new Set();
    /** The keys that were changed since the values were read last. @type {Set<string>} */
    #newer = new Set();
    #timer = 0;
    /** What was sent last. @type {Promise<any>} */
    #sending = Promise.resolve();
    /** What is changed one after the other. @type {Promise<any>} */
    #updating = Promise.resolve();
    #hasFailed = false;

    /** @param {Object<string, any>} values */
    constructor(values) {
        super();
        this.#values = values;
        addEventListener("pagehide", () => this.#send(true));
        documents.addEventListener("closing", () => this.#send());
    }

    /** What was remembered. */
    static async read() {
        return new Memory((await get("store/memory")).values);
    }

    /** Takes over what other windows have remembered since. */
    async readAgain() {
        const reading = this.#updating.then(() => this.#readAll());
        this.#updating = reading.catch(() => { /* the caller gets the error */ });
        return reading;
    }

    async #readAll() {
        this.#send();
        await this.#sending;
        // The answer may be without what is changed from here on, even if that is sent meanwhile.
        this.#newer = new Set(this.#changed);
        const { values } = await get("store/memory");
        const own = [...this.#newer].map((key) => [key, this.#values[key]]);
        this.#values = { ...values, ...Object.fromEntries(own) };
    }

    /** @param {string} key @param {any} [otherwise] */
    get(key, otherwise = null) {
        return this.#values[key] ?? otherwise;
    }

    /** @param {string} key @param {any} value null forgets it. */
    set(key, value) {
        this.#values[key] = value;
        this.#changed.add(key);
        this.#newer.add(key);
        this.#timer ||= setTimeout(() => this.#send(), pause);
    }

    /**
     * Changes a value that another window may have changed since.
     *
     * @param {string} key @param {any} otherwise @param {(value: any) => any} change
     */
    update(key, otherwise, change) {
        this.#updating = this.#updating.then(async () => {
            await this.#readAll().catch(() => { /* what is known here is changed then */ });
            this.set(key, change(this.get(key, otherwise)));
        });
        return this.#updating;
    }

    /** Sends what was changed here: other windows change other values. */
    #send(isLast = false) {
        // The page takes the requests with it that are under way.
        if (isLast) for (const keys of this.#underWay) for (const key of keys) this.#changed.add(key);
        if (this.#changed.size === 0) return;
        clearTimeout(this.#timer);
        this.#timer = 0;
        const keys = [...this.#changed];
        this.#changed.clear();
        const values = Object.fromEntries(keys.map((key) => [key, this.#values[key] ?? null]));
        this.#underWay.add(keys);
        this.#sending = post("store/remember", { values }, { keepalive: isLast }).catch((error) => {
            // They go with what is changed next.
            for (const key of keys) this.#changed.add(key);
            // The page goes, or was told before.
            if (isLast || this.#hasFailed) return;
            this.#hasFailed = true;
            this.dispatchEvent(new CustomEvent("failure", { detail: error }));
        }).finally(() => this.#underWay.delete(keys));
    }
}
