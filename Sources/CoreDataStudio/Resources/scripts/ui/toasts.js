import { sentence } from "./text.js";
import { h, mount } from "./view.js";

/** Short messages in the corner, read out by screen readers. Errors stay until they are closed. */
export class Toasts {
    #container;
    #messages = [];
    #next = 0;

    /** @param {Element} container */
    constructor(container) {
        this.#container = container;
        this.#draw();
    }

    /** @param {string} text @param {{isError?: boolean}} [options] */
    show(text, { isError = false } = {}) {
        const id = this.#next++;
        this.#messages = [
            ...this.#messages.filter((message) => message.text !== text).slice(-3), { id, text, isError }
        ];
        this.#draw();
        setTimeout(() => this.#remove(id), isError ? 12000 : 3500);
    }

    #remove(id) {
        this.#messages = this.#messages.filter((message) => message.id !== id);
        this.#draw();
    }

    #draw() {
        mount(this.#container, this.#messages.map(({ id, text, isError }) => h("div.toast", {
            key: id, class: isError ? "error" : "", role: isError ? "alert" : "status",
        }, h("span", null, sentence(text)), h(
            "button.icon-button", { type: "button", "aria-label": "Close message", onclick: () => this.#remove(id) },
            "×"
        ))));
    }
}
