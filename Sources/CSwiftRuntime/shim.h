// What Swift code may not name itself of its runtime.

#include <stddef.h>
#include <stdint.h>

void *_Nullable swift_tryRetain(void *_Nonnull object);
void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);
void swift_release_n(void *_Nonnull object, uint32_t count);
size_t swift_retainCount(void *_Nonnull object);

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

// How many strong references there are to an object: what others do with theirs at the same time may change it at once.
static inline size_t coredata_retain_count(void *_Nonnull object) {
    return swift_retainCount(object);
}
