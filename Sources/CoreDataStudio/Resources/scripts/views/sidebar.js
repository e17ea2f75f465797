import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { iconButton } from "../ui/fields.js";
import { reorderable } from "../ui/reordering.js";
import { modelText, plainText, visible } from "../ui/text.js";
import { entities, problemsWithin, search, title, worst } from "../model/queries.js";
import { kindTitles } from "../model/types.js";

/** The list of what is in the model, and the search through it. */
export function sidebar(app) {
    const { workspace } = app;
    return h("nav.sidebar", { "aria-label": "Model", hidden: !workspace.showsSidebar, key: "sidebar" },
        searchField(app),
        h("div.sidebar-lists", { onkeydown: (event) => walk(event, app) },
            workspace.search.trim() ? results(app) : sections(app)),
        h("div.sidebar-foot", null, versionSwitch(app)));
}

function searchField({ workspace }) {
    return h("div.search", { role: "search" }, icon("search"), h("input", {
        type: "search", id: "search", "aria-label": "Search the model", placeholder: "Search", value: workspace.search,
        spellcheck: "false", autocomplete: "off",
        oninput: (event) => { workspace.search = event.target.value; workspace.changed(); },
        onkeydown: (event) => {
            if (event.key !== "Escape") return;
            event.target.value = workspace.search = "";
            workspace.changed();
        },
    }));
}

function sections(app) {
    const { store, editing } = app;
    const model = store.model;
    return [
        section(app, "Entities", "entities", entities(store), () => editing.addEntity(), "Add Entity"),
        section(
            app, "Fetch Requests", "fetchRequests", store.list(model.fetchRequests), () => editing.addFetchRequest(),
            "Add Fetch Request"
        ),
        section(
            app, "Configurations", "configurations", store.list(model.configurations), () => editing.addConfiguration(),
            "Add Configuration"
        ),
        section(
            app, "Composites", "composites", store.list(model.composites), () => editing.addComposite(), "Add Composite"
        ),
    ];
}

function section(app, name, list, records, add, addTitle) {
    return h("section", { key: list, "aria-label": name },
        h("header.section-head", null, h("h2", null, name), h(
            "span.count", { "aria-hidden": "true" }, records.length || ""
        ),
            iconButton({ title: addTitle, icon: icon("add"), action: add })),
        records.length > 0 && h(
            "ul", { role: "list" }, records.map((record, index) => item(app, record, list, index))
        ));
}

function item(app, record, list, index) {
    const { store, workspace, editing } = app;
    const isCurrent = workspace.edited?.id === record.id;
    const severity = worst(problemsWithin(store, record.id));
    const parent = store.record(record.parent);
    return h("li", {
        key: record.id, ...reorderable(record.id, store.version, list, index, (id, to) => editing.move(id, to))
    },
        h("button.item", {
            type: "button", "data-item": record.id, "aria-current": isCurrent ? "true" : null,
            "data-selected": workspace.selection.includes(record.id) ? "" : null,
            "aria-pressed": String(workspace.selection.includes(record.id)),
            onclick: (event) => workspace.selectBy(event, record.id, shownItems()),
            ondblclick: () => workspace.select(record.id, { focus: "name" }),
        }, badge(record.kind), h(
            "span.item-name", { class: record.isAbstract ? "abstract" : "" }, record.name ? modelText(record.name) : "(no name)"
        ),
        parent && h("span.item-detail", null, modelText(parent.name)),
        severity && h(
            "span.mark", { class: severity, title: plainText(`${severity} in ${record.name}`) }, icon(severity),
            h("span.unseen", null, `, has ${severity}s`)
        )));
}

function results(app) {
    const { store, workspace } = app;
    const found = search(store, workspace.search.trim());
    return h("section", { key: "results", "aria-label": "Search results" },
        h(
            "header.section-head", null, h("h2", null, "Results"),
            h("span.count", { role: "status" }, `${found.length} found`)
        ),
        h("ul", { role: "list" }, found.slice(0, 200).map(({ record, field }) => h("li", { key: record.id },
            h("button.item", {
                type: "button", "data-item": record.id, onclick: () => workspace.reveal(record.id, field),
                "aria-current": workspace.selection.at(-1) === record.id ? "true" : null,
            }, badge(record.kind), h("span.item-name", null, modelText(title(store, record.id))),
            field !== "name" && h("span.item-detail", null, `${kindTitles[record.kind]}, ${field}`))))));
}

function versionSwitch({ store, workspace, commands }) {
    const names = store.list(store.versions);
    return [
        h("label.version-label", null, h("span", null, "Version"),
            h("select.field", {
                id: "version", "aria-label": "Model version",
                onchange: async (event) => {
                    const id = event.target.value;
                    await store.load(id);
                    workspace.select(null);
                },
            }, names.map((version) => h("option", {
                value: version.id, key: version.id, selected: version.id === store.version
            },
                version.id === store.currentVersion ? `${visible(version.name)} ✓` : visible(version.name))))),
        iconButton({
            title: "Versions…", icon: icon("compare"), action: () => commands.run("versions"), id: "versions"
        }),
    ];
}

function shownItems() {
    return [...document.querySelectorAll(".sidebar [data-item]")].map((item) => item.dataset.item);
}

/** Arrow keys walk over the items, with Shift they select several, Alt and arrow keys move them. */
function walk(event, { editing, workspace }) {
    const at = event.target.closest("[data-item]");
    if (!at || ![
        "ArrowDown", "ArrowUp", "Home", "End", "F2", "Delete", "Backspace", "Enter"
    ].includes(event.key)) return;
    const id = at.dataset.item;
    if (event.key === "F2") workspace.select(id, { focus: "name" });
    else if (event.key === "Enter") return;
    else if (event.key === "Delete" || event.key === "Backspace") editing.deleteSelection();
    else if (event.altKey) editing.shift(id, event.key === "ArrowDown" ? 1 : -1);
    else {
        const items = [...event.currentTarget.querySelectorAll("[data-item]")];
        const index = items.indexOf(at);
        const next = {
            ArrowDown: items[index + 1], ArrowUp: items[index - 1], Home: items[0], End: items.at(-1)
        }[event.key];
        next?.focus();
        if (next) workspace.selectBy({ shiftKey: event.shiftKey }, next.dataset.item, shownItems());
    }
    event.preventDefault();
}
