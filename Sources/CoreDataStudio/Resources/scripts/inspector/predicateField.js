import { h, isEdited, revert } from "../ui/view.js";
import { post } from "../net/api.js";
import { sentence } from "../ui/text.js";
import { severityOf } from "./binding.js";

/**
 * Fields for predicates and expressions: checked against the model while one types, in the parser's own words, with a
 * list of what can come next. Down and Up choose, Return or Tab takes, Escape closes.
 *
 * What is being typed is kept by element and field.
 * @type {Map<string, any>}
 */
const drafts = new Map();
let serial = 0;

/**
 * @param {any} app @param {any} record @param {string} name
 * @param {{label: string, use: string, entity: string|null, source?: string|null, rows?: number, placeholder?: string, place?: string,
 *   ask?: (text: string, cursor: number) => Promise<any>}} options
 * `place` tells apart fields for the same in several places of the window; `ask` checks a text that is not of a model.
 */
export function predicateField(app, record, name, options) {
    const key = `${options.place ?? "editor"}-${record.id}-${name}`;
    const draft = drafts.get(key);
    const listID = `completions-${key}`;
    const isOpen = Boolean(draft?.isOpen && draft.completions.length);
    const error = draft?.error ?? null;
    return h("div.predicate", { key }, h("textarea.field.code", {
        rows: options.rows ?? 1, value: record[name] ?? "", spellcheck: "false", autocomplete: "off",
        "aria-label": options.label, "data-element": record.id, "data-field": name, placeholder: options.placeholder ?? "",
        role: "combobox", "aria-expanded": String(isOpen), "aria-controls": listID, "aria-autocomplete": "list",
        "aria-activedescendant": isOpen ? `${listID}-${draft.active}` : null,
        "aria-busy": draft?.checked ? "true" : null,
        "aria-invalid": error || severityOf(app.store, record.id, name) === "error" ? "true" : null,
        "aria-describedby": error ? `${listID}-error` : null,
        oninput: (event) => check(app, key, event.target, record, options),
        onclick: (event) => draft && check(app, key, event.target, record, options),
        onkeydown: (event) => press(app, event, key, record, name, options),
        onblur: (event) => leave(app, key, event.target, record, name),
    }),
    h("div.predicate-advice", {
        key: "advice", class: isOpen ? "floating" : ""
    }, isOpen && completionList(app, key, draft, listID),
        error && h(
            "p.field-error", { id: `${listID}-error`, role: "status", key: "error" },
            sentence(error.column ? `${capitalized(error.message)} (column ${error.column}).` : error.message)
        ),
        draft?.warnings?.map((warning) => h(
            "p.field-warning", { role: "status", key: warning }, sentence(capitalized(warning))
        ))));
}

