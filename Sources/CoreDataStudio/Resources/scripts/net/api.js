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

/** The requests about the page's document that have no answer yet. @type {Set<Promise<unknown>>} */
const underWay = new Set();

/** What new requests about the page's document wait for: null unless it is being closed. @type {Promise<void>?} */
let held = null;

/** How long a document that is closed waits for the answers to what was asked before, in milliseconds. */
const patience = 500;

/**
 * Closes the page's document. Its requests are answered first, unless that takes long. What is asked from now on is sent
 * only if the document stays open: of a closed one the studio knows nothing.
 *
 * @template T @param {() => Promise<T>} close @returns {Promise<T>}
 */
export async function closing(close) {
    let stays = () => {};
    held = new Promise((resolve) => { stays = resolve; });
    await Promise.race([Promise.allSettled(underWay), new Promise((resolve) => { setTimeout(resolve, patience); })]);
    try {
        return await close();
    } catch (error) {
        held = null;
        stays();
        throw error;
    }
}

/** What was asked in turn last. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Asks when what was asked in turn before is answered: requests overtake each other on their way, and a save is to have what
 * was typed before. What waits for its turn when the document is closed is still asked before that.
 *
 * @template T @param {(turn: {isEarlier: boolean}) => Promise<T>} ask What it gets are options of its request. @returns {Promise<T>}
 */
export function inTurn(ask) {
    const isEarlier = !held;
    const turn = last.then(() => ask({ isEarlier }));
    last = turn.catch(() => { /* the caller gets the error */ });
    const asked = last;
    underWay.add(asked);
    asked.then(() => underWay.delete(asked));
    return turn;
}

/** Waits for the answers to what was asked in turn. */
export const turns = () => last;

/**
 * @param {string} path
 * @param {RequestInit & {isEarlier?: boolean}} options `isEarlier`: asked before the document began to be closed.
 * @param {string} [id] Another document than that of the page.
 */
async function request(path, { isEarlier = false, ...options }, id) {
    const isOwn = !id && !path.startsWith("documents");
    if (isOwn && held && !isEarlier) await held;
    const sent = fetch(`/api/${path}`, { credentials: "same-origin", ...options });
    if (isOwn) {
        underWay.add(sent);
        sent.catch(() => { /* the caller gets the error */ }).finally(() => underWay.delete(sent));
    }
    return sent;
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
    return answer(request(`${path}${search}`, { headers: headersFor(id) }, id));
}

/**
 * @param {string} path Below `/api/`.
 * @param {Object<string, any>} body
 * @param {{keepalive?: boolean, document?: string, isEarlier?: boolean}} [options] `keepalive` for what is sent when the page goes; `document`: another one than that of the page.
 */
export function post(path, body, { document: id, ...options } = {}) {
    const headers = { ...headersFor(id), "Content-Type": "application/json" };
    return answer(request(path, { method: "POST", headers, body: JSON.stringify(body), ...options }, id));
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
    const response = await request(`${path}?${search}`, { headers: access }).catch(() => null);
    if (!response?.ok) return answer(Promise.resolve(response ?? Promise.reject(new Error("unreachable"))));
    return new Uint8Array(await response.arrayBuffer());
}

/**
 * Sends the bytes of a file.
 *
 * @param {string} path Below `/api/`.
 * @param {Object<string, string>} query
 * @param {Blob} file
 * @param {{isEarlier?: boolean}} [options]
 */
export function send(path, query, file, options) {
    const headers = { ...access, "Content-Type": "application/octet-stream" };
    return answer(request(`${path}?${new URLSearchParams(query)}`, { method: "POST", headers, body: file, ...options }));
}
