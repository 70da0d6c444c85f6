package io.gpusched.store;

import java.nio.file.Path;

/// The database of a store.
public sealed interface Database {
    /// SQLite files in a directory of the scheduler, which is created if it is missing.
    record Sqlite(Path folder) implements Database {
        @Override
        public String toString() {
            return folder.toString();
        }
    }

    /// A PostgreSQL database; all tables are in the first schema of the user's search path.
    ///
    /// @param url JDBC URL
    record Postgres(String url, String user, String password) implements Database {
        public static Postgres at(
                String host, int port, String database, String user, String password) {
            return new Postgres(
                    "jdbc:postgresql://" + host + ":" + port + "/" + database, user, password);
        }

        /// Without the password, so that it may be printed.
        @Override
        public String toString() {
            return url + " as " + user;
        }
    }
}