function capitalized(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

function completionList(app, key, draft, listID) {
    return h("ul.completions", { id: listID, role: "listbox", "aria-label": "Completions" },
        draft.completions.map((completion, index) => h("li", {
            key: `${completion.kind} ${completion.text}`, id: `${listID}-${index}`, role: "option", "aria-selected": String(index === draft.active),
            onpointerdown: (event) => {
                event.preventDefault();
                const area = event.currentTarget.closest(".predicate").querySelector("textarea");
                take(app, key, area, { pressed: completion });
            },
        }, h("span.completion-text", null, completion.text), h(
            "span.completion-detail", null, completion.detail ?? completion.kind
        ))));
}

/** Checks what is typed as soon as typing pauses; until then, what was found before is shown. */
function check(app, key, area, record, options) {
    const turn = ++serial;
    const old = drafts.get(key) ?? { completions: [], active: 0, isOpen: false, error: null, warnings: [] };
    drafts.set(key, { ...old, turn, record, options, checked: find(app, key, area, turn, record, options) });
    app.workspace.changed();
}

async function find(app, key, area, turn, record, options) {
    const isOver = () => drafts.get(key)?.turn !== turn;
    await new Promise((resolve) => setTimeout(resolve, 120));
    if (isOver()) return;
    const text = area.value;
    const asked = options.ask?.(text, area.selectionStart) ?? post("predicate", {
        text, cursor: area.selectionStart, use: options.use, entity: options.entity, source: options.source ?? undefined,
    });
    const answer = await asked.catch(() => null);
    if (isOver()) return;
    const isEmpty = text.trim() === "";
    // Completions of another text would be put in the wrong place.
    drafts.set(key, answer ? {
        turn, record, options, error: isEmpty ? null : answer.error, warnings: answer.warnings ?? [], replaces: answer.replaces,
        completions: (answer.completions ?? []).slice(0, 40), active: 0, isOpen: document.activeElement === area, checked: null,
    } : { ...drafts.get(key), completions: [], isOpen: false, checked: null });
    app.workspace.changed();
}

function accept(app, key, area, index) {
    const draft = drafts.get(key);
    const completion = draft?.completions[index];
    if (!completion) return;
    const { from, to } = draft.replaces ?? { from: area.selectionStart, to: area.selectionStart };
    area.setRangeText(completion.text, from, to, "end");
    drafts.set(key, { ...draft, isOpen: false });
    if (completion.kind !== "variable") area.setRangeText(" ", area.selectionStart, area.selectionStart, "end");
    check(app, key, area, draft.record, draft.options);
}

function press(app, event, key, record, name, options) {
    const draft = drafts.get(key);
    const isOpen = draft?.isOpen && draft.completions.length;
    const step = (distance) => {
        const count = draft.completions.length;
        drafts.set(key, { ...draft, active: (draft.active + distance + count) % count });
        app.workspace.changed();
        document.getElementById(`completions-${key}-${drafts.get(key).active}`)?.scrollIntoView({ block: "nearest" });
    };
    if (event.key === " " && event.ctrlKey) check(app, key, event.target, record, options);
    else if (isOpen && event.key === "ArrowDown") step(1);
    else if (isOpen && event.key === "ArrowUp") step(-1);
    else if (isOpen && event.key === "Tab" && !event.shiftKey) take(app, key, event.target);
    else if (event.key === "Enter" && !event.shiftKey) take(app, key, event.target, { leaves: () => leave(app, key, event.target, record, name) });
    else if (event.key === "Escape" && (isOpen || isEdited(event.target))) {
        if (isOpen) drafts.set(key, { ...draft, isOpen: false });
        else { revert(event.target); drafts.delete(key); }
        app.workspace.changed();
    } else return;
    event.preventDefault();
    event.stopPropagation();
}

/**
 * Takes a completion: the one that was pressed, or the active one. Return takes one where a predicate is only begun, and
 * leaves one that is complete. Where completions are shown, the answer to the last letters is waited for: they may be others.
 *
 * @param {{pressed?: any, leaves?: () => void}} [options] `leaves` is Return's.
 */
async function take(app, key, area, { pressed, leaves } = {}) {
    let draft = drafts.get(key);
    if (draft?.checked && draft.isOpen && draft.completions.length) {
        const { turn } = draft;
        await draft.checked;
        draft = drafts.get(key);
        if (draft?.turn !== turn) return;
    }
    const isOpen = draft?.isOpen && draft.completions.length;
    if (leaves && !(isOpen && draft.error)) return leaves();
    if (!isOpen) return;
    accept(app, key, area, pressed ? draft.completions.findIndex(({ kind, text }) => kind === pressed.kind && text === pressed.text) : draft.active);
}

async function leave(app, key, area, record, name) {
    const text = area.value;
    const draft = drafts.get(key);
    if (draft) drafts.set(key, { ...draft, turn: ++serial, isOpen: false, checked: null });
    if (text !== (record[name] ?? "") && text !== (app.store.record(record.id)?.[name] ?? "")) {
        await app.editing.set(record.id, { [name]: text.trim() === "" ? null : text });
    }
    if (document.activeElement !== area) drafts.delete(key);
    app.workspace.changed();
}
