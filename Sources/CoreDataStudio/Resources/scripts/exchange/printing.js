import { get } from "../net/api.js";
import { showDialog } from "../ui/dialogs.js";
import { selectField } from "../ui/fields.js";
import { h } from "../ui/view.js";
import { pageRule, papers, tiles } from "./paper.js";

/** What was chosen last, as long as the window is open. */
const chosen = { paper: standardPaper(), spread: "page" };

/** The rule that gives the pages their size, and the drawing on them. */
let [sheet, shown] = [null, null];

/** Asks how the graph comes on paper, and hands it to the browser's own dialog, which also saves it as a PDF. */
export async function printGraph(app) {
    const picture = await drawing(app);
    const isPrinted = await showDialog({
        title: "Print the Graph", class: "print-dialog",
        body: (redraw) => [
            field("Paper", "paper", Object.entries(papers).map(([id, { title }]) => [id, title]), redraw),
            field("Size", "spread", [["page", "Fit on one page"], ["tiles", "Actual size, over several pages"]], redraw),
            h("p.quiet", { key: "count", role: "status" }, countText(tiles(picture, chosen.paper, chosen.spread))),
        ],
        actions: [{ title: "Cancel", value: false }, { title: "Print…", value: true, isDefault: true }],
    });
    if (isPrinted) await show(app, picture, tiles(picture, chosen.paper, chosen.spread));
    else URL.revokeObjectURL(picture.address);
}

/** Prints the graph on one page of exactly its size: what one wants of a PDF. The browser's dialog saves it. */
export async function exportPDF(app) {
    const picture = await drawing(app);
    app.toasts.show("Choose “Save as PDF” as the destination.");
    await show(app, picture, tiles(picture, "exact", "page"));
}

function field(label, name, choices, redraw) {
    return h("label.dialog-field", { key: name }, h("span", null, label), selectField({
        label, value: chosen[name], choices, field: `print-${name}`, commit: (value) => { chosen[name] = value; redraw(); },
    }));
}

function countText({ columns, rows, isLandscape }) {
    const count = columns * rows;
    const how = count === 1 ? "1 page" : `${count} pages, ${columns} across and ${rows} down`;
    return `${how}, ${isLandscape ? "landscape" : "portrait"}.`;
}

/** The letters of America and Canada are of another size than the rest of the world's. */
function standardPaper() {
    return ["US", "CA", "MX", "PH", "CL", "CO"].includes(new Intl.Locale(navigator.language).maximize().region) ? "letter" : "a4";
}

/** The drawing as the server makes it for paper, and its size in points of the screen. */
async function drawing({ store }) {
    const { text } = await get("graph/svg", { version: store.version, paper: "true" });
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    return { address: image.src, width: image.naturalWidth, height: image.naturalHeight, title: store.document.name };
}

/** Puts the pages into the window, where paper alone shows them, and asks the browser to print. */
async function show({ store }, picture, plan) {
    clear();
    shown = picture;
    const area = document.createElement("div");
    area.id = "paper";
    area.setAttribute("aria-hidden", "true");
    for (let row = 0; row < plan.rows; row += 1) {
        for (let column = 0; column < plan.columns; column += 1) area.append(page(picture, plan, column, row));
    }
    document.body.append(area);
    document.documentElement.classList.add("prints-graph");
    sheet = new CSSStyleSheet();
    sheet.replaceSync(pageRule(plan));
    document.adoptedStyleSheets.push(sheet);
    await Promise.all([...area.querySelectorAll("img")].map((image) => image.decode()));
    area.dataset.isReady = "true";
    // The pages stay until the model changes: what the browser's own command prints then is the graph, too.
    store.addEventListener("change", clear, { once: true });
    window.print();
}

function page(picture, { width, height, scale }, column, row) {
    const tile = document.createElement("div");
    tile.className = "paper-page";
    Object.assign(tile.style, { width: `${width}px`, height: `${height}px` });
    const image = document.createElement("img");
    image.src = picture.address;
    image.alt = "";
    Object.assign(image.style, {
        width: `${picture.width * scale}px`, height: `${picture.height * scale}px`,
        left: `${-column * width}px`, top: `${-row * height}px`,
    });
    tile.append(image);
    return tile;
}

function clear() {
    document.getElementById("paper")?.remove();
    document.documentElement.classList.remove("prints-graph");
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    if (shown) URL.revokeObjectURL(shown.address);
    [sheet, shown] = [null, null];
}
