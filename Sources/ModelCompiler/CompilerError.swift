import ModelFormat

/// Why a model can't be compiled: one or more sentences about a place.
package struct CompilerError: Error, Equatable, CustomStringConvertible {
    /// The file or folder, with line and column where they are known: `path:12:5`.
    package var path: String
    package var sentences: [String]

    /// One line a sentence, as build systems expect them.
    package var description: String { sentences.map { "\(path): error: \($0)" }.joined(separator: "\n") }
}

extension CompilerError {
    init(_ error: ModelDocumentError, documentPath: String) {
        let place = [error.url?.path ?? documentPath] + [error.line, error.column].compactMap { $0.map(String.init) }
        self.init(path: place.joined(separator: ":"), sentences: [error.message])
    }
}
