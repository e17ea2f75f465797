import { post } from "../net/api.js";
import { button, iconButton, textField } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { openMenu } from "../ui/menus.js";
import { showDialog } from "../ui/dialogs.js";
import { sentence } from "../ui/text.js";
import { h, isEdited, revert } from "../ui/view.js";
import { wordSearchButton } from "./wordSearch.js";

/** What is being typed, and what can be said of it. */
let draft = {
    turn: 0, completions: [], active: 0, isOpen: false, error: null, warnings: [], replaces: null,
    /** The check that is under way. @type {Promise<void>?} */
    checked: null,
};
const mostKept = 20;

/**
 * The filter: a predicate, checked while one types, with a list of what can come next. Down and Up choose, Tab takes,
 * Return filters, Escape gives up what was typed.
 */
export function filterBar(app) {
    const { data } = app;
    const isOpen = draft.isOpen && draft.completions.length > 0;
    return h("div.filter-bar", { key: "filter", role: "search", "aria-label": "Filter" },
        h("div.predicate.filter", null, icon("filter"), h("input.field.code", {
            id: "filter", type: "text", value: data.place.predicate, "aria-label": "Filter", placeholder: "Filter by a predicate, such as name BEGINSWITH[c] \"b\"",
            spellcheck: "false", autocomplete: "off", role: "combobox", "aria-expanded": String(isOpen), "aria-controls": "filter-completions",
            "aria-autocomplete": "list", "aria-activedescendant": isOpen ? `filter-completions-${draft.active}` : null,
            "aria-busy": draft.checked ? "true" : null, "aria-invalid": draft.error ? "true" : null, "aria-describedby": draft.error ? "filter-error" : null,
            oninput: (event) => check(app, event.target), onkeydown: (event) => press(app, event),
            onblur: () => close(app),
        }),
        h("div.predicate-advice.floating", { key: "advice" }, isOpen && completionList(app),
            draft.error && h("p.field-error", { id: "filter-error", role: "status" }, sentence(message(draft.error))),
            draft.warnings.map((warning) => h("p.field-warning", { role: "status", key: warning }, sentence(warning))))),
        data.place.predicate && iconButton({ title: "Remove the filter", icon: icon("close"), id: "filter-clear", action: () => { apply(app, ""); document.getElementById("filter")?.focus(); } }),
        wordSearchButton(app),
        iconButton({ title: "Filters of before", icon: icon("history"), id: "filter-history", "aria-haspopup": "menu", "aria-expanded": "false", action: (event) => openKept(app, event.currentTarget) }),
        button({ title: "Save Filter", icon: icon("star"), id: "filter-save", disabled: !data.place.predicate, action: () => save(app) }));
}

function message({ message: text, column }) {
    const first = text.charAt(0).toUpperCase() + text.slice(1);
    return column ? `${first} (column ${column}).` : first;
}

function completionList(app) {
    return h("ul.completions", { id: "filter-completions", role: "listbox", "aria-label": "Completions" }, draft.completions.map((completion, index) => h("li", {
        key: `${completion.kind} ${completion.text}`, id: `filter-completions-${index}`, role: "option", "aria-selected": String(index === draft.active),
        onpointerdown: (event) => { event.preventDefault(); take(app, document.getElementById("filter"), completion); },
    }, h("span.completion-text", null, completion.text), h("span.completion-detail", null, completion.detail || completion.kind))));
}

/** Checks what is typed as soon as typing pauses; until then, what was found before is shown. */
function check(app, field) {
    const turn = draft.turn + 1;
    draft = { ...draft, turn };
    draft.checked = find(app, field, turn);
    app.data.changed();
}

async function find(app, field, turn) {
    await new Promise((resolve) => { setTimeout(resolve, 120); });
    if (draft.turn !== turn) return;
    const text = field.value;
    const answer = await post("store/filter", { entity: app.data.place.entity, text, cursor: field.selectionStart }).catch(() => null);
    if (draft.turn !== turn) return;
    // Completions of another text would be put in the wrong place.
    draft = answer ? {
        turn, error: text.trim() ? answer.error : null, warnings: answer.warnings, replaces: answer.replaces,
        completions: answer.completions.slice(0, 40), active: 0, isOpen: document.activeElement === field, checked: null,
    } : { ...draft, completions: [], isOpen: false, checked: null };
    app.data.changed();
}

function accept(app, field, index) {
    const completion = draft.completions[index];
    if (!completion) return;
    const { from, to } = draft.replaces ?? { from: field.selectionStart, to: field.selectionStart };
    field.setRangeText(`${completion.text} `, from, to, "end");
    check(app, field);
}

