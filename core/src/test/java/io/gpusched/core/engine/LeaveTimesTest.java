package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.policy.Preemptor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// Compares the times when running jobs lose their protection with a search through all runs, and
/// counts the work.
final class LeaveTimesTest {
    private static final int[] PRIORITIES = {50, 120, 200, 310, 1000};

    private final Scene scene = new Scene("priority");
    private final LeaveTimes leaveTimes =
            new LeaveTimes(scene.engine().state(), scene.engine().policy().preemptor());

    private void fleet(int gpus) {
        var nodes = new ArrayList<Node>();
        for (int node = 0; node < (gpus + 63) / 64; node++) {
            nodes.add(aNode("n" + node).gpus(64).cores(1000).agent("a").build());
        }
        scene.join(nodes.toArray(Node[]::new));
        scene.tenant("soft", 1_000_000, true);
    }

    private static JobBuilder soft(int priority) {
        return aJob().of("soft").priority(priority);
    }

    private JobId held(int priority) {
        var submit = new Command.Submit(soft(priority).spec(), "", 0, true, "tester");
        if (scene.tell(submit) instanceof Answer.Accepted accepted) {
            return Objects.requireNonNull(accepted.job());
        }
        throw new AssertionError("the submission was refused");
    }

    private Job asks(int priority) {
        return aJob().priority(priority).waiting(1_000_000, scene.now());
    }

    private @Nullable Instant ofAll(int priority) {
        Preemptor preemptor = scene.engine().policy().preemptor();
        return preemptor.nextToLeave(priority, scene.engine().state(), scene.now());
    }

    private static Instant orNever(@Nullable Instant time) {
        return time == null ? Instant.MAX : time;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theTimeIsTheSameAsWhenAllRunsAreAsked(long seed) {
        var random = new Random(seed);
        fleet(200);
        List<JobId> held = new ArrayList<>();
        for (int job = 0; job < 100; job++) {
            held.add(held(random.nextInt(200)));
            scene.pass(Duration.ofSeconds(random.nextInt(30)));
        }
        int found = 0;
        for (JobId id : held) {
            scene.tell(new Command.Release(id, "tester"));
            leaveTimes.placed(scene.job(id), scene.now());
            for (int priority : PRIORITIES) {
                Instant next = leaveTimes.next(asks(priority), scene.now());
                assertThat(next).as("seed %s, %s", seed, id).isEqualTo(ofAll(priority));
                found += next == null ? 0 : 1;
            }
            scene.pass(Duration.ofSeconds(random.nextInt(90)));
        }
        assertThat(found).as("seed %s", seed).isPositive();
        for (JobId id : held) {
            scene.completes(id);
            for (int priority : PRIORITIES) {
                assertThat(orNever(leaveTimes.next(asks(priority), scene.now())))
                        .as("seed %s, %s ended", seed, id)
                        .isBeforeOrEqualTo(orNever(ofAll(priority)));
            }
            scene.pass(Duration.ofSeconds(random.nextInt(20)));
        }
    }

    /// All runs begin at once, after they waited for 20 minutes.
    private void runs(int jobs) {
        fleet(0);
        for (int job = 0; job < jobs; job++) {
            scene.submit(soft(100));
        }
        scene.pass(Duration.ofMinutes(20));
        fleet(jobs + 64);
        assertThat(scene.engine().state().runs().size()).isEqualTo(jobs);
    }

    private long lookedAt() {
        return scene.engine().state().runs().lookedAt();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 10_000})
    void runsAreAskedOnceAPriorityUntilSomethingIsDue(int jobs) {
        runs(jobs);
        long before = lookedAt();
        Instant due = Objects.requireNonNull(leaveTimes.next(asks(150), scene.now()));
        assertThat(lookedAt() - before).isEqualTo(jobs);
        before = lookedAt();
        Instant late = due.minusSeconds(1);
        for (int call = 0; call < 1000; call++) {
            assertThat(leaveTimes.next(asks(150), call % 2 == 0 ? scene.now() : late))
                    .isEqualTo(due);
        }
        assertThat(lookedAt() - before).isZero();
        for (int more = 0; more < 20; more++) {
            JobId id = scene.submit(soft(10));
            leaveTimes.placed(scene.job(id), scene.now());
            assertThat(leaveTimes.next(asks(150), scene.now())).isEqualTo(due);
        }
        assertThat(lookedAt() - before).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 10_000})
    void runsThatBeganLongAgoAreNotAsked(int jobs) {
        runs(jobs);
        scene.passUnseen(Duration.ofMinutes(31));
        long before = lookedAt();
        assertThat(ofAll(150)).isNull();
        assertThat(leaveTimes.next(asks(150), scene.now())).isNull();
        assertThat(lookedAt() - before).isZero();
    }

    @Test
    void aRunThatBecomesLessImportantIsAskedAgain() {
        fleet(64);
        JobId id = held(200);
        scene.pass(Duration.ofMinutes(10));
        scene.tell(new Command.Release(id, "tester"));
        assertThat(leaveTimes.next(asks(150), scene.now())).isNull();
        scene.tell(new Command.Reprioritise(id, 100, "tester"));
        assertThat(leaveTimes.next(asks(150), scene.now())).isNotNull();
    }
}
