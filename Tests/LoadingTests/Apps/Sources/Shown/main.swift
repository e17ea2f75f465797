import Shelf

print(shelfReport())
