import { button } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { modelText, plainText, sentence } from "../ui/text.js";
import { h } from "../ui/view.js";

/** What the attributes of a document are called in the editor. */
const settings = {
    attributeType: "Type", defaultValueString: "Default", defaultDateTimeInterval: "Default", minValueString: "Minimum",
    maxValueString: "Maximum", minDateTimeInterval: "Earliest", maxDateTimeInterval: "Latest", optional: "Optional",
    regularExpressionString: "Pattern", valueTransformerName: "Transformer", customClassName: "Class of the values",
    usesScalarValueType: "Scalar", allowsExternalBinaryDataStorage: "External storage", derivationExpression: "Derivation",
    destinationEntity: "Destination", inverseName: "Inverse", inverseEntity: "Entity of the inverse", toMany: "To-many",
    minCount: "Minimum count", maxCount: "Maximum count", deletionRule: "Delete rule", ordered: "Ordered", transient: "Transient",
    representedClassName: "Class", parentEntity: "Parent", isAbstract: "Abstract", codeGenerationType: "Code generation",
    predicateString: "Predicate", elementID: "Renaming identifier", versionHashModifier: "Hash modifier", value: "Value",
    element: "Element", elements: "Elements", name: "Name",
};
const titles = { base: "Before", ours: "Ours", theirs: "Theirs", both: "Both" };

/** The whole page: what is merged, each conflict in columns, and how it ends. */
export function page(app) {
    if (app.end) return ended(app);
    const { merge } = app;
    const open = merge.conflicts.length - merge.settled;
    return [
        h("header.merge-head", { key: "head" },
            h("div", null, h("h1", null, "Merge of ", modelText(merge.name)), h("p.quiet", { role: "status", id: "progress" }, progress(merge))),
            h("div.spacer"),
            button({ title: "All Ours", id: "all-ours", action: () => app.choose(null, "ours") }),
            button({ title: "All Theirs", id: "all-theirs", action: () => app.choose(null, "theirs") })),
        h("main.merge-list", { key: "list", tabindex: "-1" },
            merge.conflicts.map((conflict) => h("section.merge-conflict", {
                key: conflict.id, "aria-label": plainText(title(conflict)), "data-conflict": conflict.id, class: conflict.choice ? "settled" : "",
            }, heading(conflict), table(app, conflict))),
            merge.faults.length > 0 && faults(merge.faults)),
        h("footer.merge-foot", { key: "foot" },
            h("p.quiet", null, open > 0 ? "Choose a side of each conflict." : merge.faults.length > 0 ? "Git is told of a conflict, because of the faults above." : ""),
            h("div.spacer"),
            button({ title: "Give Up…", id: "give-up", action: () => app.finish(false) }),
            button({ title: "Write the Merged Model", id: "write", class: "primary", disabled: open > 0, action: () => app.finish(true) }))
    ];
}

function progress({ conflicts, settled }) {
    if (conflicts.length === 0) return "There is nothing to choose.";
    return `${settled} of ${conflicts.length} ${conflicts.length === 1 ? "conflict" : "conflicts"} settled`;
}

function title({ place, kind }) {
    const name = place || "The model";
    if (kind === "removal") return `${name}: removed by one side, changed by the other`;
    if (kind === "name") return `${name}: two new names`;
    return name;
}

function heading(conflict) {
    return h("h2", null, icon(conflict.choice ? "check" : "warning"), h("span", null, modelText(title(conflict))),
        h("span.unseen", null, conflict.choice ? "settled" : "not settled"));
}

function table(app, conflict) {
    const shown = conflict.sides.includes("both") ? ["base", "ours", "theirs", "both"] : ["base", "ours", "theirs"];
    return h("table", null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "Setting"), shown.map((side) => h(
            "th", { scope: "col", key: side, class: conflict.choice === side ? "chosen" : "" },
            conflict.sides.includes(side) ? choice(app, conflict, side) : titles[side]
        )))),
        h("tbody", null, conflict.fields.map((field) => h("tr", { key: field.name },
            h("th", { scope: "row" }, sentence(settings[field.name] ?? field.name)),
            shown.map((side) => cell(conflict, field, side))))));
}

/** A value of a side: marked where it is another one than before. */
function cell(conflict, field, side) {
    const isChosen = conflict.choice === side ? "chosen" : "";
    if (side === "both") return h("td", { key: side, class: isChosen }, h("span.quiet", null, "Ours, then what theirs adds"));
    const value = field[side];
    const isOther = side !== "base" && value !== field.base;
    const text = value === null || value === undefined ? absence(conflict) : modelText(value);
    return h("td", { key: side, class: isChosen },
        isOther ? h(value === null ? "del.other" : "ins.other", null, text) : h("span", null, text));
}

function absence({ kind }) {
    return h("span.quiet", null, kind === "removal" ? "Removed" : "Not set");
}

function choice(app, conflict, side) {
    return h("label.merge-choice", null, h("input", {
        type: "radio", name: conflict.id, checked: conflict.choice === side, "aria-label": `Take ${titles[side].toLowerCase()} for ${plainText(title(conflict))}`,
        onchange: () => app.choose(conflict.id, side),
    }), h("span", null, titles[side]));
}

function faults(list) {
    return h("section.merge-faults", { key: "faults", "aria-label": "Faults" }, h("h2", null, icon("error"), h("span", null, "What the sides give together")),
        h("ul", { role: "list" }, list.map((fault, index) => h("li", { key: index }, sentence(fault)))));
}

function ended({ end, merge }) {
    const isWritten = end === "written";
    return h("main.merge-end", { key: "end", id: "end", tabindex: "-1" },
        h("h1", null, isWritten ? "The merged model is written" : "The merge was given up"),
        h("p", null, modelText(merge.name)),
        h("p.quiet", null, "You can close this tab."));
}
