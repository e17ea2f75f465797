import { access } from "./access.js";

/** The server's side of the editor: requests that answer with a value or throw a `ServerError`. */

export class ServerError extends Error {
    /**
     * @param {number} status
     * @param {{code: string, message: string}} error
     * @param {any} [body] The whole answer; of a conflict it has the present state.
     */
    constructor(status, error, body) {
        super(error.message);
        this.status = status;
        this.code = error.code;
        this.body = body;
    }
}

/** Names this tab in what it does. */
export const client = crypto.randomUUID();

async function answer(request) {
    let response;
    try {
        response = await request;
    } catch {
        throw new ServerError(0, { code: "unreachable", message: "The studio has ended, or can't be reached." });
    }
    const body = await response.json().catch(() => null);
    if (response.ok) return body;
    const error = body?.error ?? { code: "internal", message: `The studio answered with ${response.status}.` };
    throw new ServerError(response.status, error, body);
}

/** The headers of a request, which may be about another document than the page. @param {string} [id] */
const headersFor = (id) => (id ? { ...access, "Studio-Document": id } : access);

/**
 * @param {string} path Below `/api/`.
 * @param {Object<string, string|number|null|undefined>} [query]
 * @param {{document?: string}} [options] `document`: another one than that of the page.
 */
export function get(path, query = {}, { document: id } = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const search = given.length ? `?${new URLSearchParams(given)}` : "";
    return answer(fetch(`/api/${path}${search}`, { credentials: "same-origin", headers: headersFor(id) }));
}

/**
 * @param {string} path Below `/api/`.
 * @param {Object<string, any>} body
 * @param {{keepalive?: boolean, document?: string}} [options] `keepalive` for what is sent when the page goes; `document`: another one than that of the page.
 */
export function post(path, body, { document: id, ...options } = {}) {
    return answer(fetch(`/api/${path}`, {
        method: "POST", credentials: "same-origin", headers: { ...headersFor(id), "Content-Type": "application/json" },
        body: JSON.stringify(body), ...options,
    }));
}

/**
 * The bytes that a path answers with.
 *
 * @param {string} path Below `/api/`.
 * @param {Object<string, string|number>} query
 * @returns {Promise<Uint8Array>}
 */
export async function bytes(path, query) {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await fetch(`/api/${path}?${search}`, { credentials: "same-origin", headers: access }).catch(() => null);
    if (!response?.ok) return answer(Promise.resolve(response ?? Promise.reject(new Error("unreachable"))));
    return new Uint8Array(await response.arrayBuffer());
}

/**
 * Sends the bytes of a file.
 *
 * @param {string} path Below `/api/`.
 * @param {Object<string, string>} query
 * @param {Blob} file
 */
export function send(path, query, file) {
    return answer(fetch(`/api/${path}?${new URLSearchParams(query)}`, {
        method: "POST", credentials: "same-origin", headers: { ...access, "Content-Type": "application/octet-stream" }, body: file,
    }));
}
