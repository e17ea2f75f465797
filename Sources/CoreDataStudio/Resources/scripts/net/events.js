import { client } from "./api.js";

/**
 * Listens to what others change, and to the end of the server.
 *
 * @param {{update: (update: any) => void, disk: (disk: any) => void, connection: (isOpen: boolean) => void,
 *   reconnected: () => void, closing: () => void}} handlers
 */
export function listen(handlers) {
    const source = new EventSource(`/api/events?client=${encodeURIComponent(client)}`);
    let wasLost = false;
    source.addEventListener("open", () => {
        handlers.connection(true);
        if (wasLost) handlers.reconnected();
        wasLost = false;
    });
    source.addEventListener("error", () => {
        wasLost = true;
        handlers.connection(false);
    });
    source.addEventListener("update", (event) => handlers.update(JSON.parse(event.data)));
    source.addEventListener("disk", (event) => handlers.disk(JSON.parse(event.data).disk));
    source.addEventListener("closing", () => handlers.closing());
    return source;
}
