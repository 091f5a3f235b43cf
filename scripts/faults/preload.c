/* Makes the n-th call of a kind fail. Load it with LD_PRELOAD, and set in the environment:

   FAULT_CALL   read, write, map, open, thread or alloc
   FAULT_KIND   error: it fails, with ENOSPC for writes; later reads and writes on the same descriptor fail, too
                interrupt: it fails with EINTR
                short: it moves one byte
                full: it moves one byte, and all later calls on the same descriptor fail with ENOSPC
                a number: the process gets this signal first
   FAULT_AT     the number of the call, from 1; 0 for no call
   FAULT_COUNT  a file to which the number of calls is written

   Only allocations of a page or more count. Writes to standard error never fail, because they report errors. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096 };

static atomic_long calls;
static atomic_int broken = -1;
static long at;
static char call, kind;
static int signal_number;
static int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

__attribute__((constructor)) static void start(void) {
    real_create = dlsym(RTLD_NEXT, "pthread_create");
    const char *text = getenv("FAULT_KIND");
    kind = text ? text[0] : 0;
    signal_number = text ? atoi(text) : 0;
    text = getenv("FAULT_AT");
    at = text ? atol(text) : 0;
    text = getenv("FAULT_CALL");
    atomic_store(&calls, 0);
    call = text ? text[0] : 0;
}

__attribute__((destructor)) static void finish(void) {
    const char *path = getenv("FAULT_COUNT");
    if (path) {
        char text[32];
        int length = snprintf(text, sizeof text, "%ld", atomic_load(&calls));
        int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        syscall(SYS_write, file, text, (size_t)length);
    }
}

/* Whether this call must fail. */
static int is_due(char wanted) {
    if (call != wanted || atomic_fetch_add(&calls, 1) + 1 != at) return 0;
    if (signal_number) {
        kill(getpid(), signal_number);
        return 0;
    }
    return 1;
}

/* Whether a read or a write must fail. */
static int fails(char wanted, int fd, int *is_short) {
    if (fd == 2 || call != wanted) return 0;
    int was_broken = atomic_load(&broken) == fd;
    int due = is_due(wanted);
    if (due && kind == 'i') {
        errno = EINTR;
        return 1;
    }
    if (due && (kind == 'e' || kind == 'f')) atomic_store(&broken, fd);
    *is_short = due && (kind == 's' || kind == 'f');
    if (was_broken || (due && kind == 'e')) {
        errno = wanted == 'w' ? ENOSPC : EIO;
        return 1;
    }
    return 0;
}

ssize_t read(int fd, void *buffer, size_t size) {
    int is_short = 0;
    if (fails('r', fd, &is_short)) return -1;
    return syscall(SYS_read, fd, buffer, is_short && size ? 1 : size);
}

ssize_t readv(int fd, const struct iovec *parts, int count) {
    int is_short = 0;
    if (fails('r', fd, &is_short)) return -1;
    if (is_short && count && parts[0].iov_len) return syscall(SYS_read, fd, parts[0].iov_base, 1);
    return syscall(SYS_readv, fd, parts, count);
}

ssize_t pread64(int fd, void *buffer, size_t size, off_t offset) {
    int is_short = 0;
    if (fails('r', fd, &is_short)) return -1;
    return syscall(SYS_pread64, fd, buffer, is_short && size ? 1 : size, offset);
}

ssize_t write(int fd, const void *buffer, size_t size) {
    int is_short = 0;
    if (fails('w', fd, &is_short)) return -1;
    return syscall(SYS_write, fd, buffer, is_short && size ? 1 : size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    int is_short = 0;
    if (fails('w', fd, &is_short)) return -1;
    if (is_short && count && parts[0].iov_len) return syscall(SYS_write, fd, parts[0].iov_base, 1);
    return syscall(SYS_writev, fd, parts, count);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    if (fd >= 0 && is_due('m')) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    return mmap(address, size, protection, flags, fd, offset);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (is_due('o')) {
        errno = kind == 'i' ? EINTR : EIO;
        return -1;
    }
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    return is_due('t') ? EAGAIN : real_create(thread, attributes, run, argument);
}

static int has_no_memory(size_t size) {
    if (size < PAGE || !is_due('a')) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return has_no_memory(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
    return has_no_memory(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) { return has_no_memory(size) ? NULL : __libc_realloc(old, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (has_no_memory(size)) return ENOMEM;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
