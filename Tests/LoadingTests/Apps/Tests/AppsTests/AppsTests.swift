import CoreData
import Report
import Testing

@Test func testsFindTheirModel() { #expect(report("Tested", module: .module, TestedThing.self) == "every way") }
