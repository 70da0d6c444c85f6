package io.gpusched.wire.agent;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.TaskState;
import io.gpusched.wire.proto.agent.Rendezvous;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Converts tasks, assignments and task reports between the core and the agent protocol.
public final class AgentCodec {
    /// Delay before a task that one node refused is tried again.
    private static final Duration RETRY_AFTER_REFUSAL = Duration.ofSeconds(10);

    private static final int NO_CODE = -1;

    private static final long LONGEST_PAUSE_MILLIS = Duration.ofHours(1).toMillis();

    /// Upper bound for the run time in a report; more is an error of the agent.
    private static final long LONGEST_MILLIS = Duration.ofDays(3650).toMillis();

    private AgentCodec() {}

    public static TaskRef ref(AttemptId attempt, int rank) {
        return TaskRef.newBuilder()
                .setJob(attempt.job().number())
                .setAttempt(attempt.number())
                .setTerm(attempt.term())
                .setRank(rank)
                .build();
    }

    /// @throws IllegalArgumentException if no such attempt can exist
    public static AttemptId attempt(TaskRef ref) {
        if (ref.getJob() < 1 || ref.getAttempt() < 1 || ref.getRank() < 0) {
            throw new IllegalArgumentException(
                    "expected a task with positive job and attempt, found " + ref);
        }
        return new AttemptId(new JobId(ref.getJob()), ref.getAttempt(), ref.getTerm());
    }

    /// The core's report for this message; null if the cell has no use for it.
    public static @Nullable Report report(TaskReport report) {
        AttemptId attempt = attempt(report.getTask());
        int rank = report.getTask().getRank();
        return switch (report.getStateCase()) {
            case PREPARED -> new Report.TaskPrepared(attempt, rank);
            case RUNNING -> new Report.TaskRunning(attempt, rank);
            case ENDED -> new Report.TaskEnded(attempt, rank, exit(report.getEnded()));
            case REFUSED -> refused(attempt, rank, report.getRefused());
            case PREPARING, STATE_NOT_SET -> null;
        };
    }

    private static Report refused(AttemptId attempt, int rank, TaskReport.StartRefused told) {
        Duration after =
                Duration.ofMillis(Math.clamp(told.getRetryAfterMillis(), 0, LONGEST_PAUSE_MILLIS));
        return told.getOrdinary()
                ? new Report.StartWithdrawn(attempt, rank, told.getReason(), after)
                : new Report.StartRefused(attempt, rank, told.getReason(), RETRY_AFTER_REFUSAL);
    }

    /// The same for the Hello of an agent, which must name every task of the node.
    public static Report.Seen seen(TaskReport report) {
        TaskState state =
                switch (report.getStateCase()) {
                    case PREPARED -> new TaskState.Prepared();
                    case RUNNING -> new TaskState.Running();
                    case ENDED -> new TaskState.Ended(exit(report.getEnded()));
                    case REFUSED ->
                            new TaskState.Ended(
                                    new Exit(
                                            report.getRefused().getOrdinary()
                                                    ? Exit.How.WITHDRAWN
                                                    : Exit.How.REFUSED,
                                            NO_CODE,
                                            report.getRefused().getReason()));
                    case PREPARING, STATE_NOT_SET -> new TaskState.Assigned();
                };
        return new Report.Seen(attempt(report.getTask()), report.getTask().getRank(), state);
    }

    static Exit exit(TaskReport.Ended ended) {
        int code = ended.hasExitCode() ? ended.getExitCode() : NO_CODE;
        Exit.How how =
                switch (ended.getHow()) {
                    case EXITED -> code > 128 && code <= 192 ? Exit.How.SIGNALLED : Exit.How.EXITED;
                    case STOPPED -> Exit.How.STOPPED;
                    case TIMEOUT -> Exit.How.TIMEOUT;
                    case LEASE_EXPIRED, LOST, UNRECOGNIZED -> Exit.How.LOST;
                };
        long ran = Math.clamp(ended.getRanMillis(), 0, LONGEST_MILLIS);
        return new Exit(how, code, ended.getDetail(), Duration.ofMillis(ran));
    }

