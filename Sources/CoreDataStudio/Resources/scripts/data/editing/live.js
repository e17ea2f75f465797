import { Edits } from "./edits.js";
import { isNew } from "./picker.js";

/** Has a window follow what is changed and what is saved, by itself and by others. */
export async function startEditing(data) {
    const edits = new Edits();
    edits.titles = data.titles;
    await edits.start();
    data.edits = edits;
    edits.addEventListener("change", () => readAgain(data, false));
    edits.addEventListener("connection", () => data.changed());
    edits.addEventListener("store", () => {
        data.count();
        readAgain(data, true);
    });
    data.revealNew = (id) => revealNew(data, id);
    edits.addEventListener("renamed", ({ detail }) => rename(data, detail));
}

/** Reads the rows and the object anew; one sees the old ones until the new ones are here. */
function readAgain(data, isOfStore) {
    data.edits.titles = data.titles;
    if (isOfStore && data.history) data.openAgain();
    data.source?.refresh({ marks: isOfStore });
    data.dispatchEvent(new Event("rows"));
    if (isGone(data)) data.forgetInspected();
    else data.readObject();
    data.changed();
}

/** Whether the object in the inspector was new, and its making was undone. */
function isGone({ inspected, edits: { state } }) {
    return Boolean(inspected && isNew(inspected)) && state.count === state.changes.length && !state.changes.some(({ id }) => id === inspected);
}

/** Shows an object that was made: new objects stand before the others. */
function revealNew(data, id) {
    data.renameInspected(id);
    data.dispatchEvent(new CustomEvent("reveal", { detail: id }));
    data.readObject(id);
}

/** Takes the identifiers that new objects have got. @param {Object<string, string>} identifiers */
function rename(data, identifiers) {
    const renamed = (id) => (id && identifiers[id]) ?? id;
    data.renamePlaces(renamed);
    data.renameInspected(renamed(data.inspected));
}
