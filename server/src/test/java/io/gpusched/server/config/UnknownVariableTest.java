package io.gpusched.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/// The warning about an environment variable with the scheduler's prefix that sets nothing.
final class UnknownVariableTest {
    @ParameterizedTest
    @CsvSource({
        "API_HTTPPORT, API_HTTP_PORT",
        "API_PORT, API_HTTP_PORT",
        "DATABASE_PASWORD, DATABASE_PASSWORD",
        "DATABSE_PORT, DATABASE_PORT",
        "PLUGIN_DIR, PLUGINS_DIR",
        "SCHEDULER_IDLE_AFTER_SECOND, SCHEDULER_IDLE_AFTER_SECONDS"
    })
    void whatIsNearlyRightNamesTheRightOne(String typed, String meant) {
        assertThat(remarks("GPU_SCHEDULER_" + typed))
                .containsExactly(
                        "environment variable GPU_SCHEDULER_%s sets nothing; the nearest that does is GPU_SCHEDULER_%s"
                                .formatted(typed, meant));
    }

    /// `PLUGINS_DIR` is not suggested, although it differs in few letters: it is in another
    /// section.
    @ParameterizedTest
    @ValueSource(strings = {"API_BIND_ADDRESS", "LOG_OUTPUT_FILE", "PORT", "SOMETHING_ELSE"})
    void whatIsFarFromAllNamesThePlaceWhereAllAreListed(String typed) {
        assertThat(remarks("GPU_SCHEDULER_" + typed))
                .containsExactly(
                        "environment variable GPU_SCHEDULER_%s sets nothing; config/scheduler-config.yaml lists all settings"
                                .formatted(typed));
    }

    @Test
    void variablesOfTheLaunchersAndOfOthersAreNoneOfItsBusiness() {
        assertThat(remarks("GPU_SCHEDULER_JAVA_HOME")).isEmpty();
        assertThat(remarks("HOME")).isEmpty();
    }

    private static List<String> remarks(String variable) {
        return ConfigReader.read(Arguments.of(), Map.of(variable, "1")).remarks();
    }
}
