import { get } from "../net/api.js";
import { drawSteadily } from "../ui/drawing.js";
import { icon } from "../ui/icons.js";
import { modelText, plainText, sentence } from "../ui/text.js";
import { h, mount } from "../ui/view.js";
import { documents } from "./documents.js";
import { newModelDialog } from "./newModelDialog.js";
import { recentList, readRecent } from "./recent.js";

const pictures = { folder: "folder", model: "table", mapping: "compare", store: "data" };
/** How many entries of a folder are listed. */
const most = 200;

/** Asks what to open: by a path that completes itself, or from what was opened last. */
export async function openDialog(app, start = "") {
    if (document.querySelector("dialog[open]")) return;
    const dialog = document.createElement("dialog");
    dialog.className = "dialog medium open-dialog";
    dialog.setAttribute("aria-label", "Open");
    document.body.append(dialog);
    const view = new OpenView(app, dialog, start);
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); view.close(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) view.close(); });
    view.drawNow();
    dialog.showModal();
    dialog.querySelector("input")?.focus();
    await Promise.all([view.list(), view.readRecent()]);
}

/** What the dialog shows: the text, the folder it leads into, and which entry is chosen. */
class OpenView {
    folder = { path: "", parent: null, entries: [], isCut: false };
    recent = [];
    error = "";
    active = -1;
    edits = documents.editsStores;
    showsHidden = false;
    isBusy = false;
    #turn = 0;

    constructor(app, dialog, text) {
        [this.app, this.dialog, this.text] = [app, dialog, text];
    }

    close() {
        this.dialog.close();
        this.dialog.remove();
    }

    get isDatabase() {
        return /^postgres(ql)?:\/\//u.test(this.text.trim());
    }

    /** The folder of the text, and the beginning of the name in it. */
    get parts() {
        const at = this.text.lastIndexOf("/") + 1;
        return { folder: this.text.slice(0, at), name: this.text.slice(at) };
    }

    get found() {
        const name = this.parts.name.toLowerCase();
        return this.isDatabase ? [] : this.folder.entries.filter((entry) => entry.name.toLowerCase().startsWith(name)).slice(0, most);
    }

