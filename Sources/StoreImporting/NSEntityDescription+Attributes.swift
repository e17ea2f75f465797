import CoreData
import StoreBrowsing

extension NSEntityDescription {
    /// The attribute of that name, or the element of a composite attribute at that path.
    ///
    /// - Throws: `ToolFailure` for any other key.
    package func attribute(at path: String) throws -> NSAttributeDescription {
        var found = attributesByName
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for key in keys.dropLast() {
            let elements = (found[key] as? NSCompositeAttributeDescription)?.elements ?? []
            found = Dictionary(elements.map { ($0.name, $0) }) { first, _ in first }
        }
        if let attribute = found[keys.last ?? ""] { return attribute }
        let names = attributesByName.keys.sorted { $0.precedesByCodePoint($1) }
        throw ToolFailure(.invalidQuery, "\(name ?? "") has no attribute “\(path)”; it has \(list: names).")
    }
}
