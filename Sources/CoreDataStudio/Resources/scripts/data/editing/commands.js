import { post, turns } from "../../net/api.js";
import { showDialog } from "../../ui/dialogs.js";
import { selectField } from "../../ui/fields.js";
import { sentence } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { grouped } from "../cells.js";
import { settleConflicts } from "./conflictDialog.js";
import { deletionWords } from "./deletionWords.js";
import { pickObject } from "./picker.js";

/** Carries out an action, and says why where it can't be. @returns {Promise<string[]?>} The objects that it made. */
export async function act({ data, toasts }, action) {
    try {
        return await data.edits.act(action);
    } catch (error) {
        toasts.show(error.message, { isError: true });
        return null;
    }
}

/** @param {"undo"|"redo"} kind */
export async function step({ data, toasts }, kind) {
    const name = data.edits.state[kind];
    if (!name) return;
    await data.edits.step(kind);
    toasts.show(`${kind === "undo" ? "Undone" : "Redone"}: ${name}`);
}

/** Makes an object of the entity that is shown; where members are shown, a new member. */
export async function addObject(app) {
    const { data } = app;
    const entity = await entityOfNew(data);
    if (!entity) return;
    const { member } = data.place;
    const created = await act(app, { kind: "create", entity, owner: member?.object, relationship: member?.relationship });
    if (!created) return;
    const [id] = created;
    data.set({ showsInspector: true });
    data.revealNew(id);
    app.grid?.root.focus();
}

/** The entity of a new object: the one that is shown, or of a choice where it has subentities. */
async function entityOfNew(data) {
    const all = data.entitiesBelow(data.place.entity).filter((name) => !data.entity(name).isAbstract);
    if (all.length < 2) return all[0] ?? null;
    let [choice] = all;
    const isWanted = await showDialog({
        title: "New object",
        body: () => h("label.dialog-field", null, h("span", null, "Entity"), selectField({
            label: "Entity", value: choice, choices: all.map((name) => [name, name]), commit: (name) => { choice = name; },
        })),
        actions: [{ title: "Cancel", value: false }, { title: "Add", value: true, isDefault: true }],
    });
    return isWanted ? choice : null;
}

/** The object of the active row, or of the inspector. */
export function activeObject({ data }) {
    return data.source?.row(data.index)?.id ?? null;
}

export async function duplicateObject(app, id = activeObject(app)) {
    if (!id) return;
    const created = await act(app, { kind: "duplicate", objects: [id] });
    if (created) app.data.revealNew(created[0]);
}

/** Deletes an object, after it was said what the delete rules do. */
export async function deleteObject(app, id = activeObject(app)) {
    if (!id) return;
    let preview;
    try {
        preview = await post("store/deletion", { objects: [id] });
    } catch (error) {
        return app.toasts.show(error.message, { isError: true });
    }
    const isRefused = preview.refusals.length > 0;
    const isWanted = await showDialog({
        title: isRefused ? `${id} can't be deleted` : `Delete ${id}?`,
        body: () => [
            ...preview.refusals.map((text) => h("p.field-error", { role: "alert", key: text }, sentence(text))),
            ...(isRefused ? [] : deletionWords(preview)).map((text, index) => h("p", { key: index }, sentence(text))),
            !isRefused && h("p.quiet", { key: "later" }, "Nothing is written before you save."),
        ],
        actions: isRefused ? [{ title: "OK", value: false, isDefault: true }]
            : [{ title: "Cancel", value: false }, { title: "Delete", value: true, isDefault: true }],
    });
    if (isWanted) await act(app, { kind: "delete", objects: [id] });
    app.grid?.root.focus();
}

/** Has the person choose what a to-one relationship leads to. */
export async function chooseDestination(app, object, property) {
    const choice = await pickObject(app, { title: `${property.name} of ${object}`, entity: property.destination, allowsNone: true });
    if (choice) await act(app, { kind: "relate", object, key: property.name, to: choice.id });
}

/** Has the person choose a member that joins a to-many relationship. */
export async function addMember(app, object, property) {
    const choice = await pickObject(app, { title: `Add to ${property.name} of ${object}`, entity: property.destination });
    if (choice) await act(app, { kind: "add", object, key: property.name, members: [choice.id] });
}

/** Saves all changes; conflicts are settled first. */
export async function save(app) {
    const { data, toasts } = app;
    // What was just typed may be on its way.
    await turns();
    const count = data.edits.state.count;
    if (!count) return;
    try {
        let answer = await data.edits.save();
        while (answer.conflicts?.length) {
            const choices = await settleConflicts(answer.conflicts);
            if (!choices) return;
            answer = await data.edits.save(choices);
        }
        if (!answer.saved) return refused(app, answer.problems);
        toasts.show(`${grouped(count)} ${count === 1 ? "object" : "objects"} saved.${backupWords(app, answer.backup)}`);
    } catch (error) {
        toasts.show(error.message, { isError: true });
    }
}

function backupWords(app, backup) {
    if (!backup || app.hasToldBackup) return "";
    app.hasToldBackup = true;
    return ` The file as it was is in ${backup}.`;
}

function refused({ data, toasts }, problems) {
    data.set({ panel: "changes" });
    const objects = new Set(problems.map((problem) => problem.object)).size;
    toasts.show(`Nothing is saved: ${objects === 1 ? "an object breaks" : `${grouped(objects)} objects break`} a rule of the model.`, { isError: true });
}

/** Gives up all changes, after a question. */
export async function discard(app) {
    const { count } = app.data.edits.state;
    const isWanted = count && await showDialog({
        title: "Give up all changes?",
        body: () => h("p", null, sentence(`The changes of ${grouped(count)} ${count === 1 ? "object" : "objects"} are lost. This can't be undone.`)),
        actions: [{ title: "Cancel", value: false, isDefault: true }, { title: "Give Up", value: true, isDestructive: true }],
    });
    if (isWanted) await app.data.edits.step("discard");
}
