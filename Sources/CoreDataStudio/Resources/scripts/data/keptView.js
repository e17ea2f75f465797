import { keepView, keptView, scrollPlaces, scrollTo } from "../documents/viewMemory.js";

const scrolled = [".sidebar-lists", ".timeline-frame"];

/** Keeps what is seen of a store, for when one comes back to its tab. */
export function keepDataView(app) {
    const { data } = app;
    keepView(() => ({
        trail: data.trail, grid: app.grid?.view ?? null, search: data.search, showsSidebar: data.showsSidebar, showsInspector: data.showsInspector,
        panel: ["sql", "changes"].includes(data.panel) ? data.panel : null, scroll: scrollPlaces(scrolled),
    }));
}

/** Shows what was seen when one left the tab. The trail is there already. */
export function restoreDataView(app) {
    const { data } = app;
    const kept = keptView();
    if (!kept) return;
    data.set({ search: kept.search, showsSidebar: kept.showsSidebar, showsInspector: kept.showsInspector });
    if (kept.panel === "sql" && data.source) data.explain();
    else if (kept.panel === "changes" && data.edits) data.set({ panel: "changes" });
    requestAnimationFrame(() => scrollTo(kept.scroll));
    if (!kept.grid || !(kept.grid.row || kept.grid.top || kept.grid.column)) return;
    const { source } = data;
    let isDone = false;
    // Rows can be gone to as soon as it is known that they are there.
    const look = () => {
        if (isDone || data.source !== source || app.grid?.source !== source || !source.isTotalKnown) return;
        isDone = true;
        app.grid.lookAt(kept.grid);
    };
    source?.addEventListener("change", () => requestAnimationFrame(look));
    requestAnimationFrame(look);
}
