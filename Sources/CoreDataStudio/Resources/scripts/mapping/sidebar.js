import { h } from "../ui/view.js";
import { iconButton } from "../ui/fields.js";
import { badge, icon } from "../ui/icons.js";
import { reorderable } from "../ui/reordering.js";
import { modelText, plainText } from "../ui/text.js";

/** The list of entity mappings, in their order. */
export function sidebar(app) {
    const { store, workspace, commands } = app;
    const isRoot = workspace.selected?.kind === "mappingModel";
    return h("nav.sidebar", { "aria-label": "Entity mappings", hidden: !workspace.showsSidebar, key: "sidebar" },
        h("div.sidebar-lists", { onkeydown: (event) => walk(event, app) },
            h("section", { "aria-label": "Mapping model" },
                h("ul", { role: "list" }, h("li", null, h("button.item", {
                    type: "button", "data-item": "mapping", "aria-current": isRoot ? "true" : null, onclick: () => workspace.select("mapping"),
                }, icon("compare"), h("span.item-name", null, "Models"), mark(store, "mapping"))))),
            h("section", { "aria-label": "Entity mappings" },
                h("header.section-head", null, h("h2", null, "Entity Mappings"), h("span.count", { "aria-hidden": "true" }, store.mappings.length || ""),
                    iconButton({ title: "Add Entity Mapping", icon: icon("add"), id: "add-mapping", action: () => commands.run("add") })),
                store.mappings.length > 0 && h("ul", { role: "list" }, store.mappings.map((record, index) => item(app, record, index))))));
}

function item(app, record, index) {
    const { store, workspace, editing } = app;
    return h("li", { key: record.id, ...reorderable(record.id, "mapping", "mappings", index, (id, to) => editing.move(id, to)) },
        h("button.item", {
            type: "button", "data-item": record.id, "aria-current": workspace.entityMapping?.id === record.id ? "true" : null,
            onclick: () => workspace.select(record.id),
        }, badge("entity"), h("span.item-name", null, modelText(record.name)), mark(store, record.id)));
}

/** The worst problem of a mapping and its properties. */
function mark(store, id) {
    const own = new Set([id, ...(store.record(id)?.properties ?? [])]);
    const severity = ["error", "warning"].find((each) => store.problems.some((problem) => problem.severity === each && own.has(problem.element)));
    return severity && h("span.mark", { class: severity, title: plainText(`${severity} in ${store.record(id)?.name ?? "the models"}`) },
        icon(severity), h("span.unseen", null, `, has ${severity}s`));
}

/** Arrow keys walk over the mappings, Alt and arrow keys move them. */
function walk(event, { editing, workspace, store }) {
    const at = event.target.closest("[data-item]");
    if (!at || !["ArrowDown", "ArrowUp", "Home", "End", "F2"].includes(event.key)) return;
    const id = at.dataset.item;
    event.preventDefault();
    if (event.key === "F2") return workspace.reveal(id, "name");
    if (event.altKey) return store.record(id)?.kind === "entityMapping" && editing.shift(id, event.key === "ArrowDown" ? 1 : -1);
    const items = [...event.currentTarget.querySelectorAll("[data-item]")];
    const index = items.indexOf(at);
    const next = { ArrowDown: items[index + 1], ArrowUp: items[index - 1], Home: items[0], End: items.at(-1) }[event.key];
    next?.focus();
    if (next) workspace.select(next.dataset.item);
}
