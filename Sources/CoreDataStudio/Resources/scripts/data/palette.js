import { documentChoices, documentCommandChoices } from "../documents/commands.js";
import { openPalette } from "../ui/palette.js";
import { matches, shortcutTitle } from "../ui/shortcuts.js";

/** Has the palette opened by its key. */
export function listenForPalette(app) {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open], .menu") || !matches(event, "mod+k")) return;
        event.preventDefault();
        openPalette(() => choices(app));
    });
}

/** What can be done with documents, and where one can go. */
function choices(app) {
    const { data } = app;
    const entities = data.entities.map(({ name }) => ({ title: name, kind: "entity", detail: "Go to", run: () => data.openEntity(name) }));
    const history = data.schema.hasHistory ? [{ title: "History", detail: "Go to", run: () => data.openHistory() }] : [];
    return [...documentCommandChoices(app), ...documentChoices(), ...entities, ...history];
}
