package io.gpusched.store;

import java.nio.file.Path;

/// Writes batches until it is killed, and prints the number of each durable batch.
final class EndlessWriter {
    private EndlessWriter() {}

    public static void main(String[] arguments) {
        Database database =
                arguments.length == 1
                        ? new Database.Sqlite(Path.of(arguments[0]))
                        : new Database.Postgres(arguments[0], arguments[1], arguments[2]);
        var journal = SqlJournal.open(database, StoreHealth.UNHEARD);
        long term = journal.raiseTerm();
        for (long number = journal.head() + 1; ; number++) {
            long batch = number;
            journal.append(
                    Batches.batch(number, term, 16),
                    () -> {
                        System.out.println(batch);
                        System.out.flush();
                    });
        }
    }
}
