import { send } from "./api.js";
import { Deletion, Editor } from "./editor.js";
import { List } from "./list.js";

const find = (id) => document.getElementById(id);
const teamEditor = new Editor(find("team-dialog"), "teams", "team");
const playerEditor = new Editor(find("player-dialog"), "players", "player");
const deletion = new Deletion(find("delete-dialog"));
const teams = new List("teams", ["name"], drawTeams);
const players = new List("players", ["lastName", "firstName"], drawPlayers);

// MARK: Drawing. Values are texts: nothing of them becomes HTML.

function element(name, { text, ...properties } = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
}

function button(text, label, action) {
    const made = element("button", { text, className: "small", type: "button", onclick: action });
    made.setAttribute("aria-label", label);
    return made;
}

/** Draws rows anew, and gives the focus back to the control that had it. */
function draw(parent, rows) {
    const focused = document.activeElement;
    const row = focused?.closest?.("[data-id]");
    const place = row && parent.contains(row) ? [row.dataset.id, [...row.querySelectorAll("button")].indexOf(focused)] : null;
    parent.replaceChildren(...rows);
    if (!place) return;
    const same = rows.find((other) => other.dataset.id === place[0]);
    same?.querySelectorAll("button")[place[1]]?.focus();
}

function drawTeams(list, fresh) {
    const rows = list.items.map((team) => {
        const swatch = element("span", { className: "swatch" });
        if (team.uniformColor) swatch.style.backgroundColor = team.uniformColor;
        const choose = element("button", { className: "choose", type: "button", onclick: () => chooseTeam(team) }, swatch,
            element("span", { text: team.name }));
        choose.setAttribute("aria-pressed", String(players.team === team.id));
        const row = element("li", {}, choose,
            button("Edit", `Edit ${team.name}`, () => edit("teams", team)),
            button("Delete", `Delete ${team.name}`, () => deletion.open("teams", team, team.name)));
        return finish(row, team, fresh, players.team === team.id ? ["chosen"] : []);
    });
    draw(find("team-rows"), rows);
    find("team-empty").hidden = rows.length > 0;
    find("more-teams").hidden = !list.next;
}

const money = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

function drawPlayers(list, fresh) {
    const rows = list.items.map((player) => {
        const name = `${player.firstName} ${player.lastName}`;
        const row = element("tr", {},
            Object.assign(element("th", { text: name }), { scope: "row" }),
            element("td", { text: player.team?.title ?? "" }),
            element("td", { text: player.email ?? "" }),
            element("td", { text: player.dateOfBirth ?? "", className: "day" }),
            element("td", { text: player.salary === null ? "" : money.format(player.salary), className: "number" }),
            element("td", { className: "actions" },
                button("Edit", `Edit ${name}`, () => edit("players", player)), " ",
                button("Delete", `Delete ${name}`, () => deletion.open("players", player, name))));
        return finish(row, player, fresh);
    });
    draw(find("player-rows"), rows);
    find("player-empty").hidden = rows.length > 0;
    find("more-players").hidden = !list.next;
}

function finish(row, item, fresh, classes = []) {
    row.dataset.id = item.id;
    if (fresh.has(item.id)) classes = [...classes, "fresh"];
    if (classes.length) row.className = classes.join(" ");
    return row;
}

// MARK: What a person does

/** Runs something that may fail, and says so above the lists. */
async function attempt(action) {
    try {
        await action();
        find("notice").hidden = true;
    } catch (problem) {
        find("notice").textContent = problem.message;
        find("notice").hidden = false;
    }
}

function chooseTeam(team) {
    players.team = players.team === team?.id ? null : team?.id ?? null;
    find("players-title").textContent = players.team ? `Players of ${team.name}` : "Players";
    find("all-players").hidden = !players.team;
    drawTeams(teams, new Set());
    attempt(() => players.reload());
}

function edit(name, item) {
    if (name === "teams") return teamEditor.open(item);
    attempt(async () => {
        await offerTeams(item?.team);
        playerEditor.open(item, { team: players.team ?? "" });
    });
}

/** Fills the choice of teams. The one that is chosen in the list is among them, wherever it is in the order. */
async function offerTeams(own) {
    const page = await send("GET", "/teams?limit=100");
    const choices = new Map(page.items.map((team) => [team.id, team.name]));
    const chosen = teams.items.find((team) => team.id === players.team);
    if (chosen) choices.set(chosen.id, chosen.name);
    if (own) choices.set(own.id, own.title);
    const options = [...choices].map(([value, text]) => element("option", { value, text }));
    find("player-team").replaceChildren(element("option", { value: "", text: "Choose a team" }), ...options);
}

function searchIn(list, field) {
    let timer;
    field.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            list.search = field.value.trim();
            attempt(() => list.reload());
        }, 200);
    });
}

find("add-team").onclick = () => edit("teams", null);
find("add-player").onclick = () => edit("players", null);
find("all-players").onclick = () => chooseTeam(null);
find("more-teams").onclick = () => attempt(() => teams.more());
find("more-players").onclick = () => attempt(() => players.more());
searchIn(teams, find("team-search"));
searchIn(players, find("player-search"));

// MARK: What others do

function reloadAll() {
    attempt(async () => {
        await teams.reload();
        await players.reload();
    });
}

function take(change) {
    if (change.resource === "players") return players.apply(change);
    if (change.resource !== "teams") return;
    if (change.kind === "delete" && players.team === change.id) chooseTeam(null);
    teams.apply(change);
    if (change.kind !== "update") return;
    for (const player of players.items) if (player.team?.id === change.id) player.team.title = change.object.name;
    drawPlayers(players, new Set());
}

function say(state, text) {
    find("live").dataset.state = state;
    find("live").textContent = text;
}

// The lists are read when the stream has begun: what is saved from then on is an event.
const events = new EventSource("/events");
events.addEventListener("ready", (event) => {
    say("live", "Live");
    if (!JSON.parse(event.data).resumed) reloadAll();
});
events.addEventListener("reload", () => {
    say("live", "Live");
    reloadAll();
});
events.addEventListener("changes", (event) => JSON.parse(event.data).changes.forEach(take));
events.addEventListener("error", () => {
    if (events.readyState !== EventSource.CLOSED) return say("broken", "Connecting again");
    say("broken", "No live updates");
    reloadAll();
});
