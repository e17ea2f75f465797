extension EntityLayout {
    /// The names in the constraints that the entity adds to its parent's.
    package var ownUniquenessConstraints: [[String]] {
        let inherited = Set(parent?.entity.constraintNames ?? [])
        return entity.constraintNames.filter { !inherited.contains($0) }
    }

    /// The names in the constraints of the entity, and of those that it inherits from.
    package var allUniquenessConstraints: [[String]] {
        var all: [[String]] = []
        var current: EntityLayout? = self
        while let entity = current {
            all.append(contentsOf: entity.ownUniquenessConstraints.filter { !all.contains($0) })
            current = entity.parent
        }
        return all
    }
}

extension NSEntityDescription {
    /// The property names of each uniqueness constraint, whether the model has names or descriptions.
    fileprivate var constraintNames: [[String]] {
        uniquenessConstraints.map { constraint in
            constraint.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
        }
    }
}
