package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.Rendezvous;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskSpec;

import java.time.Duration;
import java.util.Arrays;

/// Builds orders for tests, with defaults for everything.
public final class Orders {
    private final TaskOrder.Builder order =
            TaskOrder.newBuilder()
                    .setTask(TaskRef.newBuilder().setJob(1).setAttempt(1).setTerm(1))
                    .setRun(TaskOrder.Run.getDefaultInstance());
    private final TaskSpec.Builder spec =
            TaskSpec.newBuilder()
                    .setJobId("job-1")
                    .setJobName("a job")
                    .setTenantId("default")
                    .setGraceMillis(5_000);

    private Orders() {}

    public static Orders script(String script) {
        Orders orders = new Orders();
        orders.spec.setScript(script);
        return orders;
    }

    public static Orders command(String... words) {
        Orders orders = new Orders();
        orders.spec.addAllCommand(Arrays.asList(words));
        return orders;
    }

    public Orders job(long number) {
        order.getTaskBuilder().setJob(number);
        spec.setJobId("job-" + number);
        return this;
    }

    public Orders rank(int rank) {
        order.getTaskBuilder().setRank(rank);
        return this;
    }

    public Orders args(String... words) {
        spec.addAllArgs(Arrays.asList(words));
        return this;
    }

    public Orders gpus(Integer... indices) {
        order.addAllGpus(Arrays.asList(indices));
        return this;
    }

    public Orders env(String name, String value) {
        spec.putEnvironment(name, value);
        return this;
    }

    public Orders in(String workingDir) {
        spec.setWorkingDir(workingDir);
        return this;
    }

    public Orders limit(Duration limit) {
        spec.setTimeLimitMillis(limit.toMillis());
        return this;
    }

    public Orders grace(Duration grace) {
        spec.setGraceMillis(grace.toMillis());
        return this;
    }

    public TaskOrder prepare() {
        return order.setPrepare(TaskOrder.Prepare.getDefaultInstance()).setSpec(spec).build();
    }

    public TaskOrder run() {
        return order.setRun(TaskOrder.Run.getDefaultInstance()).setSpec(spec).build();
    }

    public TaskOrder run(Rendezvous.Builder rendezvous) {
        return order.setRun(TaskOrder.Run.newBuilder().setRendezvous(rendezvous))
                .setSpec(spec)
                .build();
    }

    public TaskOrder stop(Duration grace, String cause) {
        return order.setStop(
                        TaskOrder.Stop.newBuilder()
                                .setGraceMillis(grace.toMillis())
                                .setCause(cause))
                .setSpec(spec)
                .build();
    }
}
