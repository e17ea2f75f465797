import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { checkField, iconButton, numberField, selectField, textArea, textField } from "../ui/fields.js";
import { field } from "./binding.js";

/** The rows that inspectors are made of. Each ties one field of a record to a labelled field on the page. */

/** A label with what belongs to it. */
export function row(label, content, { key = label, help = null } = {}) {
    return h(
        "div.row", { key, title: help }, h("span.row-label", { "aria-hidden": "true" }, label),
        h("div.row-content", null, content)
    );
}

export function textRow(app, record, name, label, { placeholder, isArea = false, rename = false, list, help } = {}) {
    const binding = field(app, record, name, label);
    const commit = rename ? (text) => app.editing.rename(record.id, text) : (text) => binding.commit(text === "" ? null : text);
    return row(
        label,
        isArea ? textArea({ ...binding, commit, placeholder }) : textField({ ...binding, commit, placeholder, list }),
        { help }
    );
}

export function numberRow(app, record, name, label, { placeholder = "", help } = {}) {
    return row(label, numberField({ ...field(app, record, name, label), placeholder }), { help });
}

export function selectRow(app, record, name, label, choices, { placeholder, help } = {}) {
    return row(label, selectField({ ...field(app, record, name, label), choices, placeholder }), { help });
}

/** `otherwise` is what holds where the model does not say. */
export function checkRow(app, record, name, label, { help, otherwise = false } = {}) {
    const binding = field(app, record, name, label);
    return h(
        "div.row.check-row", { key: label, title: help }, checkField({ ...binding, value: binding.value ?? otherwise })
    );
}

/** Keys and values of one's own. */
export function userInfoGroup(app, record) {
    const entries = app.store.list(record.userInfo);
    return {
        title: "User Info", rows: [
            entries.length > 0 && h("div.pairs", { key: "pairs" }, entries.map((entry) => h("div.pair", { key: entry.id },
                textField({ ...field(app, entry, "key", `Key ${entry.key}`) }), textField({ ...field(
                    app, entry, "value", `Value of ${entry.key}`
                ) }),
                iconButton({
                    title: `Delete key ${entry.key}`, icon: icon("remove"),
                    action: () => app.store.perform([{ kind: "delete", elements: [entry.id] }])
                })))),
            addButton("Add Key", async () => {
                const update = await app.store.perform([{ kind: "addUserInfo", owner: record.id }]);
                if (update?.created?.[0]) app.workspace.set({ wantedFocus: {
                    element: update.created[0], field: "key"
                } });
            }),
        ],
    };
}

/** What versions are told apart and matched by. */
export function versioningGroup(app, record) {
    return {
        title: "Versioning", rows: [
            textRow(
                app, record, "versionHashModifier", "Hash Modifier",
                { help: "Makes the version hash another one although nothing else changed" }
            ),
            textRow(
                app, record, "renamingIdentifier", "Renaming ID",
                { help: "The name that the older version of the model has for this" }
            ),
        ],
    };
}

export function addButton(title, action) {
    return h("button.add-row", { type: "button", key: `add ${title}`, onclick: action }, icon("add"), title);
}

/** The elements of an entity's list as choices, with a none. */
export function choicesOf(records, none = "None") {
    return [[null, none], ...records.map(({ id, name }) => [id, name])];
}
