// `Scripts/test-checked` defines it.
#if COREDATA_CHECKS
    import Testing

    @testable import CoreData

    /// What `Scripts/test-checked` checks, and no other build does.
    @Suite("A checked build")
    struct CheckedBuildTests {
        @Test("ends code that comes to a list while it is changed")
        func exclusivity() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                func change(_ held: inout HeldObjects<NSManagedObject>, _ body: () -> Void) { body() }
                change(&context.held) { context.held.registered = [] }
            }
            expectMessage(result, "Simultaneous accesses")
        }

        @Test("ends the use of an object that has gone, by an unowned reference")
        func unownedReference() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let handle = EntityHandle()
                func refer() { handle.entity = NSEntityDescription() }
                refer()
                print(handle.entity?.name ?? "")
            }
            expectMessage(result, "unowned reference", "already")
        }

        @Test("ends the use of an object that has gone, by an unmanaged reference")
        func unmanagedReference() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let team = model(entity("Team", []))
                let object = NSManagedObject(entity: team.entities[0], insertInto: nil)
                func refer() {
                    object.contextReference = .passUnretained(
                        NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
                }
                refer()
                object.contextReference?._withUnsafeGuaranteedRef { print($0.departures) }
            }
            expectMessage(result, "heap-use-after-free")
        }
    }
#endif
