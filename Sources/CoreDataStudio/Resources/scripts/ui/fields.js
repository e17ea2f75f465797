import { accept, refuse } from "./advice.js";
import { withLineEndsOf } from "./lineEnds.js";
import { plainText, visible } from "./text.js";
import { h, isChanged, isEdited, revert } from "./view.js";

/**
 * Fields that give their value when one leaves them or presses Return, and take back what was typed on Escape.
 *
 * @typedef {{label: string, value: any, commit: (value: any) => any, element?: string, field?: string, id?: string,
 *   placeholder?: string, disabled?: boolean, describedBy?: string, severity?: string|null, keydown?: (event: any) => void,
 *   class?: string, list?: string, hidesLabel?: boolean,
 *   check?: (text: string) => Promise<string|null>|string|null}} Options `check` says why a text is refused, in a sentence.
 */

/** @param {Options} options */
function common({ label, element, field, id, disabled = false, describedBy, severity }) {
    return {
        "aria-label": plainText(label), "data-element": element, "data-field": field, id, disabled,
        "aria-describedby": describedBy, "aria-invalid": severity === "error" ? "true" : null,
        "data-severity": severity ?? null,
    };
}


/** Fields with a value on its way: Return gives it, and so does leaving the field, which Return may lead to. */
const given = new WeakSet();

/** A line of text. @param {Options} options */
export function textField(options) {
    const { value, commit, placeholder, keydown, list, check } = options;
    const finish = async ({ target }) => {
        if (given.has(target)) return;
        if (!isChanged(target)) return accept(target);
        given.add(target);
        checks.delete(target);
        const text = target.value;
        const refusal = await check?.(text);
        if (refusal) {
            given.delete(target);
            return stop(target, refusal, options);
        }
        accept(target);
        const answer = await commit(text);
        given.delete(target);
        if (answer === false || answer === null) revert(target);
    };
    return h("input.field", {
        ...common(options), class: options.class, type: "text", value: value ?? "", placeholder, list,
        spellcheck: "false", autocomplete: "off",
        onchange: finish, onblur: finish,
        oninput: check && (({ target }) => (isChanged(target) ? checkSoon(target, check) : accept(target))),
        onkeydown: (event) => {
            if (event.key === "Escape" && isEdited(event.target)) {
                checks.delete(event.target);
                accept(event.target);
                revert(event.target);
                event.stopPropagation();
                event.preventDefault();
            } else if (event.key === "Enter" && !event.isComposing) finish(event);
            keydown?.(event);
        },
    });
}

/** The last check of a field that is under way. @type {WeakMap<object, object>} */
const checks = new WeakMap();

/** Checks what is typed in a field, as soon as typing pauses, and marks the field where it is refused. */
export async function checkSoon(target, check) {
    const turn = {};
    checks.set(target, turn);
    await new Promise((resolve) => setTimeout(resolve, 120));
    if (checks.get(target) !== turn) return;
    const refusal = await check(target.value);
    if (checks.get(target) !== turn || document.activeElement !== target) return;
    if (refusal) refuse(target, refusal);
    else accept(target);
}

/** Return leaves a refused text to be mended. Leaving the field gives it up, and says why. */
function stop(target, refusal, { onRefusal }) {
    if (document.activeElement === target) return refuse(target, refusal);
    accept(target);
    revert(target);
    onRefusal?.(refusal);
}

/** A number or nothing. @param {Options & {isInteger?: boolean}} options */
export function numberField(options) {
    const field = textField({
        ...options, commit: (text) => options.commit(text.trim() ? Number(text) : null),
        check: (text) => (Number.isFinite(Number(text)) ? options.check?.(text.trim() ? Number(text) : null) : `“${text}” is not a number.`),
    });
    field.props.inputmode = "numeric";
    field.props.class += " number";
    return field;
}

/** Several lines, which keep the line ends of the value. @param {Options & {rows?: number}} options */
export function textArea(options) {
    const before = options.value ?? "";
    return h("textarea.field", {
        ...common(options), rows: options.rows ?? 3, value: before, spellcheck: "false",
        placeholder: options.placeholder,
        onchange: ({ target }) => {
            const text = withLineEndsOf(before, target.value);
            if (text !== before) options.commit(text);
        },
    });
}

/** Yes or no, with its words beside it. @param {Options} options */
export function checkField(options) {
    const { label, value, commit, hidesLabel } = options;
    const box = h("input.check", {
        ...common(options), type: "checkbox", checked: Boolean(value), indeterminate: value === null && options.class === "three",
        onchange: (event) => commit(event.target.checked),
        onkeydown: options.keydown,
    });
    return hidesLabel ? box : h("label.checkline", null, box, h("span", { "aria-hidden": "true" }, label));
}

/**
 * One of several. A choice is a value and its title, and may be disabled.
 *
 * @param {Options & {choices: [any, string][]}} options
 */
export function selectField(options) {
    const { value, commit, choices, keydown } = options;
    const known = choices.some(([choice]) => (choice ?? "") === (value ?? ""));
    const all = known ? choices : [[value, options.placeholder ?? String(value)], ...choices];
    return h("select.field", {
        ...common(options), class: options.class, onkeydown: keydown,
        onchange: async (event) => {
            const choice = all[event.target.selectedIndex][0];
            // Typing a choice's name chooses several on the way.
            const answer = await commit(choice, { merge: `${options.element}.${options.field}` });
            if (answer === false || answer === null) event.target.value = value ?? "";
        },
    }, all.map(([choice, title]) => h(
        "option", { value: choice ?? "", selected: (choice ?? "") === (value ?? ""), key: String(choice) }, visible(title)
    )));
}

/** A button. @param {{title: string, action: (event: any) => any, icon?: any, class?: string, disabled?: boolean, shortcut?: string, label?: string}} options */
export function button({ title, action, icon, class: name, disabled = false, shortcut, label, ...others }) {
    return h("button.button", {
        type: "button", class: name, onclick: action, disabled, title: plainText(shortcut ? `${label ?? title} (${shortcut})` : label ?? title),
        "aria-label": plainText(label ?? title), ...others,
    }, icon, icon && others.iconOnly ? null : h("span", null, title));
}

/** A button that is a picture, with its words for screen readers and for the pointer. */
export function iconButton({ title, icon, action, shortcut, disabled = false, class: name, ...others }) {
    return h("button.icon-button", {
        type: "button", class: name, onclick: action, disabled, "aria-label": plainText(title),
        title: plainText(shortcut ? `${title} (${shortcut})` : title), ...others,
    }, icon);
}
