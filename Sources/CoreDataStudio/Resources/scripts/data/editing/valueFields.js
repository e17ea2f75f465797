import { button, iconButton, selectField, textArea, textField } from "../../ui/fields.js";
import { icon } from "../../ui/icons.js";
import { linesOf } from "../../ui/lineEnds.js";
import { sentence } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { editLongText } from "./cellEditor.js";
import { act, addMember, chooseDestination } from "./commands.js";
import { canType, isCut, takesFile, typedText, typedValue } from "./typedValue.js";

/** What a person changes a property with, in the inspector; null where it can't be changed. */
export function editorOf(app, object, property) {
    if (!app.data.edits || object.state === "deleted") return null;
    if (property.kind === "toOne") return destination(app, object, property);
    if (property.kind === "toMany") return button({ title: "Add…", class: "small", label: `Add to ${property.name}`, action: () => addMember(app, object.id, property) });
    if (takesFile(property)) return file(app, object, property);
    return canType(property) ? typed(app, object, property) : null;
}

/** What is wrong with a property's value. */
export function problemsOf(object, name) {
    return (object.problems ?? []).filter((problem) => problem.key === name)
        .map((problem) => h("p.field-error", { key: problem.message, role: "status" }, sentence(problem.message)));
}

function typed(app, object, property) {
    const { value } = property;
    if (isCut(value)) return button({ title: "Edit…", class: "small", label: `Edit ${property.name}`, action: () => editLongText(app, object.id, property) });
    const options = {
        label: property.name, id: `value-${property.name}`, value: typedText(value), severity: problemsOf(object, property.name).length ? "error" : null,
        placeholder: value === null ? "No value" : "", commit: (text) => set(app, object, property, typedValue(text, property)),
    };
    return h("div.value-editor", { key: `${object.id} ${property.name}` }, field(app, object, property, options),
        value !== null && !(property.type === "boolean") && iconButton({ title: `No value for ${property.name}`, icon: icon("close"), action: () => set(app, object, property, null) }));
}

function field(app, object, property, options) {
    const lines = linesOf(options.value).length;
    if (lines > 1 || options.value.length > 60) return textArea({ ...options, rows: Math.min(8, Math.max(3, lines)) });
    if (property.type !== "boolean") return textField(options);
    return selectField({ ...options, choices: [["", "–"], ["true", "true"], ["false", "false"]], commit: (choice) => set(app, object, property, choice || null) });
}

/** @returns {Promise<boolean>} False where the value is refused: the field takes the old one back. */
async function set(app, object, property, value) {
    return await act(app, { kind: "set", object: object.id, key: property.name, value }) !== null;
}

function destination(app, object, property) {
    return h("div.value-actions", null,
        button({ title: "Choose…", class: "small", label: `Choose ${property.name}`, action: () => chooseDestination(app, object.id, property) }),
        property.value && iconButton({ title: `No value for ${property.name}`, icon: icon("close"), action: () => act(app, { kind: "relate", object: object.id, key: property.name, to: null }) }));
}

function file(app, object, property) {
    const input = h("input", {
        type: "file", class: "unseen", tabindex: "-1", "aria-label": `File for ${property.name}`, id: `file-${property.name}`,
        onchange: (event) => { if (event.target.files[0]) setFile(app, object.id, property.name, event.target.files[0]); event.target.value = ""; },
    });
    return h("div.value-actions.drop-zone", {
        key: "file", ondragover: (event) => { event.preventDefault(); event.currentTarget.dataset.over = "true"; },
        ondragleave: (event) => { delete event.currentTarget.dataset.over; },
        ondrop: (event) => {
            event.preventDefault();
            delete event.currentTarget.dataset.over;
            const [dropped] = event.dataTransfer.files;
            if (dropped) setFile(app, object.id, property.name, dropped);
        },
    }, input, button({ title: "Choose File…", class: "small", label: `Choose a file for ${property.name}`, action: () => document.getElementById(`file-${property.name}`).click() }),
    property.value && iconButton({ title: `No value for ${property.name}`, icon: icon("close"), action: () => set(app, object, property, null) }),
    h("span.quiet", null, "or drop one here"));
}

/** Sets an attribute to the bytes of a file. */
async function setFile({ data, toasts }, object, key, dropped) {
    try {
        await data.edits.setData(object, key, dropped);
    } catch (error) {
        toasts.show(error.message, { isError: true });
    }
}
