// What raw SQLite does for the workloads, in C: prepared statements, one connection, rows into structures.
//   BenchC version
//   BenchC prepare <base.sqlite> [players]
//   BenchC <workload> <base.sqlite> <work.sqlite> <repeat> [players]      repeat 0: one run, without a warm-up
#include "database.h"
#include "workloads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const workload workloads[] = {
    {"insert", run_insert},
    {"insert-small-saves", run_insert_small_saves},
    {"insert-small-saves-history", run_insert_small_saves},   // C records nothing
    {"insert-small-saves-same-history", run_insert_small_saves_history},
    {"fetch-all", run_fetch_all},
    {"fetch-all-one-attribute", run_fetch_all_one_attribute},
    {"fetch-predicate-sorted", run_fetch_predicate_sorted},
    {"fetch-by-id", run_fetch_by_id},
    {"fetch-by-id-warm", run_fetch_by_id},              // C has no row cache: it asks SQLite again
    {"refresh", run_fetch_by_id},
    {"to-many-traverse", run_to_many_traverse},
    {"to-many-traverse-array", run_to_many_traverse},
    {"to-many-traverse-own-cache", run_to_many_traverse},
    {"to-many-prefetch", run_to_many_prefetch},
    {"update", run_update},
    {"delete", run_delete},
    {"batch-insert-dictionaries", run_insert},
    {"batch-insert-handler", run_insert},
    {"batch-insert-objects", run_insert},
    {"batch-update", run_batch_update},
    {"batch-delete", run_batch_delete},
    {"aggregate", run_aggregate},
    {"page", run_page},
    {"page-lazy", run_page},
    {"open", run_open},
    {"migrate-add-attribute", run_migrate_add_attribute},
    {"migrate-rename-attribute", run_migrate_rename_attribute},
    {"migrate-remove-attribute", run_migrate_remove_attribute},
    {"migrate-add-entity", run_migrate_add_entity},
    {"migrate-rename-entity", run_migrate_rename_entity},
    {"migrate-remove-entity", run_migrate_remove_entity},
};

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "version")) return puts(sqlite3_libversion()) < 0;
    int prepares = argc >= 3 && !strcmp(argv[1], "prepare");
    if (!prepares && argc < 5) {
        fprintf(stderr, "usage: BenchC prepare <base> [players] | BenchC <workload> <base> <work> <repeat> [players]\n");
        return 2;
    }
    const char *players = prepares ? argv[3] : argv[5];     // argv ends with a null pointer
    if (argc > (prepares ? 3 : 5)) bench_set_player_count(atoll(players));
    if (prepares) {
        make_base(argv[2]);
        return 0;
    }
    int repeat = atoi(argv[4]);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        if (strcmp(argv[1], workloads[i].name)) continue;
        if (repeat > 0) workloads[i].run(argv[2], argv[3]);     // the warm-up
        for (int run = 0; run < (repeat ? repeat : 1); run++) {
            bench_result result = workloads[i].run(argv[2], argv[3]);
            bench_print("c", argv[1], &result);
        }
        bench_remove_db(argv[3]);
        return 0;
    }
    fprintf(stderr, "there is no workload %s\n", argv[1]);
    return 2;
}
