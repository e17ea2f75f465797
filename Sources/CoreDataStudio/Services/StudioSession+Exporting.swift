import ModelDocument
import ModelExchange
import StoreBrowsing

extension StudioSession {
    /// A version in the language of another tool, as `coredata model export` writes it.
    ///
    /// - Parameter language: A raw value of ``ModelLanguage``.
    func export(version id: ElementID, as language: String) throws -> JSON {
        guard let language = ModelLanguage(rawValue: language) else {
            throw StudioError(.invalidRequest, "‘\(language)’ is no language: dbml, mermaid, sql or postgresql.")
        }
        guard let index = document.trees.firstIndex(where: { $0.id == id }) else {
            throw StudioError(.unknownElement, "There is no version ‘\(id)’.")
        }
        let version = document.document.versions[index]
        do {
            let text = try language.text(of: version.model, title: version.name)
            return ["text": .text(text), "extension": .text(language.pathExtension)]
        } catch {
            throw StudioError(.invalidEdit, ToolFailure(error).message)
        }
    }
}
