import FoundationGaps

/// Predicates search the texts of an object that is not saved yet as the store's index searches those of its row.
extension NSManagedObject: MessageReceiver {
    package func function(named name: String) -> (([Any?]) throws -> Any?)? { textFunction(named: name, of: nil) }

    package func function(named name: String, of key: String) -> (([Any?]) throws -> Any?)? {
        textFunction(named: name, of: key)
    }

    private func textFunction(named name: String, of key: String?) -> (([Any?]) throws -> Any?)? {
        TextSearch.function(named: name, of: key, in: layout) { slot in
            let path = PredicateKeyPath(keys: [slot.name])
            if let value = SlotReader.shared.value(of: self, at: path) {
                if case .string(let text) = value { return text }
                return nil
            }
            return self.value(forKeyPath: slot.name) as? String
        }
    }
}
