package io.gpusched.store;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;

/// Inserts or updates rows of one table in batches.
final class Upsert implements AutoCloseable {
    /// Fixed width, so that text order is time order.
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final int MOST_AT_ONCE = 500;
    private static final long MOST_SIZE_AT_ONCE = 4 << 20;

    private final Dialect dialect;
    private final PreparedStatement statement;
    private int waiting;
    private long waitingSize;

    /// @param keys number of leading columns that form the key
    Upsert(Connection connection, Dialect dialect, String table, int keys, String... columns)
            throws SQLException {
        this.dialect = dialect;
        List<String> all = List.of(columns);
        String updates =
                all.subList(keys, all.size()).stream()
                        .map(column -> column + " = excluded." + column)
                        .collect(Collectors.joining(", "));
        this.statement =
                connection.prepareStatement(
                        "INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO %s"
                                .formatted(
                                        table,
                                        String.join(", ", all),
                                        all.stream()
                                                .map(column -> "?")
                                                .collect(Collectors.joining(", ")),
                                        String.join(", ", all.subList(0, keys)),
                                        updates.isEmpty() ? "NOTHING" : "UPDATE SET " + updates));
    }

    void put(@Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            bind(statement, dialect, i + 1, values[i]);
            waitingSize += size(values[i]);
        }
        statement.addBatch();
        waiting++;
        if (waiting == MOST_AT_ONCE || waitingSize > MOST_SIZE_AT_ONCE) {
            flush();
        }
    }

    void flush() throws SQLException {
        if (waiting > 0) {
            statement.executeBatch();
            waiting = 0;
            waitingSize = 0;
        }
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case byte[] bytes -> bytes.length;
            case String text -> text.length();
            case null, default -> 0;
        };
    }

    static void bind(PreparedStatement to, Dialect dialect, int place, @Nullable Object value)
            throws SQLException {
        switch (value) {
            case null -> to.setObject(place, null);
            case Long number -> to.setLong(place, number);
            case Integer number -> to.setInt(place, number);
            case Double number -> to.setDouble(place, number);
            case Boolean flag -> to.setBoolean(place, flag);
            case BigDecimal number -> to.setBigDecimal(place, number);
            case byte[] bytes -> to.setBytes(place, bytes);
            case Instant instant -> {
                if (dialect == Dialect.SQLITE) {
                    to.setString(place, TIME.format(instant));
                } else {
                    to.setObject(place, instant.atOffset(ZoneOffset.UTC));
                }
            }
            default -> to.setString(place, value.toString());
        }
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
