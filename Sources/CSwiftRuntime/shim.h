// What Swift code may not name itself of its runtime.

#include <stdint.h>

void *_Nullable swift_tryRetain(void *_Nonnull object);
void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);
void swift_release_n(void *_Nonnull object, uint32_t count);

// What a weak reference does when it is read, without the weak reference: takes a reference to an object unless its last
// one is already gone.
static inline void *_Nullable coredata_try_retain(void *_Nonnull object) {
    return swift_tryRetain(object);
}

// Takes many references to an object at the price of one.
static inline void coredata_retain_many(void *_Nonnull object, uint32_t count) {
    swift_retain_n(object, count);
}

static inline void coredata_release_many(void *_Nonnull object, uint32_t count) {
    swift_release_n(object, count);
}
