import { post } from "../../net/api.js";
import { showDialog } from "../../ui/dialogs.js";
import { modelText, sentence } from "../../ui/text.js";
import { h } from "../../ui/view.js";

/** How long typing pauses before the store is asked. */
const pause = 120;

/**
 * Has the person choose an object by its title: arrow keys walk, Return takes.
 *
 * @param {any} app @param {{title: string, entity: string, allowsNone?: boolean}} options
 * @returns {Promise<{id: string?}?>} The object, `{id: null}` for none, or null where the dialog was dismissed.
 */
export async function pickObject({ data }, { title, entity, allowsNone = false }) {
    let [text, found, active, isWhole, error] = ["", [], 0, true, ""];
    let turn = 0;
    let redraw = () => {};
    const ask = async (isSoon) => {
        const mine = ++turn;
        if (isSoon) await new Promise((resolve) => { setTimeout(resolve, pause); });
        if (mine !== turn) return;
        const answer = await post("store/pick", { entity, text, titles: data.titles }).catch((failure) => ({ objects: [], isWhole: true, error: failure.message }));
        if (mine !== turn) return;
        [found, active, isWhole, error] = [answer.objects, 0, answer.isWhole, answer.error ?? ""];
        redraw();
    };
    const press = (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step || found.length === 0) return;
        event.preventDefault();
        active = (active + step + found.length) % found.length;
        redraw();
        document.getElementById(`pick-${active}`)?.scrollIntoView({ block: "nearest" });
    };
    const choose = (id) => {
        const place = found.findIndex((object) => object.id === id);
        if (place >= 0) active = place;
        redraw();
    };
    return showDialog({
        title, class: "medium picker",
        body: (draw) => {
            const isFirst = redraw !== draw && found.length === 0 && turn === 0;
            redraw = draw;
            if (isFirst) ask(false);
            return [
                h("input.field", {
                    key: "text", id: "pick-text", type: "text", value: text, "aria-label": `Find an object of ${entity}`, placeholder: "Words of its title, or its identifier",
                    spellcheck: "false", autocomplete: "off", role: "combobox", "aria-expanded": "true", "aria-controls": "pick-list",
                    "aria-activedescendant": found.length ? `pick-${active}` : null, onkeydown: press,
                    oninput: (event) => { text = event.target.value; ask(true); },
                }),
                h("ul.pick-list", { key: "list", id: "pick-list", role: "listbox", "aria-label": `Objects of ${entity}` }, found.map((object, index) => h("li", {
                    key: object.id, id: `pick-${index}`, role: "option", "aria-selected": String(index === active),
                    // The list may be another one by now.
                    onclick: () => choose(object.id), ondblclick: (event) => event.currentTarget.closest("form").requestSubmit(),
                }, h("span.pick-title", null, modelText(object.title ?? object.id)), h("span.quiet", null, isNew(object.id) ? "new" : object.id)))),
                error && h("p.field-error", { key: "error", role: "alert" }, sentence(error)),
                !error && found.length === 0 && h("p.quiet", { key: "none", role: "status" }, "No object fits."),
                !isWhole && h("p.quiet", { key: "more", role: "status" }, "There are more. Type to find them."),
            ];
        },
        actions: [
            { title: "Cancel", value: null },
            ...(allowsNone ? [{ title: "None", value: { id: null } }] : []),
            { title: "Choose", value: () => ({ id: found[active].id }), isDefault: true, isEnabled: () => found.length > 0 },
        ],
    });
}

/** Whether an identifier is one of an object that is not saved. @param {string} id */
export function isNew(id) {
    return id.split("/")[1]?.startsWith("t") ?? false;
}
