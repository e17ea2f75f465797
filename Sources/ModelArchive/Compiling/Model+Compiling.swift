import ModelFormat

extension Model {
    /// The model as Xcode compiles it: what its document says in one way is said in the others too.
    ///
    /// Models say indexes in three ways, of three ages: a mark on a property (`indexed="YES"`), compound indexes, fetch
    /// indexes. The compiler turns a mark into a fetch index that bears the property's name, marks the property that a
    /// fetch index covers alone, and lists the properties that it covers together as a compound index.
    package func compiled() -> Model {
        var model = self
        model.entities = entities.map { $0.sayingIndexesInEveryWay() }
        return model
    }
}

extension Model.Entity {
    fileprivate func sayingIndexesInEveryWay() -> Model.Entity {
        let marks = attributes.filter(\.isIndexed).map(\.name) + relationships.filter(\.isIndexed).map(\.name)
        let covered = fetchIndexes.compactMap(\.plainNames)
        let coveredNames = Set(covered)
        let listed = Set(compoundIndexes.map(\.names))
        var entity = self
        entity.fetchIndexes += marks.filter { !coveredNames.contains([$0]) }
            .map { Model.FetchIndex(name: $0, elements: [.init(propertyName: $0)]) }
        for names in covered where names.count > 1 && !listed.contains(names) {
            entity.compoundIndexes.append(Model.NameTuple(names))
        }
        let alone = Set(covered.filter { $0.count == 1 }.joined())
        for index in attributes.indices where alone.contains(attributes[index].name) {
            entity.attributes[index].isIndexed = true
        }
        for index in relationships.indices where alone.contains(relationships[index].name) {
            entity.relationships[index].isIndexed = true
        }
        return entity
    }
}

extension Model.FetchIndex {
    /// The properties that the index covers, if that is all there is to it: no tree of coordinates, no expression, no
    /// condition.
    fileprivate var plainNames: [String]? {
        let names = elements.filter { $0.collation == .binary }.compactMap(\.propertyName)
        return names.count == elements.count && partialIndexPredicate == nil ? names : nil
    }
}