    /** Reads the folder that the text leads into. */
    async list() {
        if (this.isDatabase) return this.draw();
        const turn = ++this.#turn;
        const { folder, name } = this.parts;
        try {
            const answer = await get("documents/folder", { path: folder, name, hidden: String(this.showsHidden || name.startsWith(".")) });
            if (turn !== this.#turn) return;
            [this.folder, this.error] = [answer, ""];
        } catch (error) {
            if (turn !== this.#turn) return;
            [this.folder, this.error] = [{ path: folder, parent: null, entries: [], isCut: false }, error.message];
        }
        this.draw();
    }

    async readRecent() {
        this.recent = await readRecent();
        this.draw();
    }

    type(text) {
        [this.text, this.active, this.error] = [text, -1, ""];
        this.draw();
        this.list();
    }

    /** Goes into a folder, or opens a document. */
    choose(entry) {
        const path = `${this.base}${entry.name}`;
        if (entry.kind === "folder") this.type(`${path}/`);
        else this.open(path);
    }

    /** The folder as it stands before a name. */
    get base() {
        const { folder } = this.parts;
        return folder || (this.folder.path === "/" ? "/" : `${this.folder.path}/`);
    }

    async open(path = this.text) {
        if (!path.trim() || this.isBusy) return;
        this.isBusy = true;
        this.draw();
        try {
            await documents.open({ path, ...(documents.editsStores && !this.edits ? { edit: false } : {}) });
            this.close();
        } catch (error) {
            this.error = error.message;
            this.isBusy = false;
            this.draw();
            this.dialog.querySelector("input")?.focus();
        }
    }

    submit() {
        const entry = this.found[this.active] ?? (this.found.length === 1 && this.parts.name ? this.found[0] : null);
        const exact = this.found.find(({ name }) => name === this.parts.name);
        if (this.active < 0 && exact && exact.kind !== "folder") return this.open();
        if (entry) return this.choose(entry);
        return this.open();
    }

    press(event) {
        const count = this.found.length;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step && count) this.active = this.active < 0 ? (step > 0 ? 0 : count - 1) : (this.active + step + count) % count;
        else if (event.key === "Tab" && !event.shiftKey && this.parts.name && this.complete()) { /* completed */ }
        else return;
        event.preventDefault();
        this.draw();
        this.dialog.querySelector("[role=option][aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    }

    /** Completes what is typed, as far as there is one way only. */
    complete() {
        const { found, parts } = this;
        const chosen = this.found[this.active];
        const names = chosen ? [chosen] : found;
        if (names.length === 0) return false;
        let common = names[0].name;
        for (const { name } of names) while (!name.startsWith(common)) common = common.slice(0, -1);
        const isFolder = names.length === 1 && names[0].kind === "folder";
        if (common === parts.name && !isFolder) return false;
        if (common.length < parts.name.length) return false;
        this.type(`${this.base}${common}${isFolder ? "/" : ""}`);
        return true;
    }

    draw = () => drawSteadily(this.drawNow);

    drawNow = () => {
        const { found } = this;
        this.active = Math.min(this.active, found.length - 1);
        mount(this.dialog, h("form.dialog-form", { onsubmit: (event) => { event.preventDefault(); this.submit(); } },
            h("h2", null, "Open"),
            h("div.open-path", null, h("input.field", {
                type: "text", id: "open-path", role: "combobox", "aria-expanded": "true", "aria-controls": "open-list", "aria-autocomplete": "list",
                "aria-label": "Path, or URL of a database", "aria-describedby": this.error ? "open-error" : null, "aria-invalid": this.error ? "true" : null,
                "aria-activedescendant": this.active >= 0 ? `open-entry-${this.active}` : null, placeholder: "Path, or postgresql://…",
                value: this.text, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
                oninput: (event) => this.type(event.target.value), onkeydown: (event) => this.press(event),
            })),
            this.error && h("p.field-error", { id: "open-error", role: "alert", key: "error" }, sentence(this.error)),
            h("div.open-columns", null, this.#folderView(found), this.#recentView()),
            h("div.open-options", null,
                h("label.checkline", null, h("input.check", {
                    type: "checkbox", id: "open-hidden", checked: this.showsHidden, onchange: (event) => { this.showsHidden = event.target.checked; this.list(); },
                }), "Hidden files"),
                documents.editsStores && h("label.checkline", { key: "edit" }, h("input.check", {
                    type: "checkbox", id: "open-edit", checked: this.edits, onchange: (event) => { this.edits = event.target.checked; },
                }), "Open stores to change them")),
            h("div.dialog-actions", null,
                h("button.button", { type: "button", id: "open-new", onclick: () => { this.close(); newModelDialog(this.app); } }, "New Model…"), h("div.spacer"),
                h("button.button", { type: "button", onclick: () => this.close() }, "Cancel"),
                h("button.button.primary", { type: "submit", disabled: this.isBusy || (!this.text.trim() && this.active < 0) }, "Open"))));
    };

    #folderView(found) {
        return h("section.open-folder", { key: "folder", "aria-label": "Folder" },
            h("header.open-head", null, h("h3", { title: plainText(this.folder.path) }, modelText(this.folder.path || "Folder")),
                this.folder.parent && h("button.link", { type: "button", id: "open-parent", key: "parent", onclick: () => this.type(this.folder.parent === "/" ? "/" : `${this.folder.parent}/`) }, "Enclosing folder")),
            h("ul.open-list", { id: "open-list", role: "listbox", "aria-label": "Folders and documents" }, found.map((entry, index) => h("li", {
                key: `${entry.kind} ${entry.name}`, id: `open-entry-${index}`, role: "option", "aria-selected": String(index === this.active), "data-name": entry.name,
                onclick: () => this.choose(entry),
            }, icon(pictures[entry.kind] ?? "file"), h("span.item-name", null, modelText(entry.name))))),
            found.length === 0 && !this.error && h("p.empty", { role: "status", key: "empty" }, this.isDatabase ? "Open connects to this database." : "No folder and no document of that name."),
            this.folder.isCut && h("p.empty", { key: "cut" }, "There are more. Type the beginning of a name."));
    }

    #recentView() {
        return h("section.open-recent", { key: "recent", "aria-label": "Recent documents" }, h("header.open-head", null, h("h3", null, "Recent")),
            recentList(this.recent, { open: (path) => this.open(path), changed: () => this.readRecent() }));
    }
}
