// What a weak reference does when it is read, without the weak reference: takes a reference to an object unless its last
// one is already gone. Swift code may not name the runtime's functions itself.

void *_Nullable swift_tryRetain(void *_Nonnull object);

static inline void *_Nullable coredata_try_retain(void *_Nonnull object) {
    return swift_tryRetain(object);
}
