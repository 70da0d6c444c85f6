package io.gpusched.sim.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.gpusched.core.pool.ScalingRules;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The record of a pool whose truth is known is decided again: by the same law it comes out almost
/// the same, and other laws come out as they really do.
final class ScalerWhatIfTest {
    private static final Duration SPAN = Duration.ofMinutes(40);

    private static RecordedPool recorded(ScalingRules rules, int min, int max) {
        return RecordedPool.run(
                RecordedPool.pool(rules, min, max), RecordedPool.requests(SPAN, 4), List.of());
    }

    private static ScalerWhatIfResult ask(RecordedPool recorded, String... laws) {
        return ask(recorded, Instant.EPOCH, laws);
    }

    private static ScalerWhatIfResult ask(RecordedPool recorded, Instant since, String... laws) {
        var question = new ScalerQuestion(RecordedPool.CHAT, since, List.of(laws), null);
        return new ScalerWhatIf(
                        recorded.history(),
                        null,
                        fingerprint -> null,
                        question,
                        ScalerWhatIf.Watcher.NONE)
                .answer();
    }

    @Test
    void theRecordedLawComesOutAlmostTheSame() {
        RecordedPool recorded = recorded(ScalingRules.slo(), 1, 8);
        ScalerWhatIfResult result = ask(recorded, "static-8", "hpa-20");
        System.out.println(ScalerWhatIfText.plain(result));
        assertThat(result.check().reasons()).isEmpty();
        assertThat(result.record().figures().percent())
                .isCloseTo(recorded.answers().percentWithin(1, 0.075), offset(0.5));
        assertThat(result.speed().cost().fixed()).isCloseTo(28.8, offset(6.0));
    }

    @Test
    void anotherLawComesOutAsItReallyDoes() {
        ScalerWhatIfResult guessed = ask(recorded(ScalingRules.slo(), 1, 8), "static-3");
        ScalerWhatIfResult real = ask(recorded(ScalingRules.of("static"), 3, 3), "static-3");
        System.out.println(ScalerWhatIfText.plain(guessed));
        System.out.println(ScalerWhatIfText.plain(real));
        assertThat(guessed.tried().getFirst().percent())
                .isCloseTo(real.record().figures().percent(), offset(ModelCheck.MOST_POINTS));
        assertThat(guessed.tried().getFirst().gpuHours())
                .isCloseTo(real.record().figures().gpuHours(), offset(0.3));
    }
}
