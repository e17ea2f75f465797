import { client, get, post, ServerError } from "../net/api.js";
import { listen } from "../net/events.js";

/**
 * What the server says, as the page knows it: records by identifier, problems, undo, disk. The page never changes it
 * itself: it sends actions, and takes over the updates that come back.
 *
 * @typedef {Object<string, any> & {kind: string, owner?: string}} Record_
 */
export class Store extends EventTarget {
    /** @type {Object<string, Record_>} */
    records = {};
    revision = 0;
    /** @type {string} */
    version = "";
    /** @type {any} */
    document = { name: "", path: "", folder: "", holdsVersions: false, isNew: false };
    /** @type {string[]} */
    versions = [];
    currentVersion = "";
    /** @type {any[]} */
    problems = [];
    /** @type {string?} */
    undoTitle = null;
    /** @type {string?} */
    redoTitle = null;
    /** The steps that undo and redo would take back and make again. @type {number?} */
    undoStep = null;
    /** @type {number?} */
    redoStep = null;
    isDirty = false;
    disk = { status: "same", message: null, paths: [] };
    /** @type {any} */
    recovery = null;
    /** Why unsaved changes can't be kept on disk, where they can't. @type {string?} */
    journalFailure = null;
    /** What came into being since the page was opened, and so is in no older version. @type {Set<string>} */
    created = new Set();
    isConnected = true;
    hasEnded = false;
    /** What became of unsaved changes at the end. @type {{unsaved: "none"|"kept"|"lost", message: string?}?} */
    end = null;
    /** How many requests are under way. */
    #pending = 0;
    /** Requests follow each other, so that each knows the revision that the one before made. */
    #queue = Promise.resolve();

    /** Loads a version, the current one to begin with. @param {string} [version] */
    async load(version) {
        this.#takeState(await get("document", { version }));
    }

    /** Follows what others do. */
    follow() {
        listen({
            update: (update) => this.#enqueue(async () => this.#takeUpdate(update)),
            disk: (disk) => { this.disk = disk; this.#changed(); },
            connection: (isOpen) => { this.isConnected = isOpen; this.#changed(); },
            reconnected: () => this.#enqueue(() => this.load(this.version)),
            closing: (end) => { this.hasEnded = true; this.end = end; this.#changed(); },
        });
    }

    /** @param {string|null|undefined} id @returns {Record_|undefined} */
    record(id) {
        return id ? this.records[id] : undefined;
    }

    /** The records with these identifiers. @param {string[]} [ids] @returns {(Record_ & {id: string})[]} */
    list(ids = []) {
        return ids.map((id) => this.records[id]).filter(Boolean);
    }

    /** The record of the version that is shown. @returns {Record_} */
    get model() {
        return this.records[this.version] ?? {
            kind: "version", entities: [], fetchRequests: [], configurations: [], composites: []
        };
    }

    /**
     * Sends actions that are one step of undo.
     *
     * @param {Object<string, any>[]} actions
     * @param {{title?: string?, merge?: string?}} [options]
     * @returns {Promise<any>} The update, or null where the server refused; `message` events tell why.
     */
    perform(actions, { title = null, merge = null } = {}) {
        return this.request("actions", () => ({ revision: this.revision, actions, title, merge }));
    }

    undo() {
        return this.request("undo", () => ({}));
    }

    redo() {
        return this.request("redo", () => ({}));
    }

    /**
     * Posts something that answers with an update.
     *
     * @param {string} path
     * @param {() => Object<string, any>} body Made when its turn has come.
     */
    request(path, body) {
        return this.busy(() => this.#enqueue(async () => {
            try {
                const update = await post(path, { client, ...body() });
                await this.#takeUpdate(update);
                return update;
            } catch (error) {
                if (!(error instanceof ServerError)) throw error;
                if (error.body?.state) this.#takeState(error.body.state);
                this.dispatchEvent(new CustomEvent("refusal", { detail: error }));
                return null;
            }
        }));
    }

    /** Whether something that was done has not yet come back from the server. */
    get isBusy() {
        return this.#pending > 0;
    }

    /** Does work that counts as under way until it is done. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    async busy(work) {
        this.#pending += 1;
        this.#changed();
        try {
            return await work();
        } finally {
            this.#pending -= 1;
            this.#changed();
        }
    }

    #enqueue(work) {
        const result = this.#queue.then(work);
        this.#queue = result.catch((error) => console.error(error));
        return result;
    }

    #takeState(state) {
        this.records = {};
        for (const [id, record] of Object.entries(state.records)) this.records[id] = { ...record, id };
        this.revision = state.revision;
        this.version = state.version;
        this.document = state.document;
        this.problems = state.problems;
        this.#takeCommon(state);
        this.dispatchEvent(new Event("reload"));
        this.#changed();
    }

    async #takeUpdate(update) {
        // An update comes twice: as the answer, and as an event.
        if (update.revision <= this.revision) {
            if (update.revision === this.revision) { this.#takeCommon(update); this.#changed(); }
            return;
        }
        if (update.revision !== this.revision + 1) return this.load(this.version);
        this.revision = update.revision;
        for (const id of update.created ?? []) this.created.add(id);
        for (const id of update.removed ?? []) delete this.records[id];
        for (const [id, record] of Object.entries(update.changed ?? {})) {
            if (this.#isLoaded(id, record, update.changed)) this.records[id] = { ...record, id };
        }
        if (update.problems?.[this.version]) this.problems = update.problems[this.version];
        this.#takeCommon(update);
        if (!this.records[this.version]) return this.load();
        this.dispatchEvent(new CustomEvent("update", { detail: update }));
        this.#changed();
    }

    /** Whether a record belongs to the version shown: others' need not be kept. */
    #isLoaded(id, record, changed) {
        if (record.kind === "version") return true;
        for (let owner = record.owner; owner; ) {
            if (owner === this.version) return true;
            owner = (changed[owner] ?? this.records[owner])?.owner;
        }
        return false;
    }

    #takeCommon({ versions, currentVersion, undo, redo, undoStep, redoStep, isDirty, disk, recovery, journalFailure }) {
        this.versions = versions ?? this.versions;
        this.currentVersion = currentVersion ?? this.currentVersion;
        this.undoTitle = undo ?? null;
        this.redoTitle = redo ?? null;
        this.undoStep = undoStep ?? null;
        this.redoStep = redoStep ?? null;
        this.isDirty = isDirty;
        this.disk = disk ?? this.disk;
        this.recovery = recovery ?? null;
        this.journalFailure = journalFailure ?? null;
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }
}
