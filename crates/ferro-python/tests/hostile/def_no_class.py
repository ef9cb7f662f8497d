# expect: error
# about: There is no component class at all, only a body that works.
total = sum(range(1000))
print("nothing here", total)
