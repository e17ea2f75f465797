import { send } from "../../net/api.js";
import { showDialog } from "../../ui/dialogs.js";
import { checkField, selectField } from "../../ui/fields.js";
import { modelText, sentence, visible } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { grouped } from "../cells.js";

/** Has the person choose a file, and imports it into the entity that is shown. */
export function chooseImport(app) {
    const input = document.createElement("input");
    Object.assign(input, { type: "file", accept: ".csv,.json,.jsonl", id: "import-file", className: "unseen" });
    input.setAttribute("aria-label", "File to import");
    input.addEventListener("change", () => {
        input.remove();
        if (input.files[0]) importFile(app, input.files[0]);
    });
    document.getElementById("import-file")?.remove();
    document.body.append(input);
    input.click();
}

/** Shows what is in a file, asks what its columns are for, and makes objects of its records. */
export async function importFile(app, file) {
    const { data, toasts } = app;
    try {
        const preview = await send("store/import-file", { name: file.name }, file);
        await new ImportDialog(app, file.name, preview).show();
    } catch (error) {
        toasts.show(error.message, { isError: true });
    }
    data.changed();
}

class ImportDialog {
    report = null;
    skipsErrors = false;
    key = "";
    isBusy = false;
    read = 0;
    error = "";

    constructor(app, name, preview) {
        Object.assign(this, { app, name, preview });
        this.entities = app.data.entitiesBelow(app.data.place.entity ?? app.data.entities[0].name).filter((each) => !app.data.entity(each).isAbstract);
        [this.entity] = this.entities;
        this.#guess();
    }

    async show() {
        const { edits } = this.app.data;
        const listen = ({ detail }) => { this.read = detail; this.redraw?.(); };
        edits.addEventListener("progress", listen);
        await showDialog({
            title: `Import ${this.name}`, class: "wide import",
            body: (redraw) => { this.redraw = redraw; return this.#body(); },
            actions: [
                { title: "Cancel", value: null },
                { title: "Import", value: () => this.#carryOut(false), isDefault: true, isEnabled: () => this.#canImport },
            ],
        });
        edits.removeEventListener("progress", listen);
    }

    /** What can be imported into, as choices: attributes, and to-ones by an attribute of what they lead to. */
    get #targets() {
        const { data } = this.app;
        return data.entity(this.entity).properties.flatMap((property) => {
            if (property.kind === "attribute") return property.isDerived ? [] : [[property.name, property.name]];
            if (property.kind !== "toOne") return [];
            const keys = data.entity(property.destination).properties.filter((each) => each.kind === "attribute" && !each.name.includes("."));
            return keys.map(({ name }) => [`${property.name}.${name}`, `${property.name} by ${name}`]);
        });
    }

    /** A column is for the property of its name, however it is spelled. */
    #guess() {
        const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, "");
        const targets = this.#targets.map(([path]) => path);
        this.columns = Object.fromEntries(this.preview.columns.map(({ title }) => [title, targets.find((path) => plain(path) === plain(title))
            ?? targets.find((path) => plain(path).replace(".", "") === plain(title)) ?? this.#titleTarget(plain(title), targets) ?? ""]));
        [this.report, this.key] = [null, ""];
    }

    /** A column that is called as a to-one names its destination by the title. */
    #titleTarget(title, targets) {
        const { data } = this.app;
        const relationship = data.entity(this.entity).properties.find((each) => each.kind === "toOne" && each.name.toLowerCase() === title);
        const [key] = relationship ? data.titleKeys(relationship.destination) : [];
        return targets.find((path) => path === `${relationship?.name}.${key}`);
    }

    get #canImport() {
        const isUsed = Object.values(this.columns).some(Boolean);
        return isUsed && !this.isBusy && !this.preview.isTooLong && (!this.report?.failed || this.skipsErrors);
    }