function press(app, event) {
    const field = event.target;
    const isOpen = draft.isOpen && draft.completions.length > 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === " " && event.ctrlKey) check(app, field);
    else if (step && isOpen) choose(app, step);
    else if (event.key === "ArrowDown") check(app, field);
    else if (event.key === "Tab" && !event.shiftKey && isOpen) take(app, field);
    else if (event.key === "Enter") apply(app, field.value);
    else if (event.key === "Escape" && isOpen) close(app);
    else if (event.key === "Escape" && isEdited(field)) { revert(field); close(app); }
    else return;
    event.preventDefault();
    event.stopPropagation();
}

/** Takes a completion of what is typed by now, if it is still one: the active one, or that which was pressed. */
async function take(app, field, pressed = null) {
    const { turn, checked } = draft;
    if (checked) await checked;
    if (draft.turn !== turn || !draft.isOpen) return;
    accept(app, field, pressed ? draft.completions.findIndex(({ kind, text }) => kind === pressed.kind && text === pressed.text) : draft.active);
}

function choose(app, step) {
    const count = draft.completions.length;
    draft = { ...draft, active: (draft.active + step + count) % count };
    app.data.changed();
    queueMicrotask(() => document.getElementById(`filter-completions-${draft.active}`)?.scrollIntoView({ block: "nearest" }));
}

function close(app) {
    draft = { ...draft, turn: draft.turn + 1, isOpen: false, error: null, warnings: [], checked: null };
    app.data.changed();
}

/** Filters by a text. @param {string} text */
export function apply(app, text) {
    const { data } = app;
    close(app);
    const predicate = text.trim();
    if (predicate) {
        const old = data.memory.get(`filters ${data.place.entity}`, []).filter((each) => each !== predicate);
        data.memory.set(`filters ${data.place.entity}`, [predicate, ...old].slice(0, mostKept));
    }
    data.ask({ predicate });
    const field = /** @type {HTMLInputElement?} */ (document.getElementById("filter"));
    if (field) field.value = predicate;
}

/** Opens the menu of filters, with those that other windows have saved since. */
async function openKept(app, opener) {
    await app.data.memory.readAgain().catch(() => { /* one sees what is known */ });
    if (opener.isConnected) openMenu(opener, kept(app));
}

function kept(app) {
    const { data } = app;
    const item = (title, predicate) => ({ title, action: () => apply(app, predicate) });
    const saved = data.memory.get(`saved ${data.place.entity}`, []);
    const recent = data.memory.get(`filters ${data.place.entity}`, []).slice(0, 12);
    const groups = [
        saved.map(({ name, predicate }) => item(`★ ${name}`, predicate)), recent.map((each) => item(each, each)),
        saved.flatMap((filter) => [
            { title: `Rename ★ ${filter.name}…`, action: () => rename(app, filter) },
            { title: `Remove ★ ${filter.name}`, action: () => keepSaved(app, (name) => name !== filter.name), isDestructive: true },
        ]),
    ].filter((group) => group.length > 0);
    const items = groups.flatMap((group, index) => (index > 0 ? [null, ...group] : group));
    return items.length ? items : [{ title: "No filters yet", isDisabled: true, action: () => { /* disabled */ } }];
}

async function save(app) {
    const { predicate } = app.data.place;
    const name = await askName("Save Filter", "", predicate);
    if (name === null) return;
    const filter = { name: name || predicate, predicate };
    await keepSaved(app, (other) => other !== filter.name, filter);
    app.toasts.show("Saved");
}

async function rename(app, filter) {
    const name = await askName("Rename Filter", filter.name, filter.predicate);
    if (name) await keepSaved(app, (other) => other !== filter.name && other !== name, { ...filter, name });
}

/** Asks how a filter is to be called. @returns {Promise<string?>} null where it is not to be kept. */
async function askName(title, start, predicate) {
    let name = start;
    const isSaved = await showDialog({
        title, body: () => [
            h("label.dialog-field", null, h("span", null, "Name"), textField({ label: "Name", id: "filter-name", value: name, commit: (text) => { name = text; } })),
            h("p.quiet.code", null, predicate),
        ],
        actions: [{ title: "Cancel", value: false }, { title: "Save", value: true, isDefault: true }],
    });
    return isSaved ? name : null;
}

/**
 * Keeps those saved filters whose names pass a test, and perhaps another one.
 *
 * @param {(name: string) => boolean} isKept @param {{name: string, predicate: string}} [filter]
 */
function keepSaved({ data }, isKept, filter) {
    const change = (saved) => [...saved.filter(({ name }) => isKept(name)), ...(filter ? [filter] : [])];
    return data.memory.update(`saved ${data.place.entity}`, [], change);
}
