package io.gpusched.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// Migrates a schema to the current version: numbered SQL files beside this class, each run once,
/// in one transaction with the record that it ran.
///
/// Written here because it is a few lines, and a library would take half of the server's start
/// time.
final class Migrations {
    private final Dialect dialect;
    private final String family;

    /// @param family `journal` or `tables`; each has its own files and its own version
    Migrations(Dialect dialect, String family) {
        this.dialect = dialect;
        this.family = family;
    }

    void run(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(
                    """
                    CREATE TABLE IF NOT EXISTS schema_versions (
                        family TEXT PRIMARY KEY, version INTEGER NOT NULL)
                    """);
        }
        int version = version(connection);
        int newest = newest();
        if (version > newest) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected schema %s of the %s or older, found %s: start a newer release"
                            .formatted(newest, family, version));
        }
        for (int next = version + 1; next <= newest; next++) {
            step(connection, next, script(next));
        }
    }

    private void step(Connection connection, int version, String script) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement sql = connection.createStatement()) {
            for (String statement : statements(script)) {
                sql.execute(statement);
            }
            sql.execute("DELETE FROM schema_versions WHERE family = '" + family + "'");
            sql.execute("INSERT INTO schema_versions VALUES ('" + family + "', " + version + ")");
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private int version(Connection connection) throws SQLException {
        try (var sql = connection.createStatement();
                var row =
                        sql.executeQuery(
                                "SELECT version FROM schema_versions WHERE family = '"
                                        + family
                                        + "'")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    /// A statement ends with a semicolon at the start or end of a line that is not indented.
    private static List<String> statements(String script) {
        var statements = new ArrayList<String>();
        var statement = new StringBuilder();
        for (String line : script.lines().toList()) {
            if (line.startsWith("--")) {
                continue;
            }
            statement.append(line).append('\n');
            if (line.endsWith(";") && !line.startsWith(" ")) {
                statements.add(statement.toString());
                statement.setLength(0);
            }
        }
        return statements;
    }

    private int newest() {
        int version = 0;
        while (Migrations.class.getResource(name(version + 1)) != null) {
            version++;
        }
        return version;
    }

    private String script(int version) {
        try (InputStream in = Migrations.class.getResourceAsStream(name(version))) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw StoreException.broken("reading " + name(version), e);
        }
    }

    private String name(int version) {
        String folder = dialect.name().toLowerCase(Locale.ROOT);
        return "%s/%s/%03d.sql".formatted(family, folder, version);
    }
}
