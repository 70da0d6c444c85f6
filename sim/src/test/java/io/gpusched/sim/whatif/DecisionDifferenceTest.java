package io.gpusched.sim.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/// A journal of an older build that says less is not one that decided otherwise.
final class DecisionDifferenceTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Slot slot(String node) {
        return new Slot(new NodeId(node), 0, 0, new Grant.Whole(1), Resources.NONE);
    }

    private static Event placed(String node, String because) {
        var attempt = new AttemptId(new JobId(1), 1, 1);
        return new Event.AttemptPlaced(NOW, attempt, new Placement(List.of(slot(node))), because);
    }

    private static Event made(Claim.Kind kind, String node, String reason) {
        var holder = new ClaimHolder.OfJob(new JobId(1));
        return new Event.ClaimMade(
                NOW,
                new Claim(new ClaimId(1), holder, kind, List.of(slot(node)), NOW, NOW, reason));
    }

    private static boolean same(Event recorded, Event otherwise) {
        return DecisionDifference.isNone(List.of(recorded), List.of(otherwise));
    }

    @Test
    void silenceAboutAPlaceThatWasKeptIsNone() {
        assertThat(same(placed("n1", ""), placed("n1", "fit=1‰×1"))).isTrue();
        assertThat(same(placed("n1", ""), placed("n2", "fit=1‰×1"))).isFalse();
        assertThat(same(placed("n1", "fit=2‰×1"), placed("n1", "fit=1‰×1"))).isFalse();
        assertThat(same(placed("n1", "fit=2‰×1"), placed("n1", ""))).isFalse();
    }

    @Test
    void silenceAboutWhoWasStoppedIsNone() {
        Event silent = made(Claim.Kind.ROOM, "n1", "room is made by stopping others");
        assertThat(same(silent, made(Claim.Kind.ROOM, "n1", "room is made by stopping job-2")))
                .isTrue();
        assertThat(same(silent, made(Claim.Kind.ROOM, "n2", "room is made by stopping job-2")))
                .isFalse();
        assertThat(same(silent, made(Claim.Kind.RESERVATION, "n1", "first in line"))).isFalse();
        assertThat(
                        same(
                                made(Claim.Kind.ROOM, "n1", "room is made by stopping job-3"),
                                made(Claim.Kind.ROOM, "n1", "room is made by stopping job-2")))
                .isFalse();
    }

    /// Room that an older build made, taken by a newer one.
    @Test
    void silenceAboutWhoWasStoppedIsNoneInAStartEither() {
        Event silent = placed("n1", "fit=1‰×1; room is made by stopping others");
        assertThat(same(silent, placed("n1", "fit=1‰×1; room is made by stopping job-2, job-3")))
                .isTrue();
        assertThat(same(silent, placed("n1", "fit=2‰×1; room is made by stopping job-2")))
                .isFalse();
        assertThat(same(silent, placed("n1", "fit=1‰×1"))).isFalse();
    }

    @Test
    void anEventMoreOrLessIsOne() {
        Event placed = placed("n1", "");
        assertThat(DecisionDifference.isNone(List.of(placed), List.of(placed, placed))).isFalse();
        assertThat(DecisionDifference.isNone(List.of(), List.of())).isTrue();
    }
}
