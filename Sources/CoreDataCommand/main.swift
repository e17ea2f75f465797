import CoreData

print("")
