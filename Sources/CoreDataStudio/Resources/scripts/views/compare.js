import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { modelText, sentence } from "../ui/text.js";
import { iconButton, selectField } from "../ui/fields.js";
import { get } from "../net/api.js";
import { comparisonGraph } from "../graph/comparisonGraph.js";

/** Two versions side by side: as a list of changes, or as two drawings. */
export function compareView(app) {
    const { store, workspace } = app;
    const comparison = workspace.comparison;
    load(app, comparison);
    const choices = store.list(store.versions).flatMap(({ id, name }) => [
        [id, name], [`saved:${id}`, `${name}, as saved`], [`disk:${id}`, `${name}, on disk`]
    ]);
    const side = (name, label) => selectField({
        label, field: name, value: comparison[name], choices,
        commit: (value) => workspace.set({ comparison: { ...comparison, [name]: value, result: null } })
    });
    const segment = (mode, title) => h("button.segment", {
        type: "button", "aria-pressed": String(comparison.mode === mode), id: `compare-${mode}`, onclick: () => workspace.set({ comparison: { ...comparison, mode } }),
    }, icon(mode === "list" ? "table" : "graph"), title);
    return h("div.compare", { key: "compare" },
        h("header.compare-head", null, h("h2", null, "Compare"), side("from", "Older version"), h(
            "span", { "aria-hidden": "true" }, "→"
        ), side("to", "Newer version"),
            h(
                "div.segments", { role: "group", "aria-label": "Comparison style" }, segment("list", "List"),
                segment("graph", "Graph")
            ),
            h("div.spacer"), iconButton({
                title: "Close comparison", icon: icon("close"), action: () => workspace.set({ comparison: null })
            })),
        comparison.error && h("p.field-error", { role: "alert" }, sentence(comparison.error)),
        comparison.result && (comparison.mode === "graph" ? comparisonGraph(comparison.result) : list(comparison.result)));
}

async function load(app, comparison) {
    const key = `${comparison.from} ${comparison.to} ${app.store.revision}`;
    if (comparison.key === key) return;
    comparison.key = key;
    try {
        comparison.result = await get("compare", { from: comparison.from, to: comparison.to });
        comparison.error = null;
    } catch (error) {
        comparison.error = error.message;
    }
    app.workspace.changed();
}

const signs = { added: "+", removed: "−", renamed: "›", changed: "~" };
const badgeKinds = {
    "fetched property": "fetchedProperty", "fetch request": "fetchRequest", "fetch index": "index",
    "uniqueness constraint": "constraint", "compound index": "index", model: "version"
};

function list({ changes, migration }) {
    if (changes.length === 0) return h("p.empty", null, "There is no difference.");
    const owners = [...new Set(changes.map((change) => change.element === "entity" ? change.name : change.owner ?? ""))];
    return h("div.compare-list", { tabindex: "0", "aria-label": "Changes" }, h(
        "p.migration", { class: migration.kind }, sentence(migrationText(migration))
    ),
        owners.map((owner) => h("section", {
            key: owner, "aria-label": owner || "Model"
        }, h("h3", null, modelText(owner || "Model")),
            h(
                "ul", { role: "list" },
                changes.filter((change) => (change.element === "entity" ? change.name : change.owner ?? "") === owner).map(changeItem)
            ))));
}

function migrationText({ kind, reason }) {
    if (kind === "none") return "Stores need no migration.";
    if (kind === "lightweight") return "Stores are migrated by themselves (lightweight migration).";
    if (kind === "conditional") return `Stores are migrated by themselves, unless rows stand against it: ${reason}`;
    if (kind === "unknown") return `What stores need can't be told: ${reason}`;
    return `Stores need a mapping model: ${reason}`;
}

function changeItem(change, index) {
    return h("li.change", { key: index, class: change.kind },
        h(
            "span.change-sign", { "aria-hidden": "true" }, signs[change.kind]
        ), badge(badgeKinds[change.element] ?? change.element),
        h("div", null, h("b", null, modelText(change.name)), h(
            "span.quiet", null,
            ` ${change.element} ${change.kind}`, change.formerName && [", was ", modelText(change.formerName)]
        ),
            change.settings.length > 0 && h("dl.settings", null, change.settings.map((setting) => h("div", { key: setting.name }, h("dt", null, setting.name),
                h(
                    "dd", null, setting.old !== null && setting.old !== undefined && h("del", null, modelText(setting.old)),
                    setting.old && setting.new && " → ",
                    setting.new !== null && setting.new !== undefined && h("ins", null, modelText(setting.new))
                )))),
            ["conditional", "mapping"].includes(change.migration.kind) && h("p.field-warning", null, sentence(change.migration.reason))));
}
