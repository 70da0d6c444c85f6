package io.gpusched.rl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Locale;
import java.util.Objects;

/// The published table, and what the original environment gives beyond it.
final class EvaluationTest {
    private final Environment environment = new Environment(EnvironmentSettings.USUAL);

    @ParameterizedTest
    @CsvSource({
        "FIFO,          2000001,  0.369 0.340 0.388 0.000 0.526",
        "SJF,           2000001,  0.529 0.511 0.554 0.000 0.497",
        "RAND_FEAS_NO0, 2000001,  0.525 0.450 0.626 0.000 0.513",
        "INDEX,         2000001,  0.775 0.759 0.786 0.000 0.497"
    })
    void theTableIsThePublishedOne(String player, long seed, String figures) {
        assertThat(figures(player, seed)).isEqualTo(figures);
    }

    @ParameterizedTest
    @CsvSource({
        "FIFO,          12000001, 0.456 0.407 0.497",
        "SJF,           12000001, 0.534 0.523 0.553",
        "RAND_FEAS_NO0, 12000001, 0.571 0.509 0.628",
        "INDEX,         12000001, 0.774 0.763 0.782"
    })
    void onSeedsKeptForReportsToo(String player, long seed, String figures) {
        assertThat(figures(player, seed)).startsWith(figures);
    }

    private String figures(String name, long seed) {
        Baseline player = Objects.requireNonNull(Baseline.named(name));
        var outcome = new Evaluation(seed, 3, 20).of(player, environment);
        return String.format(
                Locale.ROOT,
                "%.3f %.3f %.3f %.3f %.3f",
                outcome.mean(),
                outcome.least(),
                outcome.most(),
                outcome.invalid(),
                outcome.waits());
    }
}
