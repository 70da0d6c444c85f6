package io.gpusched.store;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/// Checks the version of PostgreSQL.
///
/// The tests run on the oldest release that Debian packages (15) and on the newest. Release 14 has
/// the same SQL; the PostgreSQL project no longer maintains 13.
final class PostgresVersion {
    static final int OLDEST = 14;

    private PostgresVersion() {}

    /// Throws [StoreException] if the server is older than [#OLDEST].
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
