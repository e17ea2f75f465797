import { button, iconButton, selectField } from "../ui/fields.js";
import { folding } from "../ui/folding.js";
import { icon } from "../ui/icons.js";
import { modelText, sentence, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped, localDate, rawDate, shown } from "./cells.js";

/** Transactions with more changes are shown closed. */
const fewChanges = 12;
const signs = { inserted: "add", updated: "pencil", deleted: "remove" };
const kinds = Object.keys(signs);

/** The store's history: what was saved, when and by which program, the newest first. */
export function timeline(app) {
    const { data } = app;
    const { transactions, error, newerError, isReading, hasMore } = data.history;
    return [
        filters(data),
        h("div.timeline-frame", { key: "timeline", id: "timeline", tabindex: "0", "aria-label": "History" },
            [newerError, error].filter(Boolean).map((text) => h("p.empty", { role: "alert", key: text }, sentence(text))),
            !error && !isReading && !hasMore && transactions.length === 0 && h("p.empty", { role: "status" }, "No transaction fits."),
            h("ol.timeline", { key: "list", "aria-label": "Transactions" }, transactions.map((each) => transaction(data, each))),
            hasMore && h("p.timeline-more", { key: "more" }, button({
                title: isReading ? "Reading…" : "Show Older", id: "older", action: () => data.history.more(),
            }))),
        h("footer.grid-foot", { key: "foot" }, h("span", { id: "total", role: "status" }, isReading && transactions.length === 0
            ? "Reading…" : `${grouped(transactions.length)}${hasMore ? "+" : ""} ${transactions.length === 1 && !hasMore ? "transaction" : "transactions"}`)),
    ];
}

function filters(data) {
    const { filter } = data.place;
    const entities = data.entities.map(({ name }) => [name, name]);
    return h("div.filter-bar.history-filters", { key: "filters", role: "search", "aria-label": "Filter" },
        icon("filter"),
        selectField({
            label: "Entity", id: "history-entity", value: filter.entity, choices: [[null, "All entities"], ...entities],
            commit: (entity) => data.filterHistory({ entity: entity || null }),
        }),
        selectField({
            label: "Author", id: "history-author", value: filter.author === "" ? noAuthor : filter.author,
            choices: [[null, "All authors"], [noAuthor, "Without author"], ...data.authors.map((author) => [author, author])],
            commit: (author) => data.filterHistory({ author: author === noAuthor ? "" : author || null }),
        }),
        filter.object && h("span.tag.history-object", { key: "object" }, modelText(filter.object),
            iconButton({ title: "Show all objects", icon: icon("close"), id: "history-all", action: () => data.filterHistory({ object: null }) })));
}

/** What stands for transactions without an author: no author is called so. */
const noAuthor = "\u0000";

function transaction(data, each) {
    const counts = kinds.filter((kind) => each[kind] > 0).map((kind) => `${grouped(each[kind])} ${kind}`);
    const left = kinds.reduce((sum, kind) => sum + each[kind], 0) - each.changes.length;
    return h("li.transaction", { key: each.number, class: each.isFresh ? "fresh" : "", "data-transaction": String(each.number) },
        h("header.transaction-head", null,
            h("span.transaction-date", { title: rawDate(each.date) }, localDate(each.date)),
            each.author && h("span.tag", { title: "Author" }, modelText(each.author)),
            each.context && h("span.quiet", { title: "Context" }, modelText(each.context)),
            h("span.quiet", { title: each.bundle ?? "" }, modelText(each.process ?? "")),
            h("span.spacer"), h("span.quiet", null, `No. ${grouped(each.number)}`)),
        folding("details.changes", {
            isOpen: data.history.opened.get(each.number) ?? each.changes.length <= fewChanges,
            folded: (isOpen) => data.history?.opened.set(each.number, isOpen),
        }, counts.join(", ") || "No change that the model knows",
            h("ul", null, each.changes.map((change, index) => h("li.change", { key: index, class: change.kind }, content(data, each, change)))),
            left > 0 && h("p.quiet", null, `and ${grouped(left)} more`)));
}

function content(data, { number }, { kind, object, properties, kept }) {
    return [
        icon(signs[kind]), h("span.unseen", null, `${kind} `),
        kind === "deleted" ? h("span.change-object", null, modelText(object))
            : h("button.link.change-object", { type: "button", onclick: () => data.openObject(object, object) }, modelText(object)),
        properties.length > 0 && h("span.quiet", null, properties.map((name, index) => [index > 0 && ", ", modelText(name)])),
        kept.map(({ name, value }) => h("span.quiet", { key: name }, modelText(name), " = ", visible(shown(value, { kind: "attribute" }).text))),
        iconButton({ title: `${object} as of No. ${grouped(number)}`, icon: icon("history"), class: "change-past", action: () => data.openPast(object, number) }),
    ];
}
