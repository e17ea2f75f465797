import Foundation

/// What the long runs of `./test --full` take beside what each run takes.
public enum FullRun {
    public static var isOn: Bool { ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == "1" }

    /// All items in a full run, else one in so many, the first among them.
    ///
    /// A test that calls this names `COREDATA_FULL_TESTS` in its documentation: so a full run finds it.
    public static func items<Item>(of all: [Item], elseOneIn share: Int) -> [Item] {
        isOn ? all : all.enumerated().filter { $0.offset % share == 0 }.map(\.element)
    }
}
