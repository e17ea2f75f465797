import { post } from "../net/api.js";

/** How many members are read at once. */
const partSize = 50;

/**
 * A branch: an object with its values, or a to-many relationship with its members.
 *
 * @typedef {{isOpen: boolean, isReading: boolean, error: string?, values: any[]?, members: {id: string, title: string?}[], isWhole: boolean}} Branch
 */

/** An object and what it relates to. Each branch is read when it is opened. A key is the way to a branch. */
export class ObjectTree extends EventTarget {
    /** @type {Map<string, Branch>} */
    #branches = new Map();
    #data;

    /** @param {{id: string, title: string?}} object @param {import("./browser.js").DataBrowser} data */
    constructor(object, data) {
        super();
        [this.root, this.#data] = [{ id: object.id, title: object.title }, data];
        this.openObject(object.id, object.id, true);
    }

    /** @param {string} key @returns {Branch} */
    branch(key) {
        const known = this.#branches.get(key);
        if (known) return known;
        const branch = { isOpen: false, isReading: false, error: null, values: null, members: [], isWhole: false };
        this.#branches.set(key, branch);
        return branch;
    }

    openObject(key, id, isOpen) {
        const branch = this.branch(key);
        if (branch.isOpen === isOpen) return;
        branch.isOpen = isOpen;
        if (isOpen && !branch.values) this.#read(branch, async () => {
            branch.values = (await post("store/object", { object: id, titles: this.#data.titles })).values;
        });
        this.#changed();
    }

    openMembers(key, owner, relationship, isOpen) {
        const branch = this.branch(key);
        if (branch.isOpen === isOpen) return;
        branch.isOpen = isOpen;
        if (isOpen && branch.members.length === 0) this.moreMembers(key, owner, relationship);
        this.#changed();
    }

    /** Reads the next members of a to-many relationship. */
    moreMembers(key, owner, relationship) {
        const branch = this.branch(key);
        this.#read(branch, async () => {
            const { destination, name } = relationship;
            const { rows } = await post("store/rows", {
                query: { entity: destination, member: { object: owner, relationship: name } }, from: branch.members.length, count: partSize,
                columns: this.#data.titleKeys(destination), titles: this.#data.titles,
            });
            branch.members = [...branch.members, ...rows.map(({ id, cells }) => ({ id, title: titleOf(cells) }))];
            branch.isWhole = rows.length < partSize;
        });
    }

    async #read(branch, body) {
        if (branch.isReading) return;
        [branch.isReading, branch.error] = [true, null];
        this.#changed();
        try {
            await body();
        } catch (error) {
            branch.error = error.message;
        }
        branch.isReading = false;
        this.#changed();
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }
}

/** @param {any[]|undefined} cells */
function titleOf(cells) {
    return (cells ?? []).filter((text) => typeof text === "string" && text).join(" ") || null;
}
