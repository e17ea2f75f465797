// Tells the Thread Sanitizer when a thread that had to wait for a `Mutex` gets it.
//
// A free `Mutex` is taken by an atomic operation in the code of its user, which the sanitizer sees. Where it is not
// free, a function of the Synchronization library waits for it, on Linux by a futex that the kernel hands over: that
// library is not instrumented, and nothing tells the sanitizer, and it takes what two threads do one after the other,
// each with the mutex, for a race. These functions stand before the library's, call them, and say what they did.
// Nothing else is hidden: what is done without the mutex is found as before.
#if defined(__has_feature) && __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// `_MutexHandle._lockSlow(_:)` and `_MutexHandle._unlockSlow()`, by Swift's calling convention.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void LockSlow(uint32_t thread, SELF void *mutex);
typedef SWIFT void UnlockSlow(SELF void *mutex);

void __tsan_acquire(void *address);
void __tsan_release(void *address);
SWIFT void lockSlow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlockSlow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
    ((LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF void *mutex) {
    __tsan_release(mutex);
    ((UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
#endif
