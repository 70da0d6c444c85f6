package io.gpusched.store;

/// On the oldest supported release that can be had as a package.
final class OldestPostgresJournalTest extends PostgresJournalContract {
    OldestPostgresJournalTest() {
        super(TestPostgres.oldest());
    }
}