    #change(changes) {
        Object.assign(this, changes);
        this.report = null;
        this.redraw();
    }

    #body() {
        const { preview, entities, report } = this;
        return [
            h("p", { key: "count" }, sentence(`${preview.isTooLong ? "More than 100,000" : grouped(preview.count)} ${preview.count === 1 ? "record" : "records"}.${preview.isTooLong ? " The command `coredata import` takes that many." : ""}`)),
            entities.length > 1 && h("label.dialog-field", { key: "entity" }, h("span", null, "Entity"), selectField({
                label: "Entity", value: this.entity, choices: entities.map((name) => [name, name]), commit: (entity) => { this.entity = entity; this.#guess(); this.redraw(); },
            })),
            h("div.table-scroll", { key: "columns" }, this.#table()),
            h("label.dialog-field", { key: "key" }, h("span", null, "Key"), selectField({
                label: "Column that tells which objects are there already", id: "import-key", value: this.key,
                choices: [["", "Every record is a new object"], ...preview.columns.filter(({ title }) => this.columns[title] && !this.columns[title].includes(".")).map(({ title }) => [title, `Change objects with the same ${this.columns[title]}`])],
                commit: (key) => this.#change({ key }),
            })),
            checkField({ label: "Pass over records with errors", value: this.skipsErrors, id: "import-skips", commit: (skipsErrors) => { this.skipsErrors = skipsErrors; this.redraw(); } }),
            h("div.panel-tools", { key: "check" }, h("button.button", { type: "button", id: "import-check", onclick: () => this.#carryOut(true) }, "Check"),
                h("span", { role: "status", id: "import-words" }, sentence(this.#words()))),
            report?.errors.length > 0 && h("ol.import-errors", { key: "errors", tabindex: "0", "aria-label": "Errors" }, report.errors.map((each, index) => h("li", { key: index }, sentence(`Line ${each.line}, ${each.column}: ${each.message}`)))),
            this.error && h("p.field-error", { key: "error", role: "alert" }, sentence(this.error)),
        ];
    }

    #table() {
        return h("table", null, h("thead", null, h("tr", null, ["Column", "First values", "Seems to be", "Goes to"].map((text) => h("th", { scope: "col" }, text)))),
            h("tbody", null, this.preview.columns.map(({ title, samples, type }) => h("tr", { key: title },
                h("th", { scope: "row" }, modelText(title)), h("td.quiet", null, visible(samples.filter((text) => text !== null).slice(0, 3).join(", "))), h("td", null, type),
                h("td", null, selectField({
                    label: `What ${title} is for`, value: this.columns[title], choices: [["", "Left out"], ...this.#targets],
                    commit: (path) => this.#change({ columns: { ...this.columns, [title]: path } }),
                }))))));
    }

    #words() {
        if (this.isBusy) return this.read ? `${grouped(this.read)} records read` : "Reading…";
        if (!this.report) return "";
        const { created, updated, failed } = this.report;
        const parts = [`${grouped(created)} new`, updated ? `${grouped(updated)} changed` : null, failed ? `${grouped(failed)} with errors` : null].filter(Boolean);
        return `${parts.join(", ")}.`;
    }

    /** Reads the file with the plan; a trial changes nothing. */
    async #carryOut(isTrial) {
        if (this.isBusy) return;
        const { data, toasts } = this.app;
        [this.isBusy, this.error, this.read] = [true, "", 0];
        this.redraw();
        try {
            const { report } = await data.edits.importFile({
                entity: this.entity, columns: this.columns, key: this.key || null, skipsErrors: this.skipsErrors, isTrial,
            });
            this.report = report;
            if (!isTrial) toasts.show(report.failed && !this.skipsErrors ? `Nothing is imported: ${grouped(report.failed)} records have errors.` : this.#wordsOf(report), { isError: report.failed > 0 && !this.skipsErrors });
        } catch (error) {
            this.error = error.message;
            if (!isTrial) toasts.show(error.message, { isError: true });
        }
        this.isBusy = false;
        this.redraw();
    }

    #wordsOf({ created, updated }) {
        return `${grouped(created)} new and ${grouped(updated)} changed objects. They are not saved yet.`;
    }
}
