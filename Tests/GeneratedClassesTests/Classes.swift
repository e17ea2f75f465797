import CoreData

/// A class written by hand: the model asks for no code.
public class Chef: NSManagedObject {
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
}

/// A class written by hand. Its accessors are generated.
public class Ingredient: NSManagedObject {}
