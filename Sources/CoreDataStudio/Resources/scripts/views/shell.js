import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { iconButton } from "../ui/fields.js";
import { codePanel, sourcePanel } from "../code/codePanel.js";
import { inspector } from "../inspector/inspector.js";
import { graphEditor } from "../graph/graphEditor.js";
import { banners } from "./banners.js";
import { compareView } from "./compare.js";
import { entityEditor } from "./entityEditor.js";
import { configurationEditor, fetchRequestEditor, versionEditor } from "./otherEditors.js";
import { problemsPanel } from "./problems.js";
import { sidebar } from "./sidebar.js";
import { toolbar } from "./toolbar.js";

const editors = {
    entity: entityEditor, composite: entityEditor, fetchRequest: fetchRequestEditor, configuration: configurationEditor, version: versionEditor,
};

/** The whole window. */
export function shell(app) {
    const { workspace } = app;
    return [
        h("a.skip-link", { href: "#editor", key: "skip" }, "Skip to the editor"),
        toolbar(app),
        banners(app),
        h("div.columns", { key: "columns" }, sidebar(app),
            h(
                "div.center", { key: "center" },
                h("main.editor", { id: "editor", tabindex: "-1", "aria-label": "Editor" }, editor(app)),
                workspace.panel && panel(app)
            ),
            inspector(app)),
    ];
}

function editor(app) {
    const { workspace } = app;
    if (workspace.comparison) return compareView(app);
    const record = workspace.edited;
    if (workspace.style === "graph" && ![
        "fetchRequest", "configuration"
    ].includes(record?.kind)) return graphEditor(app);
    return record && editors[record.kind](app, record);
}

const panels = [["problems", "Problems"], ["code", "Code"], ["source", "Source"]];

function panel(app) {
    const { workspace } = app;
    const content = { problems: problemsPanel, code: codePanel, source: sourcePanel }[workspace.panel];
    return h("section.panel", {
        key: "panel", "aria-label": "Panel", ref: (element) => { element.style.height = `${workspace.panelHeight}px`; }
    },
        h("div.panel-grip", {
            role: "separator", "aria-orientation": "horizontal", "aria-label": "Height of the panel", tabindex: "0",
            "aria-valuenow": workspace.panelHeight, "aria-valuemin": "100", "aria-valuemax": "600",
            onpointerdown: (event) => resize(event, workspace),
            onkeydown: (event) => {
                const step = { ArrowUp: 24, ArrowDown: -24 }[event.key];
                if (step) setHeight(event.currentTarget.parentElement, workspace, workspace.panelHeight + step);
            },
        }),
        h("div.panel-tabs", { role: "tablist", "aria-label": "Panel" }, panels.map(([name, title]) => h("button.tab", {
            type: "button", role: "tab", key: name, id: `tab-${name}`, "aria-selected": String(workspace.panel === name), "aria-controls": "panel-content",
            tabindex: workspace.panel === name ? "0" : "-1", onclick: () => workspace.set({ panel: name }),
            onkeydown: (event) => turn(event, workspace),
        }, title)), h("div.spacer"), iconButton({
            title: "Close panel", icon: icon("close"), action: () => workspace.set({ panel: null })
        })),
        h(
            "div.panel-content", { id: "panel-content", role: "tabpanel", "aria-labelledby": `tab-${workspace.panel}` },
            content(app)
        ));
}

function turn(event, workspace) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = panels.map(([name]) => name);
    const next = names[(names.indexOf(workspace.panel) + step + names.length) % names.length];
    workspace.set({ panel: next });
    setTimeout(() => document.getElementById(`tab-${next}`)?.focus());
}

function resize(event, workspace) {
    const panelElement = event.currentTarget.parentElement;
    const [start, height] = [event.clientY, panelElement.offsetHeight];
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.onpointermove = (move) => setHeight(panelElement, workspace, height + start - move.clientY);
    event.currentTarget.onpointerup = (end) => { end.currentTarget.onpointermove = null; };
}

function setHeight(element, workspace, height) {
    const bounded = Math.min(Math.max(100, height), innerHeight - 240);
    element.style.height = `${bounded}px`;
    workspace.set({ panelHeight: bounded });
}
