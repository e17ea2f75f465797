import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { button } from "../ui/fields.js";
import { get, post } from "../net/api.js";
import { showDialog } from "../ui/dialogs.js";
import { checkField, textField } from "../ui/fields.js";
import { container } from "../model/queries.js";
import { highlighted, highlightedXML } from "./highlight.js";
import { copyButton } from "./snippet.js";

/** What the server said last, and for which revision. */
const shown = { key: "", files: [], problems: [], file: 0, text: "", diff: "", showsDiff: false };

/** The class of the entity that is edited, as the generator writes it. */
export function codePanel(app) {
    const entity = container(app.store, app.workspace.edited?.id);
    if (entity?.kind !== "entity") return h("p.empty", { key: "code" }, "Choose an entity to see its class.");
    load(app, `code ${entity.id} ${app.store.revision}`, "code", { entity: entity.id });
    const file = shown.files[Math.min(shown.file, shown.files.length - 1)];
    return h("div.panel-body.code-panel", { key: "code" },
        h("div.panel-tools", null,
            shown.files.length > 1 && h("div.segments", {
                role: "group", "aria-label": "File"
            }, shown.files.map((other, index) => h("button.segment", {
                type: "button", key: other.name, "aria-pressed": String(other === file), onclick: () => { shown.file = index; app.workspace.changed(); },
            }, other.name))),
            shown.files.length === 1 && h("span.file-name", null, file.name),
            h("div.spacer"), file && copyButton(app, file.text),
            button({
                title: "Generate into Folder…", icon: icon("file"), class: "small", action: () => generate(app)
            })),
        shown.problems.map((problem) => h("p.field-error", { key: problem }, problem)),
        file && h(
            "pre.code-view", { tabindex: "0", "aria-label": `Code of ${entity.name}`, id: "generated-code" },
            highlighted(file.text)
        ));
}

/** The document as saving would write it. */
export function sourcePanel(app) {
    load(
        app, `source ${app.store.version} ${app.store.revision} ${app.store.isDirty}`, "source",
        { version: app.store.version }
    );
    const text = shown.showsDiff ? shown.diff || "Nothing has changed since the last save." : shown.text;
    return h("div.panel-body.code-panel", { key: "source" },
        h("div.panel-tools", null, h("div.segments", { role: "group", "aria-label": "What is shown" },
            ["Document", "Changes"].map((title, index) => h("button.segment", {
                type: "button", key: title, "aria-pressed": String(shown.showsDiff === (index === 1)), onclick: () => { shown.showsDiff = index === 1; app.workspace.changed(); },
            }, title))), h("div.spacer"), copyButton(app, text)),
        h(
            "pre.code-view", { tabindex: "0", "aria-label": "Text of the document", id: "document-source" },
            shown.showsDiff ? diffLines(text) : highlightedXML(text)
        ));
}

function diffLines(text) {
    return text.split("\n").map((line, index) => h(
        "span",
        {
            key: index,
            class: line.startsWith("+") ? "diff-added" : line.startsWith("-") ? "diff-removed" : line.startsWith("@") ? "diff-place" : ""
        },
        `${line}\n`
    ));
}

async function load(app, key, path, query) {
    if (shown.key === key) return;
    shown.key = key;
    const answer = await get(path, query).catch((error) => ({
        files: [], problems: [error.message], text: error.message, diff: ""
    }));
    if (shown.key !== key) return;
    Object.assign(shown, { files: [], problems: [], ...answer });
    app.workspace.changed();
}

/** Asks for a folder, and writes the classes of all entities there. */
export async function generate(app) {
    const values = { folder: "Generated", module: app.store.document.name, includesManual: false };
    const answer = await showDialog({
        title: "Generate Classes", body: () => [
            h(
                "p", null,
                `Into a folder below ${app.store.document.folder}. Files that were not generated from this model are never touched.`
            ),
            h(
                "label.dialog-field", null, h("span", null, "Folder"),
                textField({ label: "Folder", value: values.folder, commit: (text) => { values.folder = text; } })
            ),
            h(
                "label.dialog-field", null, h("span", null, "Module"),
                textField({ label: "Module", value: values.module, commit: (text) => { values.module = text; } })
            ),
            checkField({
                label: "Manual/None entities too", value: values.includesManual,
                commit: (value) => { values.includesManual = value; }
            }),
        ],
        actions: [
            { title: "Cancel", value: null }, { title: "Generate", value: () => ({ ...values }), isDefault: true }
        ],
    });
    if (!answer) return;
    try {
        const { folder, written, removed, unchanged } = await post(
            "generate", { ...answer, version: app.store.version }
        );
        app.toasts.show(`${folder}: ${written.length} written, ${removed.length} removed, ${unchanged.length} unchanged.`);
    } catch (error) {
        app.toasts.show(error.message, { isError: true });
    }
}
