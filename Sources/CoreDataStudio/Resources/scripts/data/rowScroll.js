export const rowHeight = 28;
/** No element of a browser is higher than some 33 million pixels. */
const mostPixels = 12e6;

/**
 * Which rows a scroll position means. Where the rows are higher than an element can be, the scroll bar has a scale:
 * dragging it goes far, turning the wheel goes row by row all the same.
 */
export class RowScroll {
    /** Where the window begins, in pixels of all rows. */
    top = 0;
    #total = 0;
    #view = 0;
    #last = 0;

    /** @param {number} rows @param {number} view The height in which rows are seen. */
    measure(rows, view) {
        [this.#total, this.#view] = [rows * rowHeight, view];
        this.top = Math.max(0, Math.min(this.top, this.#total - view));
    }

    get height() {
        return Math.min(this.#total, mostPixels);
    }

    get #isScaled() {
        return this.#total > mostPixels;
    }

    /** Takes over where an element was scrolled to. */
    follow(scrollTop) {
        const step = scrollTop - this.#last;
        this.#last = scrollTop;
        if (!this.#isScaled) this.top = scrollTop;
        else if (scrollTop <= 0) this.top = 0;
        else if (scrollTop >= this.height - this.#view - 1) this.top = this.#total - this.#view;
        else if (Math.abs(step) < this.#view) this.top = this.top + step;
        else this.top = scrollTop * (this.#total - this.#view) / (this.height - this.#view);
        this.top = Math.max(0, Math.min(this.top, this.#total - this.#view));
    }

    /** Where an element has to be scrolled to, to show what lies at a height. */
    position(top) {
        this.top = Math.max(0, Math.min(top, this.#total - this.#view));
        const scrollTop = this.#isScaled ? this.top * (this.height - this.#view) / (this.#total - this.#view) : this.top;
        this.#last = Math.round(scrollTop);
        return this.#last;
    }
}
