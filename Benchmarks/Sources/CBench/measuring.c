#define _GNU_SOURCE
#include "bench.h"
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double clock_of(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
double bench_now(void) { return clock_of(CLOCK_MONOTONIC); }

// ---- memory

static double peak_mb(void) {
    char line[256];
    double kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) if (sscanf(line, "VmHWM: %lf", &kb) == 1) break;
    fclose(f);
    return kb / 1024;
}
static void reset_peak(void) {
    int fd = open("/proc/self/clear_refs", O_WRONLY);
    if (fd < 0) return;
    if (write(fd, "5", 1) < 0) { /* the peak since the start is reported instead */ }
    close(fd);
}

// ---- instructions

static int counter = -1;

// Opened before main, so that threads made later are counted too.
__attribute__((constructor)) static void open_counter(void) {
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.type = PERF_TYPE_HARDWARE;
    a.size = sizeof a;
    a.config = PERF_COUNT_HW_INSTRUCTIONS;
    a.inherit = 1;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    counter = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}
static int64_t instructions(void) {
    int64_t count = 0;
    return counter >= 0 && read(counter, &count, sizeof count) == sizeof count ? count : 0;
}

// ---- profiles: ./profile has perf record the timed part alone

static void tell_perf(const char *command) {
    const char *control = getenv("BENCH_PERF_CONTROL"), *answers = getenv("BENCH_PERF_ACK");
    if (!control || !answers) return;
    char answer[8];
    int out = open(control, O_WRONLY), in = open(answers, O_RDONLY);
    if (out < 0 || in < 0 || write(out, command, strlen(command)) < 0 || read(in, answer, sizeof answer) < 0) perror("perf");
    close(out);
    close(in);
}

// ---- runs

static double started, cpu_started;
static int64_t instructions_started;

void bench_start(void) {
    tell_perf("enable\n");
    reset_peak();
    instructions_started = instructions();
    cpu_started = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    started = bench_now();
}
void bench_stop(bench_result *r) {
    r->seconds = bench_now() - started;
    r->cpu_seconds = clock_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_started;
    r->instructions = instructions() - instructions_started;
    r->peak_mb = peak_mb();
    tell_perf("disable\n");
}
void bench_print(const char *impl, const char *workload, const bench_result *r) {
    printf("{\"impl\":\"%s\",\"workload\":\"%s\",\"players\":%lld,\"n\":%lld,\"seconds\":%.6f,\"cpu_seconds\":%.6f,"
           "\"free_seconds\":%.6f,\"instructions\":%lld,\"peak_mb\":%.1f,\"check\":%lld}\n",
           impl, workload, (long long)bench_player_count(), (long long)r->n, r->seconds, r->cpu_seconds,
           r->free_seconds, (long long)r->instructions, r->peak_mb, (long long)r->check);
    fflush(stdout);
}
