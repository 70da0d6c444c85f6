package io.gpusched.store;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/// The releases of PostgreSQL that the store's SQL is written for.
///
/// The tests run on the oldest release that Debian packages (15) and on the newest. Release 14 has
/// the same SQL; 13 is no longer maintained by the PostgreSQL project.
final class PostgresVersion {
    static final int OLDEST = 14;

    private PostgresVersion() {}

    /// Throws [StoreException] when the server is older than [#OLDEST].
    static void check(DatabaseMetaData server) throws SQLException {
        check(server.getDatabaseMajorVersion(), server.getDatabaseProductVersion());
    }

    static void check(int major, String version) {
        if (major < OLDEST) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected PostgreSQL %d or newer, found %s; upgrade the database server, or set database.driver to sqlite"
                            .formatted(OLDEST, version));
        }
    }
}
