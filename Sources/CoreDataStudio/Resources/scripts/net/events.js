import { documents } from "../documents/documents.js";
import { access } from "./access.js";
import { client, get } from "./api.js";

/** How long to wait before the next try, in milliseconds. */
const pause = 2000;

/**
 * Listens to what others change, and to the end of the server. An `EventSource` can't send the header that the studio asks
 * for, so the stream is read here.
 *
 * @param {{update: (update: any) => void, disk: (disk: any) => void, connection: (isOpen: boolean) => void,
 *   reconnected: () => void, closing: (end: any) => void}} handlers
 */
export function listen(handlers) {
    const take = {
        update: handlers.update, disk: (data) => handlers.disk(data.disk), closing: handlers.closing
    };
    return follow("events", take, handlers);
}

/**
 * Reads a stream of events for as long as the page is there.
 *
 * @param {string} path Below `/api/`.
 * @param {Object<string, (data: any) => void>} take What is done with an event, by its name.
 * @param {{connection: (isOpen: boolean) => void, reconnected: () => void, signal?: AbortSignal}} handlers `signal` ends it sooner.
 */
export async function follow(path, take, handlers) {
    // Every stream tells of the documents too: a browser opens few connections to a server.
    take = { documents: (list) => documents.take(list), ...take };
    for (let isFirst = true; ; isFirst = false) {
        try {
            const response = await fetch(`/api/${path}?client=${encodeURIComponent(client)}`, {
                credentials: "same-origin", headers: access, signal: handlers.signal
            });
            if (response.status === 404 || !isFirst) documents.take(await get("documents"));
            if (!response.ok) throw new Error(`The studio answered with ${response.status}.`);
            handlers.connection(true);
            if (!isFirst) handlers.reconnected();
            for await (const { name, data } of events(response.body)) take[name]?.(JSON.parse(data));
        } catch { /* the connection is lost; the banner says so */ }
        if (handlers.signal?.aborted) return;
        handlers.connection(false);
        await new Promise((resolve) => { setTimeout(resolve, pause); });
    }
}

/** The events of a stream, without its comments. @param {ReadableStream<Uint8Array>} stream */
async function* events(stream) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let pending = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const parts = (pending + value).split("\n\n");
        pending = parts.pop();
        for (const part of parts) {
            const lines = part.split("\n");
            const line = (prefix) => lines.find((text) => text.startsWith(prefix))?.slice(prefix.length);
            const data = line("data: ");
            if (data !== undefined) yield { name: line("event: ") ?? "message", data };
        }
    }
}
