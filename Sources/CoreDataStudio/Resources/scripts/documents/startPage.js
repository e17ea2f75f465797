import { follow } from "../net/events.js";
import { drawSteadily } from "../ui/drawing.js";
import { button } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { Toasts } from "../ui/toasts.js";
import { showMessage } from "../ui/dialogs.js";
import { shortcutTitle } from "../ui/shortcuts.js";
import { h, mount } from "../ui/view.js";
import { documentCommands } from "./commands.js";
import { documents } from "./documents.js";
import { readRecent, recentList } from "./recent.js";
import { startDocuments } from "./start.js";

/** The page of a studio in which nothing is open. */
async function start() {
    const app = { toasts: new Toasts(document.getElementById("toasts")) };
    const root = document.getElementById("app");
    let recent = [];
    let isConnected = true;
    const draw = () => mount(root, page(app, recent, isConnected, read));
    async function read() {
        recent = await readRecent();
        drawSteadily(draw);
    }
    try {
        await startDocuments(app);
    } catch (error) {
        return showMessage("The studio can't be shown", error.message);
    }
    await read();
    follow("documents/events", { documents: (list) => documents.take(list) }, {
        connection: (isOpen) => { isConnected = isOpen; drawSteadily(draw); }, reconnected: read,
    });
}

function page(app, recent, isConnected, read) {
    const open = async (path) => { await documents.open({ path }).catch((error) => app.toasts.show(error.message, { isError: true })); };
    return [
        !isConnected && h("div.banner.error", { key: "banner", role: "alert" }, icon("warning"), h("span", null, "The studio can't be reached.")),
        h("main.start", { key: "main", "aria-label": "Start" },
            h("div.start-sheet", null, h("h1", null, "Studio"), h("p.quiet", null, "Open a model to edit it, or a store to see its objects. Files and folders can be dropped into the window."),
                h("div.start-actions", null,
                    button({ title: "Open…", icon: icon("folder"), id: "start-open", class: "primary", shortcut: shortcutTitle("mod+o"), action: () => documentCommands(app).open.run() }),
                    button({ title: "New Model…", icon: icon("add"), id: "start-new", action: () => documentCommands(app).newModel.run() })),
                h("section", { "aria-label": "Recent documents" }, h("h2", null, "Recent"), recentList(recent, { open, changed: read })))),
    ];
}

start();
