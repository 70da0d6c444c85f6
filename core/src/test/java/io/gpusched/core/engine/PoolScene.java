package io.gpusched.core.engine;

import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.PoolExplainer;
import io.gpusched.core.explain.PoolExplanation;
import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A cell with a pool named `chat`, for tests of one rule each.
final class PoolScene {
    static final PoolId CHAT = new PoolId("chat");

    final Scene scene;
    private long sequence;

    PoolScene(EngineSettings settings, String... nodes) {
        scene = new Scene("priority", settings);
        for (String node : nodes) {
            scene.join(aNode(node).build());
        }
    }

    PoolScene(String... nodes) {
        this(PoolBuilder.settings(), nodes);
    }

    void put(PoolBuilder pool) {
        assertThat(answer(pool)).isInstanceOf(Answer.Accepted.class);
    }

    List<Problem> problems(PoolBuilder pool) {
        return answer(pool) instanceof Answer.Rejected rejected ? rejected.problems() : List.of();
    }

    private Answer answer(PoolBuilder pool) {
        return scene.tell(new Command.PutPool(pool.build(), "me"));
    }

    PoolEntry entry(PoolId id) {
        return Objects.requireNonNull(scene.engine().state().pools().find(id));
    }

    PoolEntry chat() {
        return entry(CHAT);
    }

    PoolCounts counts() {
        return scene.engine().state().pools().counts(chat());
    }

    List<JobId> jobs() {
        return chat().replicas().stream().map(ReplicaStatus::job).toList();
    }

    List<Integer> numbers() {
        return chat().replicas().stream().map(ReplicaStatus::number).toList();
    }

    JobId replica(int number) {
        return Objects.requireNonNull(chat().replica(number)).job();
    }

    PoolExplanation explained() {
        return Objects.requireNonNull(new PoolExplainer(scene.engine(), scene.now()).explain(CHAT));
    }

    /// Every replica that was placed runs.
    void run() {
        for (JobId job : jobs()) {
            if (scene.phase(job).equals("Starting")) {
                scene.runs(job);
            }
        }
    }

    /// A report of a source that sees no replicas, every second.
    void queued(long messages, Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            scene.tell(
                    new Report.PoolLoad(
                            CHAT, LoadBuilder.aLoad(++sequence).queue(messages).build()));
            run();
            scene.pass(Duration.ofSeconds(1));
        }
    }

    /// A report every second that so many sessions are active, from a gateway to which every
    /// running replica is ready.
    void serve(int sessions, Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            var loads = new ArrayList<ReplicaLoad>();
            for (ReplicaStatus status : chat().replicas()) {
                if (scene.phase(status.job()).equals("Running")) {
                    loads.add(seen(status.job(), status.draining() == null, 0));
                }
            }
            report(sessions, loads);
            scene.pass(Duration.ofSeconds(1));
        }
    }

    void report(int sessions, List<ReplicaLoad> replicas) {
        var load = PoolBuilder.load(++sequence, 0, sessions, replicas);
        scene.tell(new Report.PoolLoad(CHAT, load));
    }

    <E extends Event> List<E> events(Class<E> kind) {
        var events = new ArrayList<E>();
        scene.journal()
                .replay(
                        0,
                        batch -> {
                            for (Event event : batch.decided()) {
                                if (kind.isInstance(event)) {
                                    events.add(kind.cast(event));
                                }
                            }
                        });
        return events;
    }
}
