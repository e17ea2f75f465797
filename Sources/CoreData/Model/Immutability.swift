/// Stops the program where a description is changed that a coordinator uses.
///
/// Stores, layouts and compiled statements rely on a model that stays as it was when its coordinator took it.
func refuseChange(of what: String) -> Never {
    programmerError(
        "can't modify an immutable model: \(what) belongs to a model that a persistent store coordinator uses. Change a copy of the model (copy()) before a coordinator gets it."
    )
}
