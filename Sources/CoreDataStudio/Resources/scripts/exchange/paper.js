/** Sizes of paper in millimetres, upright. */
export const papers = {
    a4: { title: "A4", width: 210, height: 297 },
    a3: { title: "A3", width: 297, height: 420 },
    letter: { title: "Letter", width: 215.9, height: 279.4 },
    tabloid: { title: "Tabloid", width: 279.4, height: 431.8 },
};

/** Millimetres around what is printed: most printers reach so far. */
const margin = 10;
const pointsOfMillimetre = 96 / 25.4;

/**
 * How a drawing is spread over pages.
 *
 * @param {{width: number, height: number}} picture In points of the screen.
 * @param {string} paper One of `papers`, or `exact` for a page of the drawing's own size.
 * @param {string} spread `page` for one page, `tiles` for the drawing's own size.
 * @returns {{columns: number, rows: number, width: number, height: number, scale: number, isLandscape: boolean, paper: {width: number, height: number}, margin: number}}
 * `width` and `height` are what a page shows, in points of the screen; `paper` is the page in millimetres.
 */
export function tiles(picture, paper, spread) {
    if (paper === "exact") return exact(picture);
    const both = [false, true].map((isLandscape) => plan(picture, papers[paper], spread, isLandscape));
    // The way round that shows the drawing larger, or needs fewer pages; upright where that is the same.
    const [upright, wide] = both;
    const isBetter = spread === "page" ? wide.scale > upright.scale : wide.columns * wide.rows < upright.columns * upright.rows;
    return isBetter ? wide : upright;
}

function plan(picture, { width, height }, spread, isLandscape) {
    const paper = isLandscape ? { width: height, height: width } : { width, height };
    const [across, down] = [paper.width, paper.height].map((size) => Math.floor((size - 2 * margin) * pointsOfMillimetre));
    const scale = spread === "page" ? Math.min(1, across / picture.width, down / picture.height) : 1;
    // A hair more than a page is no page of its own.
    const count = (size, page) => Math.max(1, Math.ceil((size * scale) / page - 0.001));
    return {
        columns: count(picture.width, across), rows: count(picture.height, down), width: across, height: down, scale,
        isLandscape, paper, margin,
    };
}

function exact({ width, height }) {
    // No PDF has pages of more than 200 inches.
    const scale = Math.min(1, 19000 / Math.max(width, height));
    const [across, down] = [width, height].map((size) => Math.ceil(size * scale));
    const paper = { width: across / pointsOfMillimetre, height: down / pointsOfMillimetre };
    return { columns: 1, rows: 1, width: across, height: down, scale, isLandscape: width > height, paper, margin: 0 };
}

/** The rule of style that gives the pages their size. */
export function pageRule({ paper, margin: edge }) {
    // A point more than the drawing, so that no rounding makes a second page.
    const more = edge === 0 ? 0.3 : 0;
    return `@page { size: ${(paper.width + more).toFixed(3)}mm ${(paper.height + more).toFixed(3)}mm; margin: ${edge}mm; }`;
}
