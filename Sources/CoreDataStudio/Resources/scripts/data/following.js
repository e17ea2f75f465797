import { documents } from "../documents/documents.js";
import { follow } from "../net/events.js";
import { readAgain } from "./editing/live.js";
import { outdateValues } from "./pictures.js";

/**
 * Has a window that only reads follow what others save, as long as it is seen. A window behind others gives its stream up:
 * a browser opens few connections to a server.
 */
export function startFollowing(data) {
    /** @type {AbortController?} */
    let stream = null;
    const begin = () => {
        stream = new AbortController();
        const { signal } = stream;
        follow("store/events", { store: () => storeChanged(data), replaced: () => location.reload() }, {
            signal, reconnected: () => storeChanged(data),
            connection: (isOpen) => { if (!signal.aborted && data.isConnected !== isOpen) data.set({ isConnected: isOpen }); },
        });
    };
    document.addEventListener("visibilitychange", () => {
        stream?.abort();
        if (document.hidden) return;
        begin();
        documents.refresh();
        storeChanged(data);
    });
    if (!document.hidden) begin();
}

/** The store has other objects than before. */
export function storeChanged(data) {
    outdateValues();
    data.count();
    readAgain(data, true);
}
