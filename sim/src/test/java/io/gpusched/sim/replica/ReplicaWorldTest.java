package io.gpusched.sim.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;

final class ReplicaWorldTest {
    /// Whole milliseconds, so that times can be followed by hand.
    private static final IterationCost COST = new IterationCost(10, 20, 1, 0, 0.1, 100, 4, 10_000);

    private static ServingRequest request(int number, double arrival, int prompt, int output) {
        return new ServingRequest(number, arrival, prompt, output);
    }

    private static ReplicaWorld run(int replicas, ServingRequest... requests) {
        var world = new ReplicaWorld(COST, List.of(requests));
        for (int i = 1; i <= replicas; i++) {
            world.add(i, 0);
        }
        world.runTo(Double.POSITIVE_INFINITY);
        return world;
    }

    /// The prompt takes 10 + 5 ms; each of the two further tokens 20 + 1 ms.
    @Test
    void aRequestAloneIsReadAndThenDecoded() {
        AnswerTimes answers = run(1, request(0, 1, 50, 3)).answers();
        assertThat(answers.first(0)).isCloseTo(1.015, within(1e-9));
        assertThat(answers.last(0)).isCloseTo(1.057, within(1e-9));
        assertThat(answers.pace(answers.requests().getFirst())).isCloseTo(0.021, within(1e-9));
    }

    /// 150 tokens need two iterations of at most 100; the next prompt shares the second one.
    @Test
    void aLongPromptIsReadInParts() {
        AnswerTimes answers = run(1, request(0, 0, 150, 1), request(1, 0, 50, 1)).answers();
        assertThat(answers.first(0)).isCloseTo(0.040, within(1e-9));
        assertThat(answers.first(1)).isCloseTo(0.040, within(1e-9));
    }

    @Test
    void theRouterPrefersTheReplicaWithLessToDo() {
        AnswerTimes answers = run(2, request(0, 0, 100, 1), request(1, 0, 100, 1)).answers();
        assertThat(answers.first(0)).isEqualTo(answers.first(1));
    }

    @Test
    void requestsAreHeldUntilAReplicaIsReadyAndItIsPaidFromItsDecision() {
        var world = new ReplicaWorld(COST, List.of(request(0, 1, 50, 1)));
        world.add(1, 60);
        world.runTo(30);
        assertThat(world.held()).hasSize(1);
        world.runTo(Double.POSITIVE_INFINITY);
        assertThat(world.answers().first(0)).isCloseTo(60.015, within(1e-9));
        assertThat(world.replicaHours()).isCloseTo(60.015 / 3600, within(1e-9));
    }

    @Test
    void aRemovedReplicaFinishesItsWork() {
        var world = new ReplicaWorld(COST, List.of(request(0, 0, 50, 100)));
        world.add(1, 0);
        world.runTo(0.5);
        world.remove(world.members().getFirst());
        assertThat(world.size()).isZero();
        world.runTo(Double.POSITIVE_INFINITY);
        assertThat(world.answers().last(0)).isGreaterThan(2);
        assertThat(world.members()).isEmpty();
    }

    @Test
    void aReplicaThatLoadsIsRemovedFirstThenTheEmptiestThenTheYoungest() {
        var world = new ReplicaWorld(COST, List.of(request(0, 0, 50, 100)));
        world.add(1, 0);
        world.add(2, 0);
        world.add(3, 0);
        world.add(4, 60);
        world.runTo(1);
        for (long expected : new long[] {4, 3, 2, 1}) {
            ReplicaWorld.Member least = world.leastUseful();
            assertThat(least).isNotNull().extracting(ReplicaWorld.Member::id).isEqualTo(expected);
            world.members().stream().filter(each -> each.id() == expected).forEach(world::remove);
        }
    }
}
