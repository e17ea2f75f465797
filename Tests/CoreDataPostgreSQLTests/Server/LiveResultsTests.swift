import Testing

/// What another process saves, in a results controller of this one. See `Tests/Tools/PostgreSQLWriters`.
@Suite("Results of other processes' saves")
struct LiveResultsTests {
    @Test("a results controller tells of each save of another process, and soon")
    func saves() throws {
        let (status, text) = try WritersProgram.run(["live", "30"])
        #expect(status == 0, "\(text)")
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("save ") } == 30, "\(text)")
        let figures = try #require(lines.last, "\(text)")
        print("A results controller shows another process's save:", figures)
        let median = try #require(figures.split(separator: " ").dropFirst().first.flatMap { Double($0) }, "\(text)")
        // How long it takes is measured where nothing else runs. Here it only has to come without being asked for.
        #expect(median < 1_000, "\(text)")
    }
}
