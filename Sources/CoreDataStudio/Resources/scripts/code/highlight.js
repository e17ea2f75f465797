import { h } from "../ui/view.js";

const keywords = new Set(("actor as async await break case catch class default defer do else enum extension false fileprivate final for func guard if import in init inout internal is let nil nonisolated open override package private protocol public required return self static struct subscript super switch throw throws true try typealias var weak where while").split(" "));
const tokens = /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*")|(@\w+|#\w+)|(\b\d[\d_.]*\b)|(\b[A-Za-z_]\w*\b)/g;

/** Swift code with its comments, texts, attributes, numbers, keywords and types told apart. @param {string} text */
export function highlighted(text) {
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(tokens)) {
        parts.push(text.slice(end, match.index));
        parts.push(span(match));
        end = match.index + match[0].length;
    }
    return [...parts, text.slice(end)];
}

function span([token, comment, string, attribute, number, word]) {
    const name = comment ? "comment" : string ? "string" : attribute ? "attribute" : number ? "number"
        : keywords.has(word) ? "keyword" : /^[A-Z]/.test(word) ? "type" : null;
    return name ? h("span", { class: `tok-${name}` }, token) : token;
}

/** A document's text, with its elements, attributes and values told apart. @param {string} text */
export function highlightedXML(text) {
    return text.split(/(<[^>]*>)/).map((part) => {
        if (!part.startsWith("<")) return part;
        return part.split(/("[^"]*"|[\w:.-]+(?==))/).map((piece) => {
            if (piece.startsWith('"')) return h("span.tok-string", null, piece);
            if (/^[\w:.-]+$/.test(piece)) return h("span.tok-attribute", null, piece);
            return h("span.tok-keyword", null, piece);
        });
    });
}
