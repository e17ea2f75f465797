import { download } from "../graph/exporting.js";
import { get } from "../net/api.js";
import { shortcutTitle } from "../ui/shortcuts.js";
import { exportPDF, printGraph } from "./printing.js";

/** The languages of other tools that a model is written in. */
const languages = [
    { id: "exportDBML", language: "dbml", title: "DBML" },
    { id: "exportMermaid", language: "mermaid", title: "Mermaid" },
    { id: "exportSQL", language: "sql", title: "SQL of SQLite" },
    { id: "exportPostgreSQL", language: "postgresql", title: "SQL of PostgreSQL" }
];

/** The commands that bring the graph on paper, and write the model for other tools as `coredata model export` does. */
export function exportCommands(app) {
    const told = (run) => async () => {
        try { await run(app); } catch (error) { app.toasts.show(error.message, { isError: true }); }
    };
    return {
        exportPDF: { title: () => "Export Graph as PDF…", run: told(exportPDF) },
        print: { title: () => "Print Graph…", shortcut: "mod+p", run: told(printGraph) },
        ...Object.fromEntries(languages.map(({ id, language, title }) => [
            id, { title: () => `Export Model as ${title}`, run: told(() => exportModel(app, language)) }
        ])),
    };
}

/** The same for a menu. */
export function exportItems(commands) {
    return [
        { title: "Export as PDF…", action: () => commands.run("exportPDF") },
        { title: "Print…", shortcut: shortcutTitle("mod+p"), action: () => commands.run("print") },
        null, ...languages.map(({ id, title }) => ({ title: `Export as ${title}`, action: () => commands.run(id) }))
    ];
}

async function exportModel({ store }, language) {
    const answer = await get("export", { version: store.version, language });
    download(new Blob([answer.text], { type: "text/plain" }), `${store.document.name}.${answer.extension}`);
}
