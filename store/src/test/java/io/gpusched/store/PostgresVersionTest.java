package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

final class PostgresVersionTest {
    @Test
    void aServerThatIsTooOldIsRefusedWithWhatToDo() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> PostgresVersion.check(13, "13.22 (Debian)"))
                .withMessage(
                        "expected PostgreSQL 14 or newer, found 13.22 (Debian); upgrade the"
                                + " database server, or set database.driver to sqlite");
    }

    @Test
    void theOldestSupportedServerIsTaken() {
        assertThatCode(() -> PostgresVersion.check(14, "14.0")).doesNotThrowAnyException();
    }
}
