/// Ends the program because its code uses the framework in a wrong way.
///
/// A release build prints the sentence, too. The standard library's `preconditionFailure` prints nothing there.
///
/// - Parameter sentence: What is wrong, with the entity and the key, and how to mend it.
@inline(never)
package func programmerError(_ sentence: String, file: StaticString = #file, line: UInt = #line) -> Never {
    fatalError(sentence, file: file, line: line)
}

/// Ends the program because the framework itself is wrong: no app can cause it.
@inline(never)
package func defect(_ sentence: String, file: StaticString = #file, line: UInt = #line) -> Never {
    programmerError(sentence + " This is a defect of CoreData: please report it.", file: file, line: line)
}

/// Ends the program with a sentence if a condition does not hold: see ``programmerError(_:file:line:)``.
@inline(__always)
func require(
    _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
    if !condition { programmerError(sentence(), file: file, line: line) }
}
