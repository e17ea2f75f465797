/** A problem document of the service, as an error. */
export class Problem extends Error {
    constructor(document) {
        super(document.detail ?? "The request failed.");
        this.status = document.status;
        this.type = document.type ?? "";
        /** What is wrong with each property: `{property, detail}`. */
        this.errors = document.errors ?? [];
    }
}

/**
 * Sends a request, and gives the JSON of the answer; null where there is none.
 *
 * @param {string} method
 * @param {string} path
 * @param {{body?: object, version?: string}} options The version is that of the object that was read.
 * @throws {Problem}
 */
export async function send(method, path, { body, version } = {}) {
    const headers = {};
    if (body) headers["Content-Type"] = "application/json";
    if (version) headers["If-Match"] = `"${version}"`;
    let response;
    try {
        response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    } catch {
        throw new Problem({ detail: "The service can't be reached." });
    }
    if (response.status === 204) return null;
    const value = await response.json().catch(() => ({}));
    if (!response.ok) throw new Problem(value);
    return value;
}
