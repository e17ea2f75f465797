import { button, iconButton, selectField } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { modelText, sentence, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped, localDate, rawDate, shown } from "./cells.js";
import { valueContent } from "./objectView.js";

/** An object as of a transaction: what is known of each property, and why the others are not known. */
export function pastView(app) {
    const { past } = app.data;
    const { answer, error } = past;
    return [
        tools(app.data),
        h("div.timeline-frame.past", { key: "past", id: "past", tabindex: "0", "aria-label": "The object as of the transaction", "data-transaction": answer?.transaction?.number },
            error && h("p.empty", { role: "alert", key: "error" }, sentence(error)),
            !error && !answer && h("p.empty", { role: "status", key: "reading" }, "Reading…"),
            !error && answer && [heading(answer), summary(app.data, answer), answer.values.length > 0 && table(app, answer)]),
        h("footer.grid-foot", { key: "foot" }, h("span", { id: "total", role: "status" }, answer && !error ? footWords(answer) : "")),
    ];
}

function tools(data) {
    const { past, place: { asOf } } = data;
    const { answer } = past;
    const step = (side, title) => button({
        title, id: `past-${side}`, label: `${title} change of the object`, disabled: past.next(side) === null,
        action: () => data.chooseMoment(past.next(side)),
    });
    return h("div.filter-bar.history-filters", { key: "filters", role: "group", "aria-label": "Transaction" },
        icon("history"),
        h("span.tag.past-object", { key: "object" }, modelText(asOf.object)),
        step("earlier", "Earlier"),
        selectField({
            label: "As of transaction", id: "past-transaction", class: "past-choice", value: past.number, disabled: !answer,
            placeholder: answer?.transaction ? choiceTitle(answer.transaction) : "–",
            choices: (answer?.choices ?? []).map((choice) => [choice.number, choiceTitle(choice)]),
            commit: (number) => data.chooseMoment(number),
        }),
        step("later", "Later"),
        h("div.spacer"),
        iconButton({ title: "History of this object", icon: icon("history"), id: "past-history", action: () => data.openHistory(asOf.object) }),
        answer?.isStored && button({ title: "Show Now", id: "past-now", label: "Show the object as it is now", action: () => data.openObject(answer.id, answer.title ?? answer.id) }));
}

function choiceTitle({ number, date, kind, author }) {
    return [`No. ${grouped(number)}`, localDate(date), kind, author].filter(Boolean).join(" · ");
}

function heading({ id, title }) {
    return h("header.past-head", { key: "head" }, h("h2", null, modelText(title ?? id)), title && h("span.quiet.code", { key: "id" }, id));
}

/** Whether the object was there, in words. */
function summary(data, { state, transaction, inserted, deleted, values, hasMoreChoices, choices }) {
    if (!transaction) return h("p.past-summary", { key: "summary" }, `History has no change of this object${hasMoreChoices ? " among the transactions that were looked at" : ""}. So it is shown as it is now.`);
    const words = {
        there: () => [" Values that did not change since are the present ones. History has the names of changed properties, not their old values."],
        notYet: () => [" The object did not exist yet: ", link(data, inserted), ` inserted it on ${localDate(inserted.date)}.`],
        gone: () => [...(deleted.number === transaction.number ? [" This transaction deleted the object. "]
            : [" The object no longer existed: ", link(data, deleted), ` deleted it on ${localDate(deleted.date)}. `]), values.length ? "The deletion kept these values." : "The deletion kept no values."],
    }[state]();
    const isDeletedLater = state === "there" && deleted;
    return h("p.past-summary", { key: "summary" }, "After transaction ", h("b", null, `No. ${grouped(transaction.number)}`), " of ",
        h("span", { title: rawDate(transaction.date) }, localDate(transaction.date)), transaction.author && [", author ", modelText(transaction.author)], ".", words,
        isDeletedLater && [" ", link(data, deleted), " deleted the object: of values that did not change before, the deletion kept some."],
        choices.length > 0 && hasMoreChoices && " The list has the newest changes only.");
}

/** A transaction that one can go to. */
function link(data, { number }) {
    return h("button.link", { type: "button", key: `link ${number}`, "data-goes-to": String(number), onclick: () => data.chooseMoment(number) }, `No. ${grouped(number)}`);
}

function table(app, answer) {
    return h("table.past-values", { key: "table" },
        h("thead", null, h("tr", null, ["Property", "Value then", "Since then"].map((title) => h("th", { key: title, scope: "col" }, title)))),
        h("tbody", null, answer.values.map((property) => h("tr", { key: property.name, "data-property": property.name, "data-knowledge": property.knowledge },
            h("th", { scope: "row", title: property.type ?? property.destination }, modelText(property.name)),
            h("td.past-value", null, value(app, answer, property)),
            h("td.past-since", null, since(app.data, property))))));
}

function value(app, { id, title, isStored }, property) {
    if (!isKnown(property)) return h("span.no-value", null, "not known");
    // What a deletion kept is in no store any more.
    if (!isStored) return visible(shown(property.value, property).text);
    return valueContent(app, { id, title }, property);
}

function isKnown({ knowledge }) {
    return knowledge === "unchanged" || knowledge === "kept";
}

function since(data, { knowledge, change, times }) {
    switch (knowledge) {
    case "unchanged": return "unchanged since";
    case "kept": return "kept by the deletion";
    case "changed": return ["changed by ", link(data, change), times > 1 && ` and ${grouped(times - 1)} more`];
    case "unsure": return change ? ["perhaps changed by ", link(data, change)] : "perhaps changed";
    default: return "not kept by the deletion";
    }
}

function footWords({ state, values }) {
    const known = values.filter(isKnown).length;
    if (state !== "there") return state === "notYet" ? "Not there yet" : "No longer there";
    return `${grouped(known)} of ${grouped(values.length)} values are known`;
}
