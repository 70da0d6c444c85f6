package io.gpusched.store;

import java.nio.file.Path;

/// Where a store lives.
public sealed interface Database {
    /// Files in a folder of our own, which is made when it is missing.
    record Sqlite(Path folder) implements Database {
        @Override
        public String toString() {
            return folder.toString();
        }
    }

    /// A PostgreSQL database; everything is kept in the schema the user sees first.
    ///
    /// @param url as JDBC spells it
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
