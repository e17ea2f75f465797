import { post } from "../net/api.js";
import { confirmRename } from "../views/renaming.js";
import { container } from "./queries.js";

/**
 * The edits that a user makes, each as one sentence of the protocol with what the page does around it: select what is
 * new, go to its name.
 */
export class Editing {
    /** @param {import("./store.js").Store} store @param {import("./workspace.js").Workspace} workspace */
    constructor(store, workspace) {
        this.store = store;
        this.workspace = workspace;
    }

    /** Sets fields of an element. Typing in one field is one step of undo as long as nothing else is done. */
    set(element, changes, { merge = null } = {}) {
        return this.store.perform([{ kind: "set", element, changes }], { merge });
    }

    /**
     * Why fields of an element can't get values: names that can't be, values that don't fit.
     *
     * @param {string} element @param {Object<string, any>} changes
     * @returns {Promise<string|null>} A sentence, or null where they can.
     */
    async refusal(element, changes) {
        if (changes.name === null) return "A name can't be empty.";
        const answer = await this.store.busy(() => post("preview/set", { element, changes }))
            .catch((error) => ({ problem: error.message }));
        const { problem } = answer;
        return problem ? (/[.!?]$/.test(problem) ? problem : `${problem}.`) : null;
    }

    /** Adds something, selects it, and lets its name be typed. */
    async add(action, { focus = "name" } = {}) {
        const update = await this.store.perform([action]);
        const id = update?.created?.[0];
        if (id) this.workspace.select(id, { focus });
        return id;
    }

    addEntity(position) {
        return this.add({ kind: "addEntity", version: this.store.version, ...(position && { position }) });
    }

    addAttribute(owner = this.#entity("entity", "composite")) {
        return owner && this.add({ kind: "addAttribute", owner });
    }

    addRelationship(entity = this.#entity("entity")) {
        return entity && this.add({ kind: "addRelationship", entity });
    }

    addFetchedProperty(entity = this.#entity("entity")) {
        return entity && this.add({ kind: "addFetchedProperty", entity });
    }

    addFetchRequest() {
        const entity = this.#entity("entity");
        return this.add({ kind: "addFetchRequest", version: this.store.version, ...(entity && { entity }) });
    }

    addConfiguration() {
        return this.add({ kind: "addConfiguration", version: this.store.version });
    }

    addComposite() {
        return this.add({ kind: "addComposite", version: this.store.version });
    }

    async addSubentity(parent) {
        const id = await this.addEntity();
        if (id) await this.set(id, { parent });
        return id;
    }

    async addVersion() {
        const update = await this.store.perform([{ kind: "addVersion", basedOn: this.store.version }]);
        const id = update?.created?.find((created) => update.changed[created]?.kind === "version");
        if (id) await this.store.load(id);
        if (id) this.workspace.select(id, { focus: "name" });
        return id;
    }

    /** Deletes what is selected, and selects what stood beside it. */
    async deleteSelection() {
        const { selection } = this.workspace;
        const elements = selection.filter((id) => this.store.record(id)?.kind !== "version");
        if (!elements.length) return;
        const next = this.#neighbour(elements.at(-1), new Set(elements));
        if (!await this.store.perform([{ kind: "delete", elements }])) return;
        this.workspace.wantsFocusOnSelection = true;
        this.workspace.select(next);
    }

    async duplicateSelection() {
        const elements = this.workspace.selection.filter((id) => this.store.record(id)?.kind !== "version");
        if (!elements.length) return;
        const update = await this.store.perform([{ kind: "duplicate", elements }]);
        const id = update?.created?.[0];
        if (id) this.workspace.select(id, { focus: "name" });
    }

    /** Moves an element up or down in its list. */
    shift(id, distance) {
        const place = this.#place(id);
        if (!place) return;
        const to = place.index + distance;
        if (to < 0 || to >= place.list.length) return;
        return this.store.perform([{ kind: "move", element: id, to }]);
    }

