package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

final class CliTrainingRunTest {

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void theRehearsalComesToItsEnd() {
        assertThatCode(() -> CliTrainingRun.main(new String[0])).doesNotThrowAnyException();
    }
}
