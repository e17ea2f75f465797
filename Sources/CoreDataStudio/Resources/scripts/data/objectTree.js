import { post } from "../net/api.js";

/** How many members are shown at first, and how many more each time. */
const partSize = 50;
/** How many members are read at once. */
const mostRead = 200;

/**
 * A branch: an object with its values, or a to-many relationship with its members. `id` names the object or the owner, `turn` counts
 * what was read.
 *
 * @typedef {{id: string, relationship: any, isOpen: boolean, isReading: boolean, error: string?, values: any[]?,
 *   members: {id: string, title: string?}[], isWhole: boolean, turn: number}} Branch
 */

/** The key of what is below a branch: keys are the ways there. @param {string} key @param {string} name */
export const below = (key, name) => `${key}\n${name}`;

/** An object and what it relates to. Each branch is read when it is opened. */
export class ObjectTree extends EventTarget {
    /** @type {Map<string, Branch>} */
    #branches = new Map();
    #data;
    /** Counts how often the tree was read anew. */
    #turn = 0;

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
        const branch = { id: "", relationship: null, isOpen: false, isReading: false, error: null, values: null, members: [], isWhole: false, turn: 0 };
        this.#branches.set(key, branch);
        return branch;
    }

    openObject(key, id, isOpen) {
        const branch = this.branch(key);
        if (branch.isOpen === isOpen) return;
        [branch.id, branch.isOpen] = [id, isOpen];
        if (isOpen && !branch.values) this.#read(branch, () => this.#readObject(key, branch));
        this.#changed();
    }

    openMembers(key, owner, relationship, isOpen) {
        const branch = this.branch(key);
        if (branch.isOpen === isOpen) return;
        [branch.id, branch.relationship, branch.isOpen] = [owner, relationship, isOpen];
        if (isOpen && branch.members.length === 0) this.moreMembers(key);
        this.#changed();
    }

    /** Reads the next members of a to-many relationship. */
    moreMembers(key) {
        const branch = this.branch(key);
        if (!branch.isReading) this.#read(branch, () => this.#readMembers(branch, branch.members, branch.members.length + partSize));
    }

    // MARK: Reading anew

    /** Reads what is unfolded anew, from the root on. Until it comes, one sees what there was. */
    async refresh() {
        this.#turn += 1;
        const turn = this.#turn;
        for (const [key, branch] of [...this.#branches]) {
            if (!branch.isOpen) [branch.values, branch.members, branch.isWhole] = [null, [], false];
            // What was read before may have folded it.
            else if (this.#branches.get(key) === branch) await this.#readAgain(key, branch);
            if (turn !== this.#turn) return;
        }
    }

    #readAgain(key, branch) {
        if (!branch.relationship) return this.#read(branch, () => this.#readObject(key, branch));
        const count = Math.max(partSize, Math.ceil(branch.members.length / partSize) * partSize);
        return this.#read(branch, () => this.#readMembers(branch, [], count));
    }

    /** Gives objects other identifiers. @param {(id: string) => string} renamed */
    rename(renamed) {
        this.root.id = renamed(this.root.id);
        const branches = [...this.#branches];
        this.#branches.clear();
        for (const [key, branch] of branches) {
            branch.id = renamed(branch.id);
            for (const member of branch.members) member.id = renamed(member.id);
            for (const { kind, value } of branch.values ?? []) if (kind === "toOne" && value) value.id = renamed(value.id);
            this.#branches.set(key.split("\n").map(renamed).join("\n"), branch);
        }
        this.#changed();
    }

    // MARK: Reading

    /** @returns {Promise<Partial<Branch>>} */
    async #readObject(key, branch) {
        const { values, title } = await post("store/object", { object: branch.id, titles: this.#data.titles });
        for (const { kind, name, value } of values) if (kind === "toOne") this.#forgetOther(below(key, name), value?.id);
        if (key === this.root.id) this.root.title = title ?? null;
        return { values };
    }

    /** Folds what leads to another object now. */
    #forgetOther(key, id) {
        const known = this.#branches.get(key);
        if (!known || known.id === id) return;
        for (const each of [...this.#branches.keys()]) if (each === key || each.startsWith(below(key, ""))) this.#branches.delete(each);
    }

    /** Reads members behind those that are known, up to a number. @returns {Promise<Partial<Branch>>} */
    async #readMembers({ id, relationship }, known, count) {
        const { destination, name } = relationship;
        const members = [...known];
        for (;;) {
            const wanted = Math.min(mostRead, count - members.length);
            const { rows } = await post("store/rows", {
                query: { entity: destination, member: { object: id, relationship: name } }, from: members.length, count: wanted,
                columns: this.#data.titleKeys(destination), titles: this.#data.titles,
            });
            members.push(...rows.map((row) => ({ id: row.id, title: titleOf(row.cells) })));
            const isWhole = rows.length < wanted;
            if (isWhole || members.length >= count) return { members, isWhole };
        }
    }

    /** Takes what was read, unless it was read anew meanwhile. */
    async #read(branch, body) {
        branch.turn += 1;
        const { turn } = branch;
        [branch.isReading, branch.error] = [true, null];
        this.#changed();
        let found;
        try {
            found = await body();
        } catch (error) {
            // Where the studio can't be reached, one sees what there was.
            found = { error: error.message, ...(error.status ? { values: null, members: [] } : {}) };
        }
        if (turn !== branch.turn) return;
        Object.assign(branch, found, { isReading: false });
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
