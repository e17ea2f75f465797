import { h, mount } from "./view.js";
import { badge } from "./icons.js";
import { modelText } from "./text.js";

/**
 * A field that finds commands and things by their words.
 *
 * @param {() => {title: string, detail?: string, shortcut?: string, kind?: string, run: () => any}[]} choices
 */
export function openPalette(choices) {
    const dialog = document.createElement("dialog");
    dialog.className = "palette";
    dialog.setAttribute("aria-label", "Command palette");
    document.body.append(dialog);
    const all = choices();
    let [text, active] = ["", 0];
    const close = () => { dialog.close(); dialog.remove(); };
    const run = (choice) => { close(); choice?.run(); };
    const draw = () => {
        const found = ranked(all, text);
        active = Math.min(active, Math.max(0, found.length - 1));
        mount(dialog, h("input.palette-input", {
            type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list", "aria-label": "Command or name",
            "aria-activedescendant": found.length ? `palette-${active}` : null, placeholder: "Type a command or a name", spellcheck: "false", autocomplete: "off",
            oninput: (event) => { text = event.target.value; active = 0; draw(); },
            onkeydown: (event) => {
                const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (step && found.length) { active = (active + step + found.length) % found.length; draw(); }
                else if (event.key === "Enter") run(found[active]);
                else return;
                event.preventDefault();
                dialog.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
            },
        }), h("ul", {
            id: "palette-list", role: "listbox", "aria-label": "Choices"
        }, found.map((choice, index) => h("li", {
            key: `${choice.kind ?? ""} ${choice.title}`, id: `palette-${index}`, role: "option", "aria-selected": String(index === active), onclick: () => run(choice),
        }, choice.kind && badge(choice.kind), h(
            "span.palette-title", null, modelText(choice.title)
        ), choice.detail && h("span.quiet", null, choice.detail), choice.shortcut && h("kbd", null, choice.shortcut)))),
        found.length === 0 && h("p.empty", { role: "status" }, "Nothing of that name."));
    };
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
    draw();
    dialog.showModal();
    dialog.querySelector("input")?.focus();
}

/** Choices that have the letters in their order, those with the words first. */
function ranked(choices, text) {
    const wanted = text.toLowerCase().replaceAll(" ", "");
    if (!wanted) return choices.slice(0, 60);
    return choices.map((choice) => ({ choice, rank: rank(choice.title.toLowerCase(), text.toLowerCase(), wanted) }))
        .filter(({ rank: value }) => value !== null).sort((a, b) => a.rank - b.rank).slice(0, 60).map(({ choice }) => choice);
}

function rank(title, text, wanted) {
    const at = title.indexOf(text);
    if (at >= 0) return at + title.length / 1000;
    let place = 0;
    for (const letter of wanted) {
        place = title.indexOf(letter, place) + 1;
        if (place === 0) return null;
    }
    return 1000 + place;
}