    /// The address at which rank 0 of a gang waits for the others.
    public record MeetingPoint(String address, int port) {}

    /// The rendezvous of a gang with only one task; its agent chooses the port.
    private static final MeetingPoint ALONE = new MeetingPoint("127.0.0.1", 0);

    /// The order for a task's node.
    ///
    /// @param at the rendezvous of the gang; without it, the gang is only prepared
    /// @param now on the clock that set the deadline of a stop
    public static TaskOrder order(Task task, @Nullable MeetingPoint at, Instant now) {
        TaskOrder.Builder order =
                TaskOrder.newBuilder()
                        .setTask(ref(task.attempt(), task.rank()))
                        .setSpec(spec(task));
        setGpus(order, task.slot().grant());
        boolean gang = task.all().slots().size() > 1;
        switch (task.order()) {
            case Task.Order.Prepare prepare -> order.getPrepareBuilder();
            case Task.Order.Run run -> {
                if (!gang) {
                    order.getRunBuilder();
                    if (task.spec().isGang()) {
                        order.getRunBuilder().setRendezvous(rendezvous(task, ALONE));
                    }
                } else if (at == null) {
                    order.getPrepareBuilder();
                } else {
                    order.getRunBuilder().setRendezvous(rendezvous(task, at));
                }
            }
            case Task.Order.Stop stop -> {
                long left = Duration.between(now, stop.deadline()).toMillis();
                // A clock that was set back must not lengthen the job's grace period.
                long most = task.spec().onLoss().grace().toMillis();
                order.getStopBuilder()
                        .setGraceMillis(Math.clamp(left, 0, most))
                        .setCause(stop.cause().detail());
            }
        }
        return order.build();
    }

    private static Rendezvous rendezvous(Task task, MeetingPoint at) {
        int local = 0;
        int localRank = 0;
        for (Slot slot : task.all().slots()) {
            if (slot.node().equals(task.slot().node())) {
                localRank = slot.rank() == task.rank() ? local : localRank;
                local++;
            }
        }
        return Rendezvous.newBuilder()
                .setWorldSize(task.all().slots().size())
                .setLocalRank(localRank)
                .setLocalWorldSize(local)
                .setMasterAddr(at.address())
                .setMasterPort(at.port())
                .build();
    }

    private static void setGpus(TaskOrder.Builder order, Grant grant) {
        for (long left = grant.mask(); left != 0; left &= left - 1) {
            order.addGpus(Long.numberOfTrailingZeros(left));
        }
        switch (grant) {
            case Grant.Shares shares ->
                    order.setGpuMilli(shares.milli()).setGpuMemoryMb(shares.memoryMiB());
            case Grant.Slices slices -> {
                order.setGpuMilli(1); // Slices of one GPU never overlap.
                for (MigSlot slot : slices.at()) {
                    order.addSlicesBuilder()
                            .setGpu(slot.gpu())
                            .setProfile(slot.profile())
                            .setFirst(slot.first())
                            .setSize(slot.size());
                }
            }
            case Grant.None none -> {}
            case Grant.Whole whole -> {}
            case Grant.Counted counted -> {}
        }
    }

    private static TaskSpec spec(Task task) {
        JobSpec job = task.spec();
        Payload payload = job.payload();
        return TaskSpec.newBuilder()
                .setJobId(task.attempt().job().toString())
                .setJobName(job.name())
                .setTenantId(job.tenant().toString())
                .addAllCommand(payload.command())
                .addAllArgs(payload.args())
                .setScript(payload.script())
                .putAllEnvironment(payload.environment().entries())
                .setWorkingDir(payload.workingDir())
                .setImage(payload.image())
                .setTimeLimitMillis(job.limit().toMillis())
                .setGraceMillis(job.onLoss().grace().toMillis())
                .setCpuCores((int) Math.ceilDiv(task.slot().host().milliCpu(), 1000))
                .setMilliCpu(task.slot().host().milliCpu())
                .setMemoryMb(task.slot().host().memoryMiB())
                .setAttachment(payload.attachment())
                .putAllLabels(job.labels().entries())
                .setPriority(job.priority())
                .build();
    }
}
