import { get } from "../net/api.js";

/** The drawing as a file that needs nothing beside it. The server draws it, as `coredata model graph` does. */
export async function svgText({ store }) {
    return (await get("graph/svg", { version: store.version })).text;
}

/** The drawing as a picture, at twice the size for fine screens. @param {string} svg @returns {Promise<Blob>} */
export async function picture(svg) {
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    try {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = document.createElement("canvas");
        const factor = Math.min(2, 8192 / Math.max(image.naturalWidth, image.naturalHeight));
        canvas.width = Math.round(image.naturalWidth * factor);
        canvas.height = Math.round(image.naturalHeight * factor);
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((resolve, reject) => canvas.toBlob(
            (blob) => (blob ? resolve(blob) : reject(new Error("The drawing is too large for a picture."))), "image/png"
        ));
    } finally {
        URL.revokeObjectURL(address);
    }
}

/** Hands a file to the user. */
export function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
