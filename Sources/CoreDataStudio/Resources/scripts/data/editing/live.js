import { storeChanged } from "../following.js";
import { outdateValues } from "../pictures.js";
import { Edits } from "./edits.js";
import { isNew } from "./picker.js";

/** Has a window follow what is changed and what is saved, by itself and by others. */
export async function startEditing(data) {
    const edits = new Edits();
    edits.titles = data.titles;
    await edits.start();
    data.edits = edits;
    let { state } = edits;
    edits.addEventListener("change", () => {
        outdateValues(touched(state, edits.state));
        data.source?.noteStaged([...state.changes, ...edits.state.changes]);
        ({ state } = edits);
        readAgain(data, false);
    });
    edits.addEventListener("connection", () => data.changed());
    edits.addEventListener("store", () => storeChanged(data));
    data.revealNew = (id) => revealNew(data, id);
    edits.addEventListener("renamed", ({ detail }) => rename(data, detail));
}

/** Reads the rows, the object and the panels anew; one sees the old ones until the new ones are here. */
export function readAgain(data, isOfStore) {
    if (data.edits) data.edits.titles = data.titles;
    if (isOfStore) {
        data.history?.newer();
        data.past?.read();
    }
    data.source?.refresh({ marks: isOfStore });
    data.dispatchEvent(new Event("rows"));
    if (isGone(data)) data.forgetInspected();
    else data.readObject();
    data.readViewed();
    data.tree?.refresh();
    data.neighbourhood?.refresh();
    data.changed();
}

/**
 * The objects that may have other values than before; undefined where the lists do not have all.
 *
 * @param {import("./edits.js").State} before @param {import("./edits.js").State} after
 */
function touched(before, after) {
    if ([before, after].some(({ count, changes }) => count > changes.length)) return undefined;
    const old = new Set(before.changes.map(textOf));
    const now = new Set(after.changes.map(textOf));
    const isTouched = (change) => isShownInPart(change) || !old.has(textOf(change)) || !now.has(textOf(change));
    return new Set([...before.changes, ...after.changes].filter(isTouched).map(({ id }) => id));
}

const textOf = (change) => JSON.stringify(change);

/** Whether a change may be another one although it looks the same: of large values one sees the size, of new objects nothing. */
function isShownInPart({ kind, properties }) {
    const isLarge = (value) => value && typeof value === "object" && ("bytes" in value || "length" in value);
    return kind === "inserted" || properties.some((property) => isLarge(property.old) || isLarge(property.new));
}

/** Whether the object in the inspector was new, and its making was undone. */
function isGone({ inspected, edits }) {
    const state = edits?.state;
    return Boolean(state && inspected && isNew(inspected)) && state.count === state.changes.length && !state.changes.some(({ id }) => id === inspected);
}

/** Shows an object that was made: new objects stand before the others. */
function revealNew(data, id) {
    data.renameInspected(id);
    data.dispatchEvent(new CustomEvent("reveal", { detail: id }));
    data.readObject(id);
    data.changed();
}

/** Takes the identifiers that new objects have got. @param {Object<string, string>} identifiers */
function rename(data, identifiers) {
    const { renamed } = data;
    for (const [old, id] of Object.entries(identifiers)) data.identifiers.set(old, id);
    for (const panel of [data.tree, data.neighbourhood]) panel?.rename(renamed);
    data.source?.renameRows(renamed);
    data.renamePlaces();
    data.renameInspected(renamed(data.inspected));
    data.renameViewed(renamed);
}
