// What Swift code may not name itself of its runtime.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *_Nullable swift_tryRetain(void *_Nonnull object);
void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);
void swift_release_n(void *_Nonnull object, uint32_t count);
size_t swift_retainCount(void *_Nonnull object);
void swift_release(void *_Nonnull object);

// What a weak reference does when it is read, without the weak reference: takes a reference to an object unless its
// last one is already gone.
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

// What one thread is about to release, once it has come back from the releases that it is in.
struct coredata_releases {
    void *_Nonnull *_Nullable waiting;
    size_t count, capacity;
    unsigned depth;
};

// Gives up a reference to an object that may be the last one of a long chain of objects. Each release within a release
// takes stack: from some depth on, references wait until the outermost release is through.
static inline void coredata_release_deep(struct coredata_releases *_Nonnull releases, void *_Nonnull object) {
    if (releases->depth >= 32) {
        if (releases->count == releases->capacity) {
            size_t capacity = releases->capacity ? releases->capacity * 2 : 64;
            void **waiting = (void **)realloc(releases->waiting, capacity * sizeof(void *));
            if (!waiting) abort();
            releases->waiting = waiting;
            releases->capacity = capacity;
        }
        releases->waiting[releases->count++] = object;
        return;
    }
    releases->depth++;
    swift_release(object);
    if (releases->depth == 1) {
        while (releases->count) swift_release(releases->waiting[--releases->count]);
        free(releases->waiting);
        releases->waiting = NULL;
        releases->capacity = 0;
    }
    releases->depth--;
}

static inline struct coredata_releases *_Nonnull coredata_releases_of_thread(void) {
    static _Thread_local struct coredata_releases releases;
    return &releases;
}
