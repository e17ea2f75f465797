import Shop

print(shopReport())
