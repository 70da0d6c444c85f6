package io.gpusched.store;

import java.nio.file.Path;

/// Writes batches until it is killed and says the number of each one when it is durable.
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
            long told = number;
            journal.append(
                    Batches.batch(number, term, 16),
                    () -> {
                        System.out.println(told);
                        System.out.flush();
                    });
        }
    }
}