    move(id, to) {
        return this.store.perform([{ kind: "move", element: id, to }]);
    }

    /**
     * Renames an element and what refers to it; asks first where predicates would change, or where it isn't sure.
     *
     * @returns {Promise<boolean>} Whether it has the name now.
     */
    async rename(element, name) {
        const record = this.store.record(element);
        if (!record || record.name === name) return true;
        const refusal = await this.refusal(element, { name: name || null });
        if (refusal) {
            this.store.dispatchEvent(new CustomEvent("refusal", { detail: new Error(refusal) }));
            return false;
        }
        const preview = await this.store.busy(() => post("preview/rename", { element, name }))
            .catch((error) => ({ references: [], problem: error.message }));
        if (preview.problem) {
            this.store.dispatchEvent(new CustomEvent("refusal", { detail: new Error(preview.problem) }));
            return false;
        }
        const action = { kind: "rename", element, name };
        if (preview.references.some(({ certainty, field }) => certainty === "unsure" || isFormat(field)) || this.isInOtherVersions(record)) {
            const choice = await confirmRename(
                record, name, preview.references, { isInOtherVersions: this.isInOtherVersions(record) }
            );
            if (!choice) return false;
            Object.assign(action, choice);
        }
        return Boolean(await this.store.perform([action]));
    }

    /** Whether stores of an older version may know the element by its present name. */
    isInOtherVersions(record) {
        const { store } = this;
        const isStored = ["entity", "attribute", "relationship", "fetchedProperty"].includes(record.kind);
        return isStored && store.versions.length > 1 && !store.created.has(record.id) && !record.renamingIdentifier;
    }

    /** Keeps what is selected in mind, to be pasted elsewhere. */
    copySelection() {
        this.workspace.clipboard = this.workspace.selection.filter((id) => this.store.record(id)?.kind !== "version");
    }

    /** Copies what was copied into the entity, the composite or the version that is shown. */
    async paste() {
        const elements = this.workspace.clipboard.filter((id) => this.store.record(id));
        if (!elements.length) return;
        const isOwn = [
            "entity", "fetchRequest", "configuration", "composite"
        ].includes(this.store.record(elements[0]).kind);
        const into = isOwn ? this.store.version : this.#entity("entity", "composite");
        if (!into) return;
        const update = await this.store.perform([{ kind: "copy", elements, into }]);
        if (update?.created?.[0]) this.workspace.select(update.created[0], { focus: "name" });
    }

    /** Applies the fix of a problem. */
    fix(fix) {
        return this.store.perform(fix.actions ?? [fix.action], { title: fix.title });
    }

    async save({ overwrites = false } = {}) {
        // A field that has the focus gives its value when it loses it.
        const focused = document.activeElement;
        if (focused instanceof HTMLElement) { focused.blur(); focused.focus(); }
        return this.store.request("save", () => ({ overwrites }));
    }

    #entity(...kinds) {
        const edited = container(this.store, this.workspace.selection.at(-1)) ?? this.workspace.edited;
        return edited && kinds.includes(edited.kind) ? edited.id : undefined;
    }

    /** The list that an element stands in, and its place there. */
    #place(id) {
        const record = this.store.record(id);
        const owner = this.store.record(record?.owner);
        if (!owner) return null;
        const list = Object.values(owner).find((value) => Array.isArray(value) && value.includes(id));
        return list ? { list, index: list.indexOf(id), owner } : null;
    }

    #neighbour(id, gone) {
        const place = this.#place(id);
        if (!place) return null;
        const after = place.list.slice(place.index).find((other) => !gone.has(other));
        return after ?? place.list.slice(0, place.index).findLast((other) => !gone.has(other)) ?? (place.owner.kind === "version" ? null : place.owner.id);
    }
}

/** Whether a field holds a predicate or an expression: its text is worth a look. */
function isFormat(field) {
    return ["predicate", "derivation", "expression", "spotlightExpression"].includes(field);
}
