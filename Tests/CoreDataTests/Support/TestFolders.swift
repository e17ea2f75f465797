import Foundation

/// Where the package lies, and what lies beside it.
enum TestFolders {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let tests = package.appendingPathComponent("Tests")
    static let fixtures = tests.appendingPathComponent("CoreDataTests/Fixtures")
    /// Larger collections of models and stores. They are not part of the package: tests use them where they are at
    /// hand.
    static let shared = package.deletingLastPathComponent().appendingPathComponent("shared")
}
