import { documents } from "../documents/documents.js";
import { startDocuments } from "../documents/start.js";
import { showMessage } from "../ui/dialogs.js";
import { drawingSoon } from "../ui/drawing.js";
import { plainText } from "../ui/text.js";
import { Toasts } from "../ui/toasts.js";
import { mount } from "../ui/view.js";
import { DataBrowser } from "./browser.js";
import { listenForKeys } from "./commands.js";
import { reveal } from "./editing/gridEditing.js";
import { drawKeepingFocus } from "./keptFocus.js";
import { keepDataView, restoreDataView } from "./keptView.js";
import { shell } from "./shell.js";

/** Starts the data browser: what there is, tied together, and drawn whenever something changes. */
async function start() {
    const root = document.getElementById("app");
    const data = new DataBrowser();
    const app = { data, grid: null, toasts: new Toasts(document.getElementById("toasts")) };
    data.addEventListener("change", drawingSoon(() => {
        drawKeepingFocus(app, () => mount(root, shell(app)));
        if (data.edits) documents.know(data.edits.state.count > 0);
        if (data.source && app.grid?.source !== data.source) {
            app.grid?.show(data.source, data.shownColumns, data.place.sort, `Rows of ${plainText(data.place.title)}`);
        }
        document.title = `${plainText(data.place?.title ?? "")} – ${plainText(data.schema.name)} – Studio`;
    }));
    data.addEventListener("rows", () => app.grid?.draw());
    data.addEventListener("reveal", (event) => { if (app.grid) reveal(app.grid, event.detail); });
    data.addEventListener("columns", () => app.grid?.arrange(data.shownColumns, data.place.sort));
    try {
        if (!await startDocuments(app, "store")) return;
        await data.load();
    } catch (error) {
        return showMessage("The store can't be shown", error.message);
    }
    data.memory.addEventListener("failure", ({ detail }) => app.toasts.show(`What you set is not remembered: ${plainText(detail.message)}`, { isError: true }));
    listenForKeys(app);
    restoreDataView(app);
    keepDataView(app);
}

start();
