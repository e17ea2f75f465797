import { post } from "../net/api.js";

/** How many members of a relationship are drawn; the others are counted. */
const mostMembers = 12;

/**
 * An object that is drawn. Its column says how many links it is away from the centre.
 *
 * @typedef {{id: string, title: string?, column: number, via: string?, isOpen: boolean, isReading: boolean, error: string?, rest: number}} Neighbour
 * @typedef {{objects: Map<string, Neighbour>, links: {from: string, to: string, name: string}[]}} Drawing
 */

/** An object with the objects around it, as far as one unfolds them. An object is drawn once, however many links lead to it. */
export class Neighbourhood extends EventTarget {
    /** @type {Drawing} */
    #drawing = { objects: new Map(), links: [] };
    #data;
    /** What was asked for last: one thing is done at a time. @type {Promise<void>} */
    #last = Promise.resolve();
    /** Whether all is to be read anew. */
    #isStale = false;
    /** What objects are called that were new when they were read. @type {(id: string) => string} */
    #renamed = (id) => id;

    /** @param {{id: string, title: string?}} centre @param {import("./browser.js").DataBrowser} data */
    constructor(centre, data) {
        super();
        [this.centre, this.#data] = [centre.id, data];
        this.#add(this.#drawing, centre, 0, null);
        this.toggle(centre.id);
    }

    get objects() {
        return this.#drawing.objects;
    }

    get links() {
        return this.#drawing.links;
    }

    // MARK: What one asks for

    /** Unfolds an object, or folds it. */
    toggle(id) {
        if (!this.objects.get(id)?.isReading) this.#inTurn(() => this.#toggle(this.objects.get(this.#renamed(id))));
    }

    /** Reads what is unfolded anew. Until it is here, one sees what there was. */
    refresh() {
        if (this.#isStale) return;
        this.#isStale = true;
        this.#inTurn(() => this.#refresh());
    }

    /** Gives objects other identifiers. @param {(id: string) => string} renamed */
    rename(renamed) {
        this.#renamed = renamed;
        this.centre = renamed(this.centre);
        this.#drawing = renamedDrawing(this.#drawing, renamed);
        this.#changed();
    }

    #inTurn(body) {
        this.#last = this.#last.then(body);
    }

    // MARK: Reading

    async #toggle(object) {
        if (!object) return;
        if (object.isOpen) return this.#fold(object);
        [object.isOpen, object.isReading] = [true, true];
        this.#changed();
        await this.#unfold(this.#drawing, object);
        object.isReading = false;
        this.#changed();
    }

    /** Draws all that is unfolded once more, from the centre on. */
    async #refresh() {
        this.#isStale = false;
        const drawing = { objects: new Map(), links: [] };
        this.#add(drawing, this.objects.get(this.centre), 0, null);
        // What is found on the way is looked at, too.
        for (const object of drawing.objects.values()) {
            if (!this.objects.get(object.id)?.isOpen) continue;
            object.isOpen = true;
            const error = await this.#unfold(drawing, object);
            // Where the studio can't be reached, one sees what there was.
            if (error && !error.status) return;
        }
        this.#drawing = renamedDrawing(drawing, this.#renamed);
        this.#changed();
    }

    /** Adds what an object relates to. One that can't be read is folded, and says why. @returns {Promise<any>} The error. */
    async #unfold(drawing, object) {
        [object.error, object.rest] = [null, 0];
        try {
            const { title, values } = await post("store/object", { object: object.id, titles: this.#data.titles });
            object.title = title ?? null;
            for (const property of values) await this.#follow(drawing, object, property);
            return null;
        } catch (error) {
            [object.error, object.isOpen] = [error.message, false];
            return error;
        }
    }

    async #follow(drawing, object, { kind, name, value, destination }) {
        if (kind === "toOne" && value) this.#join(drawing, object, name, [value]);
        if (kind !== "toMany" || !value?.count) return;
        const { rows } = await post("store/rows", {
            query: { entity: destination, member: { object: object.id, relationship: name } }, from: 0, count: mostMembers,
            columns: this.#data.titleKeys(destination), titles: this.#data.titles,
        });
        this.#join(drawing, object, name, rows.map(({ id, cells }) => ({ id, title: (cells ?? []).filter((text) => typeof text === "string" && text).join(" ") })));
        object.rest += Math.max(0, value.count - rows.length);
    }

    #join(drawing, object, name, found) {
        for (const { id: known, title } of found) {
            const id = this.#renamed(known);
            this.#add(drawing, { id, title }, object.column + 1, name);
            const isKnown = drawing.links.some(({ from, to }) => (from === object.id && to === id) || (from === id && to === object.id));
            if (!isKnown) drawing.links.push({ from: object.id, to: id, name });
        }
    }

    #add({ objects }, { id, title }, column, via) {
        if (!objects.has(id)) objects.set(id, { id, title: title ?? null, column, via, isOpen: false, isReading: false, error: null, rest: 0 });
    }

    /** Folds an object: what only it leads to goes. */
    #fold(object) {
        [object.isOpen, object.rest] = [false, 0];
        const links = this.links.filter(({ from, to }) => from !== object.id || this.objects.get(to)?.isOpen);
        const near = new Set([this.centre]);
        for (let size = 0; size !== near.size;) {
            size = near.size;
            for (const { from, to } of links) {
                if (near.has(from)) near.add(to);
                if (near.has(to)) near.add(from);
            }
        }
        for (const id of this.objects.keys()) if (!near.has(id)) this.objects.delete(id);
        this.#drawing.links = links.filter(({ from, to }) => near.has(from) && near.has(to));
        this.#changed();
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }
}

/** @param {Drawing} drawing @param {(id: string) => string} renamed @returns {Drawing} */
function renamedDrawing({ objects, links }, renamed) {
    const all = [...objects.values()];
    for (const object of all) object.id = renamed(object.id);
    return {
        objects: new Map(all.map((object) => [object.id, object])),
        links: links.map(({ from, to, name }) => ({ from: renamed(from), to: renamed(to), name })),
    };
}
