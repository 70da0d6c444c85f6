package io.gpusched.store;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

final class SqliteStoredRunsTest extends StoredRunsContract {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Override
    Database database() {
        return new Database.Sqlite(folder);
    }
}
