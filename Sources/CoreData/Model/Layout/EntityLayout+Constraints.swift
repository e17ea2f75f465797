extension EntityLayout {
    /// The names in the constraints that the entity adds to its parent's.
    package var ownUniquenessConstraints: [[String]] {
        let inherited = Set(parent?.entity.constraintNames ?? [])
        return entity.constraintNames.filter { !inherited.contains($0) }
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
