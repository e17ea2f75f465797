import { send } from "./api.js";

/** A dialog that adds an object, or changes one. Errors stand at the fields that they are about. */
export class Editor {
    /**
     * @param {HTMLDialogElement} dialog
     * @param {string} name The resource.
     * @param {string} word One object, in a title.
     */
    constructor(dialog, name, word) {
        this.dialog = dialog;
        this.name = name;
        this.word = word;
        this.form = dialog.querySelector("form");
        this.fields = [...this.form.querySelectorAll("[name]")];
        this.alert = dialog.querySelector(".alert");
        this.current = dialog.querySelector("[data-action=current]");
        this.form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.save();
        });
        dialog.querySelector("[data-action=cancel]").addEventListener("click", () => dialog.close());
        this.current.addEventListener("click", () => this.loadCurrent());
    }

    /** @param {object | null} item The object to change; null for a new one with `values`. */
    open(item, values = {}) {
        this.item = item;
        this.clearErrors();
        this.fill(item ?? values);
        this.dialog.querySelector("h2").textContent = item ? `Edit ${this.word}` : `Add ${this.word}`;
        this.dialog.showModal();
        this.fields[0].focus();
    }

    fill(item) {
        this.shown = {};
        for (const field of this.fields) {
            const value = item[field.name];
            field.value = value === null || value === undefined ? "" : String(value.id ?? value);
            this.shown[field.name] = field.value;
        }
    }

    /** What the fields hold. Of an object that is there, only what was changed. */
    values() {
        const values = {};
        for (const field of this.fields) {
            if (this.item && field.value === this.shown[field.name]) continue;
            const text = field.value.trim();
            const isNumber = field.dataset.kind === "number" && text !== "" && Number.isFinite(Number(text));
            values[field.name] = text === "" ? null : isNumber ? Number(text) : text;
        }
        return values;
    }

    async save() {
        // A second Return while the first one is on its way would make a second object.
        if (this.isSaving) return;
        this.isSaving = true;
        this.clearErrors();
        try {
            const body = this.values();
            if (this.item) {
                await send("PATCH", `/${this.name}/${this.item.id}`, { body, version: this.item.version });
            } else {
                await send("POST", `/${this.name}`, { body });
            }
            this.dialog.close();
        } catch (problem) {
            this.show(problem);
        } finally {
            this.isSaving = false;
        }
    }

    show(problem) {
        const others = [];
        for (const error of problem.errors ?? []) {
            const field = this.fields.find((field) => field.name === error.property);
            if (field && !error.href) this.mark(field, error.detail);
            else others.push(error.detail);
        }
        const text = [problem.message, ...others].join(" ");
        this.alert.textContent = text;
        this.alert.hidden = false;
        this.current.hidden = problem.status !== 412;
        this.form.querySelector("[aria-invalid=true]")?.focus();
    }

    mark(field, text) {
        const flaw = document.createElement("p");
        flaw.className = "flaw";
        flaw.id = `${field.id}-flaw`;
        flaw.textContent = text;
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", flaw.id);
        field.after(flaw);
    }

    clearErrors() {
        this.alert.hidden = true;
        this.current.hidden = true;
        for (const flaw of this.form.querySelectorAll(".flaw")) flaw.remove();
        for (const field of this.fields) {
            field.removeAttribute("aria-invalid");
            field.removeAttribute("aria-describedby");
        }
    }

    /** Another client changed the object: shows it as it is now. */
    async loadCurrent() {
        try {
            const item = await send("GET", `/${this.name}/${this.item.id}`);
            this.clearErrors();
            this.item = item;
            this.fill(item);
        } catch (problem) {
            this.show(problem);
        }
    }
}

/** A dialog that asks before an object is deleted. */
export class Deletion {
    constructor(dialog) {
        this.dialog = dialog;
        this.alert = dialog.querySelector(".alert");
        dialog.querySelector("form").addEventListener("submit", (event) => {
            event.preventDefault();
            this.run();
        });
        dialog.querySelector("[data-action=cancel]").addEventListener("click", () => dialog.close());
    }

    open(name, item, title) {
        Object.assign(this, { name, item });
        this.alert.hidden = true;
        this.dialog.querySelector("h2").textContent = `Delete ${title}?`;
        this.dialog.showModal();
        this.dialog.querySelector("[data-action=cancel]").focus();
    }

    async run() {
        try {
            await send("DELETE", `/${this.name}/${this.item.id}`, { version: this.item.version });
            this.dialog.close();
        } catch (problem) {
            this.alert.textContent = [problem.message, ...(problem.errors ?? []).map((error) => error.detail)].join(" ");
            this.alert.hidden = false;
        }
    }
}
