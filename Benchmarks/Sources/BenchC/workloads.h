#ifndef WORKLOADS_H
#define WORKLOADS_H
#include "bench.h"

/// One run of a workload: base is the file that is read, work one that may be written.
typedef struct {
    const char *name;
    bench_result (*run)(const char *base, const char *work);
} workload;

bench_result run_insert(const char *base, const char *work);
bench_result run_insert_small_saves(const char *base, const char *work);
bench_result run_insert_small_saves_history(const char *base, const char *work);
bench_result run_update(const char *base, const char *work);
bench_result run_delete(const char *base, const char *work);
bench_result run_batch_update(const char *base, const char *work);
bench_result run_batch_delete(const char *base, const char *work);
bench_result run_fetch_all(const char *base, const char *work);
bench_result run_fetch_all_one_attribute(const char *base, const char *work);
bench_result run_fetch_predicate_sorted(const char *base, const char *work);
bench_result run_fetch_by_id(const char *base, const char *work);
bench_result run_to_many_traverse(const char *base, const char *work);
bench_result run_to_many_prefetch(const char *base, const char *work);
bench_result run_aggregate(const char *base, const char *work);
bench_result run_page(const char *base, const char *work);
bench_result run_open(const char *base, const char *work);
bench_result run_migrate_add_attribute(const char *base, const char *work);
bench_result run_migrate_rename_attribute(const char *base, const char *work);
bench_result run_migrate_remove_attribute(const char *base, const char *work);
bench_result run_migrate_add_entity(const char *base, const char *work);
bench_result run_migrate_rename_entity(const char *base, const char *work);
bench_result run_migrate_remove_entity(const char *base, const char *work);

#endif
