/**
 * When the page is drawn: soon after something changed, and once for all that changed until then; but not between the press
 * and the release of a button.
 *
 * One types a number and presses “Add…”. The press leaves the field, its value is sent, and the answer takes the line away
 * that said what was wrong. Drawn at once, the button would move from under the mouse before it is let go of, and nothing
 * would be clicked.
 */

/** What one clicks. */
const clickable = "button, a, label, summary, input[type=checkbox], input[type=radio], [role=option], [role=tab]";
/** What the press is enough for: a list opens, and a field takes the focus. */
const pressable = "select, textarea, input:not([type=checkbox], [type=radio])";
/** How far the mouse moves before it is a drag, in pixels: what is dragged is drawn on the way. */
const slack = 4;

/** Where the mouse was pressed on something to click; null where it is not. @type {{x: number, y: number}?} */
let press = null;
/** What is drawn when the button is let go of. @type {Set<() => void>} */
const held = new Set();

function release() {
    press = null;
    const all = [...held];
    held.clear();
    for (const draw of all) draw();
}

addEventListener("pointerdown", ({ button, target, clientX: x, clientY: y }) => {
    if (button !== 0 || !(target instanceof Element) || target.closest(pressable)) return;
    const found = target.closest(clickable);
    // An answer may enable what is disabled.
    if (found && !found.matches(":disabled")) press = { x, y };
}, true);
addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
    if (press && (!buttons || Math.hypot(clientX - press.x, clientY - press.y) > slack)) release();
}, true);
// The click comes after this event. What it opens is drawn at once, and what was held soon after.
addEventListener("pointerup", () => { if (press) setTimeout(release); }, true);
addEventListener("click", () => {
    press = null;
    if (held.size > 0) setTimeout(release);
}, true);
addEventListener("pointercancel", () => { if (press) release(); }, true);
addEventListener("blur", () => { if (press) release(); });

/** Draws, now or when the button is let go of. @param {() => void} draw Always the same function for the same part of the page. */
export function drawSteadily(draw) {
    if (press) held.add(draw);
    else draw();
}

/** What asks for a drawing, as often as something changes. @param {() => void} draw @returns {() => void} */
export function drawingSoon(draw) {
    let isScheduled = false;
    const begin = () => {
        isScheduled = false;
        drawSteadily(draw);
    };
    return () => {
        if (isScheduled) return;
        isScheduled = true;
        queueMicrotask(begin);
    };
}
