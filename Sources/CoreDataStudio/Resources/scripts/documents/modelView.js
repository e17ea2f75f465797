import { keepView, keptView, scrollPlaces, scrollTo } from "./viewMemory.js";

const scrolled = [".editor-scroll", ".sidebar-lists", ".inspector-scroll"];
const remembered = ["selection", "style", "panel", "panelHeight", "showsSidebar", "showsInspector", "search"];

/** Keeps what is seen of a model, for when one comes back to its tab. */
export function keepModelView(app) {
    keepView(() => {
        const { store, workspace, graph } = app;
        const { x, y, scale } = graph?.canvas.viewport ?? {};
        return {
            ...Object.fromEntries(remembered.map((name) => [name, workspace[name]])), version: store.version,
            closedGroups: [...app.closedGroups], scroll: scrollPlaces(scrolled), viewport: workspace.style === "graph" && scale ? { x, y, scale } : null,
        };
    });
}

/** Shows what was seen when one left the tab. */
export async function restoreModelView(app) {
    const kept = keptView();
    if (!kept) return;
    const { store, workspace } = app;
    if (kept.version !== store.version && store.versions.includes(kept.version)) await store.load(kept.version);
    for (const name of remembered) if (name !== "selection" && name in kept) workspace[name] = kept[name];
    app.closedGroups = new Set(kept.closedGroups);
    app.keptViewport = kept.viewport;
    workspace.selectAll((kept.selection ?? []).filter((id) => store.record(id)));
    requestAnimationFrame(() => scrollTo(kept.scroll));
}
