/** What had the focus when the panel was opened. @type {Element?} */
let opener = null;

/**
 * Draws the window. Where drawing removes the element that has the focus, another one takes it: in the panel its content,
 * behind a panel that is closed what opened it, and else the rows.
 */
export function drawKeepingFocus(app, draw) {
    const focused = document.activeElement;
    const [hadPanel, wasInPanel] = [panel() !== null, Boolean(focused?.closest(".data-panel"))];
    draw();
    if (!hadPanel && panel()) opener = focused;
    if (!focused || focused.isConnected) return;
    const inPanel = wasInPanel ? document.getElementById("panel-content") ?? (opener?.isConnected ? opener : null) : null;
    const next = inPanel ?? document.getElementById("timeline") ?? document.getElementById("past") ?? app.grid?.root;
    /** @type {HTMLElement?} */ (next)?.focus({ preventScroll: true });
}

function panel() {
    return document.querySelector(".data-panel");
}
