import { badge, icon } from "../ui/icons.js";
import { modelText, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped } from "./cells.js";

/** The entities as a tree, each with the number of its objects. */
export function sidebar({ data }) {
    return h("nav.sidebar", { "aria-label": "Entities", hidden: !data.showsSidebar, key: "sidebar" },
        h("div.search", { role: "search" }, icon("search"), h("input", {
            type: "search", id: "search", "aria-label": "Search the entities", placeholder: "Search", value: data.search,
            spellcheck: "false", autocomplete: "off", oninput: (event) => data.set({ search: event.target.value }),
        })),
        h("div.sidebar-lists", { onkeydown: walk }, h("section", { "aria-label": "Entities" },
            h("header.section-head", null, h("h2", null, "Entities")),
            h("ul", { role: "list" }, listed(data).map(({ entity, depth }) => item(data, entity, depth)))),
        data.schema.hasHistory && h("section", { "aria-label": "Store", key: "store" },
            h("header.section-head", null, h("h2", null, "Store")),
            h("button.item", {
                type: "button", id: "open-history", "aria-current": data.history && !data.place.filter.object ? "true" : null, onclick: () => data.openHistory(),
            }, icon("history"), h("span.item-name", null, "History")))),
        h("div.sidebar-foot", null, h("span.quiet.sidebar-note", null, data.edits ? "Changes are written when you save, after a backup." : "Opened as it is; nothing is written.")));
}

/** The entities in the order of their tree; while one searches, those that are found. */
function listed(data) {
    const words = data.search.trim().toLowerCase();
    if (words) return data.entities.filter(({ name }) => name.toLowerCase().includes(words)).map((entity) => ({ entity, depth: 0 }));
    const below = (parent, depth) => data.entities.filter((entity) => (entity.parent ?? null) === parent)
        .flatMap((entity) => [{ entity, depth }, ...below(entity.name, depth + 1)]);
    return below(null, 0);
}

function item(data, entity, depth) {
    const isCurrent = data.place?.entity === entity.name;
    const count = data.counts[entity.name]?.all;
    return h("li", { key: entity.name }, h("button.item", {
        type: "button", "data-entity": entity.name, "aria-current": isCurrent ? "true" : null,
        ref: (element) => { element.style.paddingLeft = `${7 + depth * 14}px`; },
        "aria-label": `${visible(entity.name)}${count === undefined ? "" : `, ${grouped(count)} objects`}`,
        onclick: () => data.openEntity(entity.name),
    }, badge("entity"), h("span.item-name", { class: entity.isAbstract ? "abstract" : "" }, modelText(entity.name)),
    h("span.item-detail.item-count", null, count === undefined ? "" : grouped(count))));
}

/** Arrow keys walk over the entities. */
function walk(event) {
    const items = [...event.currentTarget.querySelectorAll("[data-entity]")];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: items[at + 1], ArrowUp: items[at - 1], Home: items[0], End: items.at(-1) }[event.key];
    if (at < 0 || !next) return;
    next.focus();
    event.preventDefault();
}
