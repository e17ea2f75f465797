import { post } from "../net/api.js";

/** How many members of a relationship are drawn; the others are counted. */
const mostMembers = 12;

/**
 * An object that is drawn. Its column says how many links it is away from the centre.
 *
 * @typedef {{id: string, title: string?, column: number, via: string?, isOpen: boolean, isReading: boolean, error: string?, rest: number}} Neighbour
 */

/** An object with the objects around it, as far as one unfolds them. An object is drawn once, however many links lead to it. */
export class Neighbourhood extends EventTarget {
    /** @type {Map<string, Neighbour>} */
    objects = new Map();
    /** @type {{from: string, to: string, name: string}[]} */
    links = [];
    #data;

    /** @param {{id: string, title: string?}} centre @param {import("./browser.js").DataBrowser} data */
    constructor(centre, data) {
        super();
        [this.centre, this.#data] = [centre.id, data];
        this.#add(centre, 0, null);
        this.toggle(centre.id);
    }

    #add({ id, title }, column, via) {
        const known = this.objects.get(id);
        if (known) return;
        this.objects.set(id, { id, title: title ?? null, column, via, isOpen: false, isReading: false, error: null, rest: 0 });
    }

    /** Unfolds an object, or folds it. */
    async toggle(id) {
        const object = this.objects.get(id);
        if (!object || object.isReading) return;
        if (object.isOpen) return this.#fold(object);
        [object.isOpen, object.isReading, object.error, object.rest] = [true, true, null, 0];
        this.#changed();
        try {
            const { values } = await post("store/object", { object: id, titles: this.#data.titles });
            for (const property of values) await this.#follow(object, property);
        } catch (error) {
            [object.error, object.isOpen] = [error.message, false];
        }
        object.isReading = false;
        this.#changed();
    }

    async #follow(object, { kind, name, value, destination }) {
        if (kind === "toOne" && value) this.#join(object, name, [value]);
        if (kind !== "toMany" || !value?.count) return;
        const { rows } = await post("store/rows", {
            query: { entity: destination, member: { object: object.id, relationship: name } }, from: 0, count: mostMembers,
            columns: this.#data.titleKeys(destination), titles: this.#data.titles,
        });
        this.#join(object, name, rows.map(({ id, cells }) => ({ id, title: (cells ?? []).filter((text) => typeof text === "string" && text).join(" ") })));
        object.rest += Math.max(0, value.count - rows.length);
    }

    #join(object, name, found) {
        for (const each of found) {
            this.#add(each, object.column + 1, name);
            const isKnown = this.links.some(({ from, to }) => (from === object.id && to === each.id) || (from === each.id && to === object.id));
            if (!isKnown) this.links.push({ from: object.id, to: each.id, name });
        }
    }

    /** Folds an object: what only it leads to goes. */
    #fold(object) {
        [object.isOpen, object.rest] = [false, 0];
        this.links = this.links.filter(({ from, to }) => from !== object.id || this.objects.get(to)?.isOpen);
        const near = new Set([this.centre]);
        for (let size = 0; size !== near.size;) {
            size = near.size;
            for (const { from, to } of this.links) {
                if (near.has(from)) near.add(to);
                if (near.has(to)) near.add(from);
            }
        }
        for (const id of this.objects.keys()) if (!near.has(id)) this.objects.delete(id);
        this.links = this.links.filter(({ from, to }) => near.has(from) && near.has(to));
        this.#changed();
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }
}
