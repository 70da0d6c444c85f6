package io.gpusched.store;

/// On the newest supported release.
final class PostgresJournalTest extends PostgresJournalContract {
    PostgresJournalTest() {
        super(TestPostgres.newest());
    }
}
