#include <libpq-fe.h>

// Asks for a result in pieces, so that many rows need little memory: of so many rows each with libpq 17 and newer, of
// one row each with an older one. 1 where it was granted.
static inline int coredata_pq_set_rows_mode(PGconn *_Nonnull connection, int rows) {
#ifdef LIBPQ_HAS_CHUNK_MODE
    return PQsetChunkedRowsMode(connection, rows);
#else
    (void)rows;
    return PQsetSingleRowMode(connection);
#endif
}

// Whether a result is such a piece.
static inline int coredata_pq_is_piece(const PGresult *_Nonnull result) {
    ExecStatusType status = PQresultStatus(result);
#ifdef LIBPQ_HAS_CHUNK_MODE
    if (status == PGRES_TUPLES_CHUNK) return 1;
#endif
    return status == PGRES_SINGLE_TUPLE;
}
