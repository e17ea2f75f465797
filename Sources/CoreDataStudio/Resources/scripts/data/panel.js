import { iconButton } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { changesPanel } from "./editing/changesPanel.js";
import { proposedIndexes } from "./indexAdvice.js";
import { neighbourhoodView } from "./neighbourhoodView.js";
import { treeView } from "./treeView.js";
import { valueView } from "./valueView.js";

/** The panel below the rows: what the store was asked, an object as a tree, or one value as a whole. */
export function panel(app) {
    const { data } = app;
    const tabs = [["sql", "SQL"], data.edits && ["changes", "Changes"], data.tree && ["tree", "Tree"], data.neighbourhood && ["neighbourhood", "Neighbourhood"], data.viewed && ["value", "Value"]].filter(Boolean);
    const choose = (name) => (name === "sql" ? data.explain() : data.set({ panel: name }));
    return h("section.panel.data-panel", { key: "panel", "aria-label": "Panel" },
        h("div.panel-tabs", { role: "tablist", "aria-label": "Panel" }, tabs.map(([name, title], index) => h("button.tab", {
            type: "button", role: "tab", key: name, id: `tab-${name}`, "aria-selected": String(data.panel === name), "aria-controls": "panel-content",
            tabindex: data.panel === name ? "0" : "-1", onclick: () => choose(name),
            onkeydown: (event) => {
                if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
                const [next] = tabs[(index + 1) % tabs.length];
                choose(next);
                setTimeout(() => document.getElementById(`tab-${next}`)?.focus());
            },
        }, title)), h("div.spacer"), iconButton({ title: "Close panel", icon: icon("close"), id: "panel-close", action: () => data.set({ panel: null }) })),
        h("div.panel-content", { id: "panel-content", role: "tabpanel", tabindex: "0", "aria-labelledby": `tab-${data.panel}`, key: data.panel },
            content(app)));
}

function content(app) {
    switch (app.data.panel) {
    case "sql": return statements(app);
    case "changes": return changesPanel(app);
    case "tree": return treeView(app);
    case "neighbourhood": return neighbourhoodView(app);
    default: return valueView(app);
    }
}

function statements(app) {
    const { explanation } = app.data;
    if (!explanation) return h("p.empty", { role: "status" }, "Asking the store…");
    if (explanation.error) return h("p.empty", { role: "alert" }, sentence(explanation.error));
    return explanation.statements.map((statement, index) => h("div.statement", { key: index },
        h("pre.code-view", { id: "statement" }, statement.text),
        part("Parameters", statement.parameters),
        part("Plan", statement.plan), part("In words", statement.advice), proposedIndexes(app, statement.indexes)));
}

function part(title, lines) {
    return lines.length > 0 && h("section.statement-part", { key: title, "aria-label": title }, h("h3", null, title),
        h("ul", null, lines.map((line, index) => h("li", { key: index }, sentence(line)))));
}
