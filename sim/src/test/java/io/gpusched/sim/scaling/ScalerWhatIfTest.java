package io.gpusched.sim.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.whatif.InvalidWhatIf;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

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
        return ask(recorded, new ScalerQuestion(RecordedPool.CHAT, since, List.of(laws), null));
    }

    private static ScalerWhatIfResult ask(RecordedPool recorded, ScalerQuestion question) {
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
        assertThat(result.check().reasons()).isEmpty();
        assertThat(result.tried())
                .extracting(LawFigures::law)
                .containsExactly("static-8", "hpa-20");
        assertThat(ScalerWhatIfText.plain(result)).contains("slo, replayed", "model check: the");
        assertThat(ScalerWhatIfText.page(result)).contains("| law | attained |", "| hpa-20 |");
        assertThat(ScalerWhatIfText.json(result)).contains("\"trusted\" : true");
        assertThat(result.record().figures().percent())
                .isCloseTo(recorded.answers().percentWithin(1, 0.075), offset(0.5));
        assertThat(result.speed().cost().fixed()).isCloseTo(28.8, offset(6.0));
    }

    @Test
    void anotherLawComesOutAsItReallyDoes() {
        ScalerWhatIfResult guessed = ask(recorded(ScalingRules.slo(), 1, 8), "static-3");
        ScalerWhatIfResult real = ask(recorded(ScalingRules.of("static"), 3, 3), "static-3");
        assertThat(guessed.tried().getFirst().percent())
                .isCloseTo(real.record().figures().percent(), offset(ModelCheck.MOST_POINTS));
        assertThat(guessed.tried().getFirst().gpuHours())
                .isCloseTo(real.record().figures().gpuHours(), offset(0.3));
    }

    @Test
    void theSameRecordIsAnsweredTheSame() {
        RecordedPool recorded = recorded(ScalingRules.slo(), 1, 8);
        assertThat(ScalerWhatIfText.json(ask(recorded, "hpa-20")))
                .isEqualTo(ScalerWhatIfText.json(ask(recorded, "hpa-20")));
    }

    /// The hour before teaches the law, so that it goes on where the recorded one was.
    @Test
    void aPartOfTheRecordIsDecidedWithWhatWasKnownBefore() {
        RecordedPool recorded = recorded(ScalingRules.slo(), 1, 8);
        Instant half = RecordedPool.START.plus(SPAN.dividedBy(2));
        ScalerWhatIfResult result = ask(recorded, half, "hpa-20");
        assertThat(result.record().from()).isBetween(half.minusSeconds(1), half.plusSeconds(1));
        assertThat(result.record().before()).hasSizeGreaterThan(1_000);
        assertThat(result.check().reasons()).isEmpty();
    }

    @Test
    void aLawHasNoMoreReplicasThanThereWasRoomFor() {
        RecordedPool recorded =
                RecordedPool.run(
                        RecordedPool.pool(ScalingRules.slo(), 1, 8),
                        RecordedPool.requests(SPAN, 4),
                        closed());
        ScalerWhatIfResult result = ask(recorded, "static-8");
        assertThat(result.record().rooms()).allMatch(room -> room.replicas() == 4);
        double hours = SPAN.toMinutes() / 60.0;
        assertThat(result.tried().getFirst().gpuHours()).isLessThan(4.2 * 4 * hours);
    }

    /// Four of six nodes, for two replicas each, are closed before the first request.
    private static List<PoolCase.Scripted> closed() {
        return IntStream.rangeClosed(3, 6)
                .mapToObj(
                        node ->
                                RecordedPool.after(
                                        Duration.ofSeconds(-10),
                                        new Command.Cordon(new NodeId("n" + node), "test")))
                .toList();
    }

    @Test
    void aHeldPoolHasItsSizeUnderEveryLaw() {
        var hold = new Command.ScalePool(RecordedPool.CHAT, 5, "launch", "test");
        RecordedPool recorded =
                RecordedPool.run(
                        RecordedPool.pool(ScalingRules.slo(), 1, 8),
                        RecordedPool.requests(SPAN, 4),
                        List.of(RecordedPool.after(Duration.ofMinutes(1), hold)));
        ScalerWhatIfResult result = ask(recorded, "hpa-20");
        assertThat(result.tried().getFirst().gpuHours())
                .isCloseTo(result.record().figures().gpuHours(), offset(0.7));
        assertThat(result.check().notes()).anyMatch(note -> note.contains("operator held"));
    }

    @Test
    void aDocumentToTryReplacesTheRecordedOne() {
        RecordedPool recorded = recorded(ScalingRules.slo(), 1, 8);
        var question =
                new ScalerQuestion(
                        RecordedPool.CHAT,
                        Instant.EPOCH,
                        List.of(),
                        RecordedPool.pool(ScalingRules.slo(), 6, 6));
        LawFigures tried = ask(recorded, question).tried().getFirst();
        assertThat(tried.law()).isEqualTo("slo, tried");
        assertThat(tried.gpuHours()).isCloseTo(6 * 4 * 40.0 / 60, offset(0.5));
    }

    @Test
    void whatCannotBeAnsweredIsSaid() {
        RecordedPool recorded =
                RecordedPool.run(
                        RecordedPool.pool(ScalingRules.slo(), 1, 8),
                        RecordedPool.requests(Duration.ofMinutes(3), 2),
                        List.of());
        assertRefused(recorded, "chat", "hpa-20", "at least 5 minutes and 30 requests, found");
        assertRefused(recorded, "none", "hpa-20", "no pool none; at its end there are chat");
        RecordedPool longer = recorded(ScalingRules.slo(), 1, 8);
        assertRefused(longer, "chat", "hpb-20", "the nearest is hpa-20");
        assertRefused(longer, "chat", "static-0", "there is no law static-0");
        assertRefused(longer, "chat", "targets", "the law targets needs a target");
        assertRefused(longer, "chat", "queue", "the law queue needs prefetch");
        RecordedPool silent =
                RecordedPool.run(
                        RecordedPool.pool(ScalingRules.of("static"), 0, 8), List.of(), List.of());
        assertRefused(silent, "chat", "hpa-20", "expected reports of load, found none");
    }

    private static void assertRefused(RecordedPool recorded, String pool, String law, String why) {
        var question = new ScalerQuestion(new PoolId(pool), Instant.EPOCH, List.of(law), null);
        assertThatThrownBy(() -> ask(recorded, question))
                .isInstanceOf(InvalidWhatIf.class)
                .hasMessageContaining(why);
    }
}
