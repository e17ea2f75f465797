import { documents } from "../documents/documents.js";
import { client, get, post } from "../net/api.js";
import { follow } from "../net/events.js";

/**
 * What the server says of the mapping model. It is never changed by the page: an action is sent, and what comes back is
 * shown.
 *
 * `change` events tell that something is otherwise; `refusal` events why an action was not carried out.
 */
export class MappingStore extends EventTarget {
    #state = { revision: 0, records: {}, problems: [], models: { choices: [] }, document: { name: "", path: "" }, isDirty: false };
    isConnected = true;
    #busy = 0;
    /** The document of the store that was chosen. @type {string?} */
    #chosen = null;

    get isBusy() { return this.#busy > 0; }
    get document() { return this.#state.document; }
    get revision() { return this.#state.revision; }
    get isDirty() { return this.#state.isDirty; }
    get problems() { return this.#state.problems; }
    get undo() { return this.#state.undo; }
    get redo() { return this.#state.redo; }
    get root() { return this.#state.records.mapping; }
    get models() { return this.#state.models; }
    /** The dry run or migration that was asked for last. @type {any} */
    get job() { return this.#state.job; }
    /** What an earlier run left. @returns {{savedAt: string, isOutdated: boolean}?} */
    get recovery() { return this.#state.recovery; }
    get journalFailure() { return this.#state.journalFailure; }
    get hasModel() { return documents.all.some(({ kind }) => kind === "model"); }
    /** The stores that are open beside the mapping model. */
    get stores() { return documents.all.filter(({ kind }) => kind === "store"); }
    /** The store that a dry run tries, and a migration changes: the first one, as long as none is chosen. */
    get opened() { return this.stores.find(({ id }) => id === this.#chosen) ?? this.stores[0] ?? null; }
    get mappings() { return this.list(this.root?.mappings); }

    record(id) { return this.#state.records[id]; }
    /** @param {string[]} [ids] */
    list(ids = []) { return ids.map((id) => this.record(id)).filter(Boolean); }

    /** An entity of one of the models. @param {"source"|"destination"} side @param {string?} name */
    entity(side, name) { return this.models[side]?.entities.find((entity) => entity.name === name) ?? null; }

    async load() {
        this.#take(await get("mapping/state"));
    }

    follow() {
        follow("mapping/events", {
            update: ({ state, client: other }) => { if (other !== client) this.#take(state); },
            job: (job) => { this.#state = { ...this.#state, job }; this.#changed(); },
        }, {
            connection: (isOpen) => { this.isConnected = isOpen; this.#changed(); },
            reconnected: () => this.load(),
        });
    }

    /** Carries actions out, as one step. @returns {Promise<any>} The new state, or null where they are refused. */
    perform(actions, { merge = null, title = null } = {}) {
        return this.#ask("actions", { actions, merge, title });
    }

    /** Chooses what is tried and migrated. @param {string} store A document. */
    choose(store) {
        this.#chosen = store;
        this.#changed();
    }

    step(direction) { return this.#ask(direction, {}); }
    save(overwrites = false) { return this.#ask("save", { overwrites }, (error) => error.code === "changed-on-disk"); }
    reload() { return this.#ask("reload", {}); }
    /** Takes up what an earlier run left, or lets it go. @param {"recover"|"discard"} choice */
    recover(choice) { return this.#ask("recovery", { choice }); }

    /** Starts a dry run, starts a migration, or ends what runs. @param {"dry-run"|"migrate"|"cancel"} what */
    async ask(what) {
        const answer = await this.#try(() => post(`mapping/${what}`, { client, store: this.opened?.id }));
        // What is told by an event may be later than the answer.
        const isOver = this.job?.id === answer?.job?.id && this.job?.state !== "running";
        if (answer && !isOver) this.#state = { ...this.#state, job: answer.job };
        this.#changed();
        return answer;
    }

    async #ask(path, body, isForCaller = () => false) {
        const state = await this.#try(() => post(`mapping/${path}`, { ...body, client }), isForCaller);
        if (state && !(state instanceof Error)) this.#take(state);
        return state;
    }

    async #try(request, isForCaller = () => false) {
        this.#busy += 1;
        this.#changed();
        try {
            return await request();
        } catch (error) {
            if (isForCaller(error)) return error;
            this.dispatchEvent(new CustomEvent("refusal", { detail: error.message }));
            return null;
        } finally {
            this.#busy -= 1;
            this.#changed();
        }
    }

    #take(state) {
        if (state.revision < this.#state.revision) return;
        this.#state = state;
        this.#changed();
    }

    #changed() { this.dispatchEvent(new Event("change")); }
}
